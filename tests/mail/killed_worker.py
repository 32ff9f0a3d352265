"""Workers that are killed: `python -m tests.mail.killed_worker` forks one for each line that it reads.

A line is the work, a statement (its number, or what is in its SQL) and the moment, `before` or `after` it. The answer
is how the worker ended: -9, or 0 where the work has no such statement.
"""

import os
import signal
import sys
import traceback

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection  # noqa: E402

from tests.letters.conftest import MONDAY  # noqa: E402
from tests.mail.server import send_waiting  # noqa: E402
from visibility.letters.alerts import write_alerts  # noqa: E402
from visibility.letters.delivery import write_due_letters  # noqa: E402

WORK = {
    "send": send_waiting,
    "letters": lambda: write_due_letters(MONDAY),
    "alerts": lambda: write_alerts(MONDAY),
}


def killing(statement, moment):
    """A wrapper of statements that kills this process at one of them, as the kernel does when memory is short."""
    passed = 0

    def wrap(execute, sql, parameters, many, context):
        nonlocal passed
        passed += 1
        is_it = str(passed) == statement or (not statement.isdigit() and statement in sql)
        if is_it and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = execute(sql, parameters, many, context)
        if is_it and moment == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return wrap


def work_until_killed(work, statement, moment):
    try:
        with connection.execute_wrapper(killing(statement, moment)):
            WORK[work]()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    for line in sys.stdin:
        if not (worker := os.fork()):
            work_until_killed(*line.rstrip("\n").split("\t"))
        print(os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]), flush=True)

"""Starts workers over a database of several processes, and kills them at a statement."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from tests.live import ROOT

MOMENTS = ("before", "after")


@contextmanager
def killed_workers(database: str, port: int) -> Iterator[Callable[[str, str, str], int]]:
    """A function that has a worker do its work and kills it at a statement: see `killed_worker`. Mail goes to the
    server at a port of this machine."""
    own = {"DATABASE_URL": database, "EMAIL_URL": f"smtp://127.0.0.1:{port}"}
    command = [sys.executable, "-m", "tests.mail.killed_worker"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **own}, **pipes) as process:

        def kill(work: str, statement: str, moment: str) -> int:
            print(work, statement, moment, sep="\t", file=process.stdin, flush=True)
            return int(process.stdout.readline())

        yield kill


def kill_at_each_statement(
    kill: Callable[[str, str, str], int], work: str, begin: Callable[[], object], check: Callable[[str, str], None]
) -> int:
    """Begin, kill a worker at a statement and check, for each statement of the work until it has no more; returns how
    many there are. `check` gets the statement and the moment."""
    for number in count(1):
        for moment in MOMENTS:
            begin()
            ended = kill(work, str(number), moment)
            check(str(number), moment)
            if ended == 0:
                return number - 1
            assert ended == -signal.SIGKILL
    raise AssertionError

"""Sends what waits and is killed before or after a statement: `python -m tests.mail.killed_sender STATEMENT MOMENT`.
The statement is a number, or what is in its SQL."""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection  # noqa: E402

from apikeys.mail.sending import send_waiting  # noqa: E402
from tests.mail.server import kill_me  # noqa: E402


def killing(statement, moment):
    """A wrapper of statements that kills this process at one of them: by its number, or by what is in its SQL."""
    passed = 0

    def wrap(execute, sql, parameters, many, context):
        nonlocal passed
        passed += 1
        is_it = str(passed) == statement or (not statement.isdigit() and statement in sql)
        if is_it and moment == "before":
            kill_me()
        result = execute(sql, parameters, many, context)
        if is_it and moment == "after":
            kill_me()
        return result

    return wrap


if __name__ == "__main__":
    with connection.execute_wrapper(killing(sys.argv[1], sys.argv[2])):
        send_waiting()

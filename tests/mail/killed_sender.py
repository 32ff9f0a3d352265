"""Sends what waits and is killed before or after a statement: `python -m tests.mail.killed_sender NUMBER MOMENT`."""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection  # noqa: E402

from apikeys.mail.sending import send_waiting  # noqa: E402
from tests.mail.server import kill_me  # noqa: E402


def killing(number, moment):
    """A wrapper of statements that kills this process at one of them."""
    passed = 0

    def wrap(execute, sql, parameters, many, context):
        nonlocal passed
        passed += 1
        if passed == number and moment == "before":
            kill_me()
        result = execute(sql, parameters, many, context)
        if passed == number and moment == "after":
            kill_me()
        return result

    return wrap


if __name__ == "__main__":
    with connection.execute_wrapper(killing(int(sys.argv[1]), sys.argv[2])):
        send_waiting()

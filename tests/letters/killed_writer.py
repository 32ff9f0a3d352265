"""Writes the letters of a Monday and is killed: `python -m tests.letters.killed_writer STATEMENT MOMENT`."""

import sys

from tests.mail.killed_sender import killing  # isort: skip - sets Django up

from django.db import connection

from tests.letters.conftest import MONDAY
from visibility.letters.delivery import write_due_letters

if __name__ == "__main__":
    with connection.execute_wrapper(killing(sys.argv[1], sys.argv[2])):
        write_due_letters(MONDAY)

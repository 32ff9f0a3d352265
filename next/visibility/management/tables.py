"""CSV for spreadsheets: UTF-8 with a byte order mark, every cell quoted, nothing that a spreadsheet would run."""

import csv
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

# Spreadsheets run what begins so, with the wide forms of these signs and behind blanks, too.
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")


def write_table(out: Path | None, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a heading and the rows to a file, or to standard output; a row is written before the next is read."""
    try:
        # The byte order mark is how spreadsheets know UTF-8.
        with open(out or sys.stdout.fileno(), "w", encoding="utf-8-sig", newline="", closefd=out is not None) as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL)
            writer.writerow(columns)
            writer.writerows([cell(value) for value in row] for row in rows)
    except OSError as error:
        raise CommandError(f"The table cannot be written: {error.strerror}.") from error


def cell(value: Any) -> str:
    """A value as a cell: empty for null, numbers plain, lists as JSON; what begins like a formula, as text."""
    match value:
        case None:
            return ""
        case bool() | list() | dict():
            return json.dumps(value, ensure_ascii=False)
        case str() if _FORMULA.match(value):
            return f"'{value}"
    return str(value)

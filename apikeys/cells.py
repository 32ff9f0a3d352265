"""CSV for spreadsheets: every cell quoted, nothing in it that a spreadsheet would run."""

import csv
import json
import re
from collections.abc import Iterable, Sequence
from typing import IO, Any

from apikeys.text import clean

ENCODING = "utf-8-sig"
"""With the byte order mark by which spreadsheets know UTF-8."""
# Spreadsheets run what begins so, with the wide forms of these signs and behind blanks, too.
_FORMULA = re.compile(r"[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")


def write_cells(file: IO[str], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a heading and the rows; a row is written before the next is read."""
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerow([cell(column) for column in columns])
    writer.writerows([cell(value) for value in row] for row in rows)


def cell(value: Any) -> str:
    """A value as a cell: empty for null, numbers plain, lists as JSON; what begins like a formula, as text. Invisible
    signs, which steer a terminal or turn the order of words, are left out."""
    match value:
        case None:
            return ""
        case bool() | list() | dict():
            return clean(json.dumps(value, ensure_ascii=False))
        case str():
            text = clean(value)
            return f"'{text}" if _FORMULA.match(text) else text
    return str(value)

"""CSV for spreadsheets: UTF-8 with a byte order mark, every cell quoted, nothing that a spreadsheet would run."""

import csv
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

from django.core.management.base import CommandError

from apikeys.cells import cell

ENCODING = "utf-8-sig"
"""With the byte order mark by which spreadsheets know UTF-8."""


def write_table(out: Path | None, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a heading and the rows to a file, or to standard output; a row is written before the next is read.

    A file replaces what was there only once all of it is written.
    """
    try:
        if out is None:
            with open(sys.stdout.fileno(), "w", encoding=ENCODING, newline="", closefd=False) as file:
                _write(file, columns, rows)
        elif out.exists() and not out.is_file():  # a device or a pipe, which cannot be replaced
            with out.open("w", encoding=ENCODING, newline="") as file:
                _write(file, columns, rows)
        else:
            _write_whole(out, columns, rows)
    except OSError as error:
        raise CommandError(f"The table cannot be written: {error.strerror}.") from error


def _write_whole(out: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding=ENCODING, newline="") as file:
            _write(file, columns, rows)
        partial.replace(out)
    finally:
        partial.unlink(missing_ok=True)


def _write(file: IO[str], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)

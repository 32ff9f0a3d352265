"""Tables that commands write: a file that is replaced as a whole, a pipe, or standard output."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from apikeys.cells import ENCODING, write_cells


def write_table(out: Path | None, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a heading and the rows to a file, or to standard output; a row is written before the next is read.

    A file replaces what was there only once all of it is written.
    """
    try:
        if out is None:
            with open(sys.stdout.fileno(), "w", encoding=ENCODING, newline="", closefd=False) as file:
                write_cells(file, columns, rows)
        elif out.exists() and not out.is_file():  # a device or a pipe, which cannot be replaced
            with out.open("w", encoding=ENCODING, newline="") as file:
                write_cells(file, columns, rows)
        else:
            with whole_file(out) as partial, partial.open("w", encoding=ENCODING, newline="") as file:
                write_cells(file, columns, rows)
    except OSError as error:
        raise CommandError(f"The table cannot be written: {error.strerror}.") from error


@contextmanager
def whole_file(out: Path) -> Iterator[Path]:
    """Another file to write, which replaces `out` once the block has ended well."""
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(out)
    finally:
        partial.unlink(missing_ok=True)

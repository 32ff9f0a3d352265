"""JSON Lines and CSV to rows, one at a time, so that a file of any size is read in little memory. Pure."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

import orjson

from visibility.engines.surfaces import Surface
from visibility.services.imports.rows import REQUIRED, BadRow, ImportedAnswer, parse_row

MAX_LINE = 4 * 2**20
"""Bytes of one line, and characters of one CSV field."""

_BOM = b"\xef\xbb\xbf"
_DELIMITERS = (",", ";", "\t")
# The csv module knows one limit for the whole process; its default is shorter than a long answer.
csv.field_size_limit(MAX_LINE)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be imported, by its number in the file (1 for the first), and why."""

    line: int
    reason: str


def read_answers(
    stream: BinaryIO, now: datetime, surface: Surface = Surface.IMPORTED
) -> Iterator[ImportedAnswer | BadLine]:
    """The answers of a JSON Lines or CSV file (told apart by the first character), bad lines in their places.

    `now` is the time of the import: answers from the future are bad lines. `surface` is where answers were taken
    whose line does not state it.
    """
    lines = _Lines(stream)
    for number, record in _records(lines):
        if isinstance(record, BadRow):
            yield BadLine(number, str(record))
            continue
        try:
            yield parse_row(record, now, surface)
        except BadRow as problem:
            yield BadLine(number, str(problem))


class _Lines:
    """The decoded lines of a stream. A bad line raises BadRow once; reading goes on behind it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._pushed_back: str | None = None
        self.number = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if self._pushed_back is not None:
            line, self._pushed_back = self._pushed_back, None
            return line
        raw = self._stream.readline(MAX_LINE + 1)
        if not raw:
            raise StopIteration
        self.number += 1
        if len(raw) > MAX_LINE:
            self._skip_rest(raw)
            raise BadRow(f"the line is longer than {MAX_LINE // 2**20} MB")
        if self.number == 1:
            raw = raw.removeprefix(_BOM)
        try:
            return raw.decode()
        except UnicodeDecodeError as problem:
            raise BadRow(f"byte {problem.start + 1} of the line is not UTF-8; save the file as UTF-8") from None

    def push_back(self, line: str) -> None:
        """Give `line` again as the next one."""
        self._pushed_back = line

    def _skip_rest(self, raw: bytes) -> None:
        while raw and not raw.endswith(b"\n"):
            raw = self._stream.readline(MAX_LINE)


_Record = tuple[int, Mapping[str, Any] | BadRow]


def _records(lines: _Lines) -> Iterator[_Record]:
    first = ""
    while not first.strip():
        try:
            first = next(lines)
        except StopIteration:
            return
        except BadRow as problem:
            # Without a readable beginning nobody can say whether the file is JSON Lines or CSV.
            yield lines.number, problem
            return
    if first.lstrip().startswith("["):
        yield lines.number, BadRow("the file is one JSON array; write one object per line (JSON Lines)")
        return
    if first.lstrip().startswith("{"):
        lines.push_back(first)
        yield from _json_records(lines)
    else:
        yield from _csv_records(lines, first)


def _json_records(lines: _Lines) -> Iterator[_Record]:
    while True:
        try:
            line = next(lines)
            if line.strip():
                yield lines.number, _json_object(line)
        except StopIteration:
            return
        except BadRow as problem:
            yield lines.number, problem


def _json_object(line: str) -> Mapping[str, Any]:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as problem:
        raise BadRow(f"the line is not JSON ({problem})") from None
    if not isinstance(record, dict):
        raise BadRow("the line is not a JSON object")
    return record


def _csv_records(lines: _Lines, header_line: str) -> Iterator[_Record]:
    delimiter = max(_DELIMITERS, key=header_line.count)
    lines.push_back(header_line)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        header = [name.strip().lower() for name in next(reader)]
    except (csv.Error, BadRow) as problem:
        yield lines.number, BadRow(f"the header of the CSV file cannot be read ({problem})")
        return
    missing = [name for name in REQUIRED if name not in header]
    repeated = sorted({name for name in header if header.count(name) > 1})
    if missing or repeated:
        yield lines.number, _bad_header(missing, repeated)
        return
    while True:
        number = lines.number + 1
        try:
            cells = next(reader)
            if any(cells):
                yield number, _csv_record(header, cells)
        except StopIteration:
            return
        except csv.Error as problem:
            yield number, BadRow(f"the CSV record that begins here cannot be read ({problem})")
        except BadRow as problem:
            yield number, problem


def _bad_header(missing: list[str], repeated: list[str]) -> BadRow:
    if repeated:
        return BadRow(f"the CSV header names {', '.join(repeated)} twice")
    return BadRow(
        "the file is not JSON Lines (its first line is not an object), and as CSV its header "
        f"lacks {', '.join(missing)}"
    )


def _csv_record(header: list[str], cells: list[str]) -> Mapping[str, str]:
    if len(cells) != len(header):
        raise BadRow(f"the record has {len(cells)} fields, the header {len(header)}")
    return dict(zip(header, cells, strict=True))

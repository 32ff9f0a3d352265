"""JSON Lines, JSON and CSV to records with their line numbers; JSON Lines and CSV of any size in little memory."""

import csv
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, Any

from django.utils.translation import gettext
from pydantic import BaseModel

LONGEST_LINE = 4 * 2**20
LARGEST_DOCUMENT = 256 * 2**20
"""Characters of a file that is one JSON document, which is read as a whole."""
HEADER_WITHIN = 10
"""Rows of a CSV file among which the header is looked for: spreadsheets put titles above it."""
MOST_SHOWN = 12
Record = dict[str, Any]
NO_COLUMNS: Mapping[str, str] = MappingProxyType({})
csv.field_size_limit(LONGEST_LINE)


@dataclass(frozen=True, slots=True)
class BadLine:
    """What cannot be imported, by the number of its line in the file (1 for the first), and why; `part` says what
    the number counts where it is no line."""

    line: int
    reason: str
    part: str = "line"


@dataclass(frozen=True, slots=True)
class PassedOver:
    """What of an export is no answer and stops no import: of which kind it is, for people."""

    kind: str


def records(
    file: IO[str],
    shape: type[BaseModel],
    columns: Mapping[str, str] = NO_COLUMNS,
    unless: Mapping[str, str] = NO_COLUMNS,
) -> Iterator[tuple[int, Record | BadLine]]:
    """The records of a JSON Lines, JSON or CSV file (known by the first character) with the number of the line where
    each begins, their fields in small letters; a record that lacks a field that `shape` requires is a bad line.

    `columns` names the column of a field where it is called otherwise, `unless` the field that makes another one
    needless where it holds something.
    """
    required = {name: unless.get(name, "") for name, field in shape.model_fields.items() if field.is_required()}
    rename = _renaming(columns, shape.model_fields)
    first = _first_sign(file)
    if not first:
        return
    found = _json_records(file, first) if first in "{[" else _csv_records(file, required, rename)
    for number, record in found:
        if not isinstance(record, BadLine):
            record = _named(number, record, required, rename)
        yield number, record


def whole_document(file: IO[str]) -> Any:
    """The one JSON value of a file. Raises ValueError with words for people."""
    file.seek(0)
    text = file.read(LARGEST_DOCUMENT + 1).removeprefix("\ufeff")
    if len(text) > LARGEST_DOCUMENT:
        raise ValueError(
            gettext("the file is larger than {most} MiB; split it").format(most=LARGEST_DOCUMENT // 2**20)
        )
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(gettext("the file is not JSON ({error})").format(error=error)) from error


def _first_sign(file: IO[str]) -> str:
    file.seek(0)
    first = file.read(1)
    while first.isspace() or first == "\ufeff":
        first = file.read(1)
    file.seek(0)
    return first


def _renaming(columns: Mapping[str, str], known: Collection[str]) -> Callable[[str], str]:
    """How the shape calls a column: "Citations (one for each line)" is `citations`."""
    fields = {_folded(column): field for field, column in columns.items()}

    def rename(name: str) -> str:
        key = _folded(name)
        plain = re.sub(r"\s*\([^()]*\)$", "", key)
        key = plain if plain in known else key
        return fields.get(_folded(name)) or (f"the other {key}" if key in columns else key)

    return rename


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _named(
    number: int, record: Record, required: Mapping[str, str], rename: Callable[[str], str]
) -> Record | BadLine:
    """The record with its fields called as the shape calls them."""
    named = {rename(name): value for name, value in record.items()}
    if len(named) < len(record) or isinstance(record, _Doubled):
        names = [rename(name) for name in record]
        twice = record.twice if isinstance(record, _Doubled) else next(n for n in names if names.count(n) > 1)
        return BadLine(number, gettext("the field “{twice}” is there twice; remove one").format(twice=twice))
    needed = [name for name, other in required.items() if not named.get(other)]
    return _lacking(number, named, needed) or named


def _lacking(number: int, names: Iterable[str], required: Collection[str]) -> BadLine | None:
    """Why a record, or the header of a table, cannot be read; None where it has all that is required."""
    there = [name for name in names if name]
    missing = [name for name in required if name not in there]
    if not missing:
        return None
    shown = ", ".join(name[:50] for name in there[:MOST_SHOWN]) + (", …" if len(there) > MOST_SHOWN else "")
    advice = gettext("Say which one is meant: {name}=NAME").format(name=missing[0])
    return BadLine(
        number,
        gettext("lacks {missing}; it has {names}. {advice}").format(
            missing=", ".join(missing), names=shown or gettext("nothing"), advice=advice
        ),
    )


class _Doubled(Record):
    """A JSON object that has one name twice."""

    twice: str


def _object(pairs: list[tuple[str, Any]]) -> Record:
    record = dict(pairs)
    if len(record) == len(pairs):
        return record
    doubled = _Doubled(record)
    names = [name for name, _ in pairs]
    doubled.twice = next(name for name in names if names.count(name) > 1)
    return doubled


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _json_records(file: IO[str], first: str) -> Iterator[tuple[int, Record | BadLine]]:
    if first == "[" or not _is_json(next((line for _, line in _lines(file) if line is None or line.strip()), "")):
        file.seek(0)
        text = file.read(LARGEST_DOCUMENT + 1)
        if first == "[" or _begins_with_document(text):
            yield from _parts(text)
            return
    file.seek(0)
    for number, line in _lines(file):
        if line is None:
            reason = gettext("the line is longer than {most} MiB; leave out what is not read, such as HTML")
            yield number, BadLine(number, reason.format(most=LONGEST_LINE // 2**20))
            continue
        if not line:
            continue
        try:
            record = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            record = BadLine(number, gettext("the line is not JSON ({error})").format(error=error))
        yield number, _object_or_bad(number, record)


def _object_or_bad(number: int, record: Any) -> Record | BadLine:
    if isinstance(record, dict | BadLine):
        return record
    return BadLine(number, gettext("is not a JSON object; write {…} for each answer"))


def _lines(file: IO[str]) -> Iterator[tuple[int, str | None]]:
    """The lines with their numbers, without white space around them; None for one that is too long."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        is_whole = len(line) < LONGEST_LINE or line.endswith("\n")
        yield number, line.strip("\ufeff \t\r\n") if is_whole else None
        while not is_whole and (line := file.readline(LONGEST_LINE)):
            is_whole = line.endswith("\n")


def _is_json(line: str | None) -> bool:
    try:
        json.loads(line or "")
    except (ValueError, RecursionError):
        return line is None
    return True


def _begins_with_document(text: str) -> bool:
    """Whether the file begins with an object over several lines, as "pretty" JSON has them."""
    try:
        _DECODER.raw_decode(text.lstrip("\ufeff \t\r\n"))
    except (ValueError, RecursionError):
        return False
    return len(text) <= LARGEST_DOCUMENT


def _parts(text: str) -> Iterator[tuple[int, Record | BadLine]]:
    """The values of a JSON array, or objects one behind the other."""
    if len(text) > LARGEST_DOCUMENT:
        size = LARGEST_DOCUMENT // 2**20
        reason = gettext("the file is one JSON array of more than {most} MiB; write one object on each line")
        yield 1, BadLine(1, reason.format(most=size))
        return
    between = re.compile(r"[\s,\ufeff]*")
    place = re.compile(r"[\s\ufeff]*\[?").match(text).end()  # type: ignore[union-attr]
    counted, number = 0, 1
    while (place := between.match(text, place).end()) < len(text) and text[place] != "]":  # type: ignore[union-attr]
        number += text.count("\n", counted, place)
        counted = place
        try:
            record, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            yield number, BadLine(number, gettext("what begins here is not JSON ({error})").format(error=error))
            return
        yield number, _object_or_bad(number, record)


def _csv_records(
    file: IO[str], required: Collection[str], rename: Callable[[str], str]
) -> Iterator[tuple[int, Record | BadLine]]:
    delimiter, place, row = _header(file, required, rename)
    names = [rename(name) for name in row]
    reader = csv.reader(_csv_lines(file), delimiter=delimiter, strict=True)
    for _ in range(place + 1):
        _next_row(reader)
    number = reader.line_num
    if twice := next((name for name in names if name and names.count(name) > 1), ""):
        reason = gettext("the header names the column “{twice}” twice; rename or remove one")
        yield number, BadLine(number, reason.format(twice=twice))
        return
    if bad := _lacking(number, names, required):
        yield number, BadLine(number, gettext("the header of the CSV file {reason}").format(reason=bad.reason))
        return
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = gettext("the record that begins here cannot be read ({error})")
            yield number, BadLine(number, reason.format(error=error))
            continue
        if any(cells[len(names) :]):
            reason = gettext("the record has {cells} cells, and the header {names}")
            yield number, BadLine(number, reason.format(cells=len(cells), names=len(names)))
        elif any(cells):
            yield number, {name: cell for name, cell in zip(row, cells, strict=False) if name or cell}


def _header(file: IO[str], required: Collection[str], rename: Callable[[str], str]) -> tuple[str, int, list[str]]:
    """The delimiter, the place of the header among the first rows, and its cells: what finds the most columns."""
    best: tuple[tuple[int, int, int], str, int, list[str]] = ((-1, 0, 0), ",", 0, [])
    for delimiter in (",", ";", "\t", "|"):
        reader = csv.reader(_csv_lines(file), delimiter=delimiter, strict=True)
        for place in range(HEADER_WITHIN):
            row = _next_row(reader)
            if row is None:
                break
            rank = (len({rename(name) for name in row} & set(required)), -place, len(row))
            best = max(best, (rank, delimiter, place, row), key=lambda each: each[0])
    return best[1:]


def _next_row(reader: Iterator[list[str]]) -> list[str] | None:
    """The next row, empty where it cannot be read; None at the end."""
    try:
        return next(reader, None)
    except csv.Error:
        return []


def _csv_lines(file: IO[str]) -> Iterator[str]:
    file.seek(0)
    yield file.readline().removeprefix("\ufeff")
    yield from file

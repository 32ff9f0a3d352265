"""Files of prompts as lines to paste: a CSV whose first line names its columns, or a text with a prompt on each line.

What comes out is the text of the paste form, so that a file is checked, shown and added by the same rules as what is
typed. Pure.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from apikeys.errors import invalid
from apikeys.text.sheets import BadFile, decoded, delimiter_of
from visibility.services.prompts.pasting import COLUMNS, MAX_LINES

MAX_FILE = 2**20
"""Bytes of one file: what it holds comes back with the form that adds it."""
_NAMES: Mapping[str, str] = {
    **{name: name for name in COLUMNS},
    **dict.fromkeys(("prompt", "question", "query", "keyword"), "text"),
    **dict.fromkeys(("category", "theme"), "topic"),
    **dict.fromkeys(("who asks", "who_asks"), "persona"),
    **dict.fromkeys(("language", "lang"), "locale"),
}
"""By the name of a column, in small letters: the field that it is."""


def lines_of_file(stream: BinaryIO, *, size: int | None) -> str:
    """The lines of a file as they would be pasted, each where it stands in the file as far as no cell has several
    lines; the header of a CSV is an empty line. Columns that are no field of a prompt are left out.

    `size` is what its sender says it has; a file that is longer is not read. Raises invalid_arguments for one that is
    too long, has too many lines or none, is no text, or whose quotes do not close.
    """
    if size is not None and size > MAX_FILE:
        raise invalid("file", f"The file has {size:,} bytes; at most {MAX_FILE:,} are taken. Cut it into several.")
    try:
        text = decoded(stream.read(MAX_FILE + 1), longest=MAX_FILE)
        lines = _rows(text) if _has_header(text) else _plain(text)
    except BadFile as problem:
        raise invalid("file", f"Line {problem.line}: {problem}.") from None
    if not any(line.strip() for line in lines):
        raise invalid("file", "The file has no prompt. Write one on each line, or a CSV with a column called prompt.")
    if len(lines) > MAX_LINES + 1:
        raise invalid("file", f"The file has {len(lines):,} lines; at most {MAX_LINES:,} are added at once. Cut it.")
    return "\n".join(lines)


def _plain(text: str) -> list[str]:
    """Lines as they are; a NUL or the like is refused with its line when it is checked."""
    return text.splitlines()


def _has_header(text: str) -> bool:
    """Whether the first line names a column of prompts."""
    first = next(iter(text.splitlines()), "")
    names = next(csv.reader([first], delimiter=delimiter_of(first)), []) if len(first) < 2_000 else []
    return any(_NAMES.get(_name(name)) == "text" for name in names)


def _rows(text: str) -> list[str]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    try:
        places = _places(next(reader))
        return ["", *(_line(cells, places) for cells in reader)]
    except csv.Error as problem:
        raise BadFile(f"the line cannot be read ({problem})", reader.line_num) from None


def _places(header: Sequence[str]) -> Mapping[str, int]:
    """By field the place of its column."""
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        field = _NAMES.get(_name(name))
        if field in places:
            raise BadFile(f"two columns are the {field}; leave one out")
        if field:
            places[field] = place
    return places


def _line(cells: Sequence[str], places: Mapping[str, int]) -> str:
    """The cells that are fields, between tabs; white space within one is a space."""
    ordered = [
        " ".join(cells[places[name]].split()) if places.get(name, len(cells)) < len(cells) else "" for name in COLUMNS
    ]
    return "\t".join(ordered).rstrip("\t") if any(ordered) else ""


def _name(name: str) -> str:
    return " ".join(name.split()).casefold()

"""Files of reviews: a table with a review in each line, as exports of shops and review sites have it. Pure."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import BinaryIO, Protocol

from apikeys.text.sheets import BadFile, decoded, delimiter_of
from visibility.services.imports.reader import BadLine
from visibility.services.imports.rows import BadRow
from visibility.services.reviews.rows import FIELDS, DateOrder, ImportedReview, parse_review

MAX_FILE = 20 * 2**20
"""Bytes of one file."""
MAX_COLUMNS = 200

NAMES: Mapping[str, Sequence[str]] = {
    "text": ("text", "review", "review_text", "reviewtext", "review_body", "body", "content", "comment", "bewertung"),
    "stars": ("stars", "rating", "star_rating", "score", "overall", "sterne"),
    "date": ("date", "day", "time", "review_date", "created_at", "published", "datum"),
    "url": ("url", "link", "review_url"),
    "id": ("id", "review_id", "key"),
    "title": ("title", "headline", "summary", "review_title", "titel"),
}
"""By field: the columns that are it unless others are named, in small letters."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is laid out, as far as it does not tell itself.

    `columns`: by field (text, stars, date, url, id, title) the column that is it. `header`: the names of the columns
    of a file whose first line is a review already. `quoted`: quote marks at the edge of a cell are no part of it.
    `encoding` where it is not UTF-8, nor UTF-16 that says so. `dates`: the order in which numbers of a date stand.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    header: Sequence[str] = ()
    quoted: bool = True
    encoding: str = "utf-8"
    dates: DateOrder = "iso"


def read_reviews(stream: BinaryIO, layout: Layout, today: date) -> Iterator[ImportedReview | BadLine]:
    """The reviews of a file, bad lines in their places; where the file as a whole cannot be read its one bad line
    says why."""
    try:
        text = decoded(stream.read(MAX_FILE + 1), longest=MAX_FILE, encoding=layout.encoding)
        lines, header = _table(text, layout)
        places = _places(header, layout.columns)
    except BadFile as problem:
        yield BadLine(problem.line, str(problem))
        return
    while True:
        number = lines.line_num + 1
        try:
            cells = next(lines)
            if any(cell.strip() for cell in cells):
                _require_as_wide(cells, header)
                values = {name: cells[place] for name, place in places.items()}
                yield parse_review(values, number, today, layout.dates)
        except StopIteration:
            return
        except csv.Error as problem:
            yield BadLine(number, f"the line cannot be read ({problem}); {_QUOTES}")
        except BadRow as problem:
            yield BadLine(number, str(problem))


_QUOTES = "where quote marks are letters of the text, say so (--no-quotes)"


class _Reader(Protocol):
    """A reader of the csv module."""

    line_num: int

    def __next__(self) -> list[str]: ...


def _table(text: str, layout: Layout) -> tuple[_Reader, list[str]]:
    """The lines behind the header, and the header."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter_of(text),
        strict=True,
        quoting=csv.QUOTE_MINIMAL if layout.quoted else csv.QUOTE_NONE,
    )
    try:
        names = list(layout.header) or next(reader)
    except StopIteration:
        raise BadFile("the file is empty") from None
    except csv.Error as problem:
        raise BadFile(f"the header cannot be read ({problem}); {_QUOTES}") from None
    header = [_name(name) for name in names]
    if len(header) > MAX_COLUMNS:
        raise BadFile(f"the file has more than {MAX_COLUMNS} columns")
    return reader, header


def _name(name: str) -> str:
    return "_".join(name.replace("-", " ").split()).casefold()


def _places(header: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    """By field the place of its column. A field of which nothing tells the column is not there; the text must be."""
    places = {}
    for name in FIELDS:
        wanted = [_name(columns[name])] if name in columns else NAMES[name]
        matches = [place for place, column in enumerate(header) if column in wanted]
        if len(matches) > 1:
            listed = " and ".join(dict.fromkeys(header[place] for place in matches))
            raise BadFile(f"more than one column may be the {name} ({listed}); name one (--column {name}=…)")
        if matches:
            places[name] = matches[0]
        elif name in columns:
            raise BadFile(f"the file has no column {columns[name]!r}; it has {', '.join(filter(None, header))[:300]}")
    if "text" not in places:
        raise BadFile("no column is called text or review; name the one that holds the reviews (--column text=…)")
    return places


def _require_as_wide(cells: Sequence[str], header: Sequence[str]) -> None:
    if len(cells) != len(header):
        raise BadRow(f"the line has {len(cells)} cells, the header {len(header)}")

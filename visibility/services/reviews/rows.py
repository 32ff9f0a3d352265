"""One line of a file of reviews: what its cells may hold. Pure."""

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import orjson

from apikeys.text.storable import UNSTORABLE
from visibility.models.evidence import MAX_REVIEW_TITLE, MAX_REVIEW_URL
from visibility.services.imports.rows import BadRow

MAX_REVIEW = 20_000
MAX_ID = 500
EARLIEST_YEAR = 1995
MAX_STARS = 5.0

FIELDS = ("text", "stars", "date", "url", "id", "title")
DateOrder = Literal["iso", "dmy", "mdy"]

_STARS = re.compile(
    r"(\d{1,3}(?:[.,]\d{1,4})?)(?:\s*(?:/|out of|von|sur|de)\s*(\d{1,3}))?(?:\s*(?:stars?|★))?", re.ASCII
)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?", re.ASCII | re.DOTALL)
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})", re.ASCII)
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})", re.ASCII)
_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ImportedReview:
    """A review of a file. `key` is the same whenever the same review comes; `line` is where it stands."""

    key: str
    text: str
    line: int
    title: str = ""
    stars: float | None = None
    day: date | None = None
    url: str = ""


def parse_review(cells: Mapping[str, str], line: int, today: date, dates: DateOrder = "iso") -> ImportedReview:
    """The review in the cells of one line, by field. Raises BadRow, also for a review of a day after `today`."""
    values = {name: _checked(name, cells.get(name, "")) for name in FIELDS}
    if not values["text"]:
        raise BadRow("the text is empty")
    stars, day = _stars(values["stars"]), _day(values["date"], today, dates)
    if values["url"] and not _URL.fullmatch(values["url"]):
        raise BadRow("the url is not an http or https address")
    identity = (
        ("id", values["id"])
        if values["id"]
        else ("review", _folded(values["text"]), _folded(values["title"]), stars, day, values["url"])
    )
    return ImportedReview(
        key=hashlib.sha256(orjson.dumps(identity)).hexdigest(),
        text=values["text"],
        line=line,
        title=values["title"],
        stars=stars,
        day=day,
        url=values["url"],
    )


_LONGEST = {
    "text": MAX_REVIEW,
    "title": MAX_REVIEW_TITLE,
    "url": MAX_REVIEW_URL,
    "id": MAX_ID,
    "stars": 50,
    "date": 100,
}


def _checked(name: str, cell: str) -> str:
    text = cell.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > _LONGEST[name]:
        raise BadRow(f"the {name} has {len(text):,} characters; at most {_LONGEST[name]:,} are accepted")
    if unstorable := UNSTORABLE.search(text):
        raise BadRow(f"the {name} holds the character U+{ord(unstorable[0]):04X}, which cannot be stored; remove it")
    return text


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _stars(cell: str) -> float | None:
    """Of five: `4`, `4,5`, `4.0 out of 5`, `8/10`."""
    if not cell:
        return None
    match = _STARS.fullmatch(cell.casefold())
    if match is None:
        raise BadRow("the stars are no number, such as 4, 4.5 or 8/10")
    of = float(match[2]) if match[2] else MAX_STARS
    stars = float(match[1].replace(",", ".")) / of * MAX_STARS if of else math.inf
    if stars > MAX_STARS:
        raise BadRow("the stars are more than 5; write of how many they are, such as 8/10")
    return round(stars, 2)


def _day(cell: str, today: date, dates: DateOrder) -> date | None:
    """The day, of a date or a time; with two orders of numbers the file's own has to be told."""
    if not cell:
        return None
    if match := _ISO.fullmatch(cell):
        year, month, day = map(int, match.groups())
    elif match := _DOTTED.fullmatch(cell):
        day, month, year = map(int, match.groups())
    elif match := _SLASHED.fullmatch(cell):
        first, second, year = map(int, match.groups())
        day, month = _ordered(first, second, dates)
    else:
        raise BadRow("the date is not written like 2025-05-24 or 24.05.2025")
    try:
        written = date(year, month, day)
    except ValueError:
        raise BadRow("the date names a day that does not exist") from None
    if year < EARLIEST_YEAR or written > today + timedelta(days=1):
        raise BadRow(f"the date is before {EARLIEST_YEAR} or in the future")
    return written


def _ordered(first: int, second: int, dates: DateOrder) -> tuple[int, int]:
    """Day and month of two numbers."""
    if dates == "iso":
        if first > 12 >= second:
            return first, second
        if second > 12 >= first:
            return second, first
        raise BadRow(
            "the date may be read in two ways; say in which order days and months stand (--dates dmy or mdy)"
        )
    return (first, second) if dates == "dmy" else (second, first)

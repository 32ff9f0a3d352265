"""Dates as people write them in English, German, French and Spanish, and the words that say what they are of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

_MONTHS = (
    "january jan januar jänner janvier enero ene", "february feb februar février févr fevrier febrero",
    "march mar märz maerz mrz mars marzo", "april apr avril avr abril abr", "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet juil julio", "august aug août aout agosto ago", "september sep sept septembre septiembre",
    "october oct oktober okt octobre octubre", "november nov novembre noviembre",
    "december dec dezember dez décembre déc diciembre dic",
)  # fmt: skip
MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_NAME = "|".join(sorted(MONTH, key=len, reverse=True))

_YEAR = re.compile(r"(?:19|20)\d\d")
_PATTERNS = (
    re.compile(r"(?<![\d\-/.])(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?![\d\-/])"),
    re.compile(
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?\s*(?:of\s+|de\s+)?(?P<n>{_NAME})\b\.?,?\s*(?:de\s+|del\s+)?(?P<y>(?:19|20)\d\d)(?!\d)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<n>{_NAME})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<y>(?:19|20)\d\d)(?!\d)", re.IGNORECASE
    ),
    re.compile(rf"(?<!\d)(?P<d>\d{{1,2}})[-\s](?P<n>{_NAME})[-\s](?P<y>(?:19|20)\d\d)(?!\d)", re.IGNORECASE),
    re.compile(r"(?<![\d/.])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>(?:19|20)\d\d)(?!\d)"),
    re.compile(r"(?<![\d/.])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>(?:19|20)\d\d)(?!\d)"),
    re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)年(?P<m>\d{1,2})月(?P<d>\d{1,2})日"),
)
_OF_A_MONTH = re.compile(rf"\b(?P<n>{_NAME})\b\.?,?\s+(?:del?\s+)?(?P<y>(?:19|20)\d\d)(?!\d)", re.IGNORECASE)

_NOUN = rf"update(?=\W*(?:(?:on|of|from|vom|du|del?)\s+)?(?:\d|(?:{_NAME})\b))"
"""Right before its date: elsewhere it is a verb, whose date is of something else."""
_UPDATED = re.compile(
    rf"\b(?:updated|{_NOUN}"
    r"|last (?:updated?|modified|reviewed|changed|edited|revised)|modified|revised|reviewed (?:by"
    r"|on \d)|as of|edited"
    r"|stand|aktualisiert|letzte (?:änderung|aktualisierung|bearbeitung)|geändert|zuletzt|überarbeitet"
    r"|mis(?:e)? à jour|actualisée?|modifiée?|dernière (?:mise à jour|modification)|màj|maj"
    r"|actualizad[oa]|última (?:actualización|modificación)|modificad[oa]|revisad[oa])\b",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"\b(?:published|posted|first published|publication date|written|created|released?|release date"
    r"|veröffentlicht|erschienen|publiziert|erstellt|publiée?|paru|posté|écrit"
    r"|publicad[oa]|fecha de publicación|escrito)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Day:
    """A date in a text, and the words that it is written in."""

    day: date
    quote: str

    def most_of(self, text: str) -> bool:
        """Whether the date stands nearly alone: a line such as `12 May 2026 · 5 min read`."""
        return len(self.quote) * 2 >= len(text) - 12


def day_in(text: str) -> Day | None:
    """The first date of a text. Between `3/4/2026` as March or April nothing decides: it is left out."""
    if not _YEAR.search(text):
        return None
    first: tuple[int, Day] | None = None
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if (day := _day(match)) and (first is None or match.start() < first[0]):
                first = match.start(), Day(day, match[0])
            break
    return first[1] if first else None


def months_in(text: str) -> Iterator[Day]:
    """The months that a text names with their year, each as its first day."""
    for match in _OF_A_MONTH.finditer(text):
        yield Day(date(int(match["y"]), MONTH[match["n"].lower()], 1), match[0])


def _day(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    try:
        if "a" in parts:
            one, two = int(parts["a"]), int(parts["b"])
            if one <= 12 and two <= 12 and one != two:
                return None
            day, month = (one, two) if two <= 12 else (two, one)
        else:
            month = MONTH[parts["n"].lower()] if parts.get("n") else int(parts["m"])
            day = int(parts["d"])
        return date(int(parts["y"]), month, day)
    except ValueError:
        return None


def updated_or_published(text: str) -> Literal["published", "modified", ""]:
    """What the words around a date say that it is; what is said first counts."""
    updated, published = _UPDATED.search(text), _PUBLISHED.search(text)
    if updated and (not published or updated.start() < published.start()):
        return "modified"
    return "published" if published else ""

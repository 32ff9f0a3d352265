"""The dates of a page: declared in structured data and meta elements, in time elements, and in words that people see.
Where nothing is declared or shown, an estimate that says it is one."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, Literal

from htmldate import find_date

from visibility.audit.page import Markup, Meta, PageDate, nodes_of
from visibility.audit.parse.day_words import day_in, updated_or_published
from visibility.audit.parse.document import Document, folded, of_another, text_of

MAX_DATES = 60
MAX_QUOTE = 120
MAX_VISIBLE_LINE = 160
"""Characters of a line that a date of the page stands in: longer ones are prose, whose dates are of other things."""
GUESS_CHARACTERS = 500_000
EARLIEST = date(1990, 1, 1)

Meaning = Literal["published", "modified", ""]

_PROPERTIES: dict[str, Meaning] = {
    "datePublished": "published", "dateModified": "modified", "dateCreated": "published", "uploadDate": "published",
}  # fmt: skip
_METAS: dict[str, Meaning] = {
    "article:published_time": "published", "article:modified_time": "modified", "og:updated_time": "modified",
    "datepublished": "published", "datemodified": "modified", "date": "published", "dc.date": "published",
    "dc.date.issued": "published", "dcterms.created": "published", "dcterms.date": "published",
    "dcterms.modified": "modified", "dc.date.modified": "modified", "last-modified": "modified",
    "pubdate": "published", "publishdate": "published", "sailthru.date": "published", "parsely-pub-date": "published",
    "article.published": "published", "article.updated": "modified", "revised": "modified", "lastmod": "modified",
    "og:published_time": "published", "og:article:published_time": "published", "article:published": "published",
    "article:modified": "modified", "cxenseparse:recs:publishtime": "published",
}  # fmt: skip
_ISO = re.compile(r"^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T\s,+Z])")
_COMPACT = re.compile(r"^\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:$|[T\s])")
_OF_OTHERS = ("Comment", "Review", "Event", "UserComments", "Answer")
"""Types whose dates are of something on the page, not of the page."""
_OF_OFFERS = ("priceValidUntil", "validThrough", "validFrom", "startDate", "endDate", "birthDate", "availabilityEnds")


def dates(page: Document, metas: tuple[Meta, ...], markup: tuple[Markup, ...], text: str) -> tuple[PageDate, ...]:
    """The dates of a page, as it declares and shows them; an estimate of htmldate where there is none of these."""
    days = [*_in_markup(markup), *_in_metas(metas), *_in_times(page), *_visible(page)]
    if not days and text:
        days = list(_guessed(page))
    return tuple(dict.fromkeys(days))[:MAX_DATES]


def without_days(text: str, days: Iterable[PageDate]) -> str:
    """The text without the dates that it shows: one that moves over the same text makes no new content."""
    for day in days:
        if day.source == "visible" and (match := day_in(day.quote)):
            text = text.replace(day.quote, day.quote.replace(match.quote, ""))
    return text


def read_day(text: str) -> date | None:
    """The day of a date as machines write it (ISO 8601, RFC 2822), or as people do; null where it is none."""
    for pattern in (_ISO, _COMPACT):
        if match := pattern.match(text):
            return _day(*map(int, match.groups()))
    day_match = day_in(text[:80])
    return day_match.day if day_match else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        parsed = date(year, month, day)
    except ValueError:
        return None
    return parsed if parsed >= EARLIEST and parsed.year < 2100 else None


def _in_markup(markup: tuple[Markup, ...]) -> Iterator[PageDate]:
    for block in markup:
        for node in nodes_of(block.nodes, without=_OF_OTHERS):
            if node.keys() & {"reviewBody", "reviewRating", "itemReviewed"}:
                continue
            for name, meaning in _PROPERTIES.items():
                for value in _texts(node.get(name)):
                    if day := read_day(value):
                        source: Literal["published", "modified"] = (
                            "modified" if meaning == "modified" else "published"
                        )
                        yield PageDate(day, source, f"{name} {value}"[:MAX_QUOTE], block.line, meaning)


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str) and text.strip()]


def _in_metas(metas: Iterable[Meta]) -> Iterator[PageDate]:
    for meta in metas:
        if (meaning := _METAS.get(meta.name)) and (day := read_day(meta.content)):
            yield PageDate(day, "meta", f"{meta.name} {meta.content}"[:MAX_QUOTE], meta.line, meaning)


def _in_times(page: Document) -> Iterator[PageDate]:
    for element in page.root.iter("time"):
        stamp, words_shown = (element.get("datetime") or "").strip(), text_of(element)
        if page.place(element) == "footer" or element.get("itemprop") in _OF_OFFERS or of_another(element):
            continue
        if day := read_day(stamp or words_shown):
            around = element.getparent()
            words = text_of(around)[:200] if around is not None else words_shown
            meaning = updated_or_published(words) or ("published" if element.get("pubdate") is not None else "")
            yield PageDate(day, "time", (words_shown or stamp)[:MAX_QUOTE], element.sourceline or 0, meaning)


def _visible(page: Document) -> Iterator[PageDate]:
    for line in page.lines:
        if len(line.text) > MAX_VISIBLE_LINE or line.place in ("footer", "navigation"):
            continue
        match = day_in(line.text)
        if match is None:
            continue
        meaning = updated_or_published(line.text)
        if (meaning or match.most_of(line.text)) and not of_another(line.element):
            yield PageDate(match.day, "visible", line.text[:MAX_QUOTE], line.line, meaning)


def _guessed(page: Document) -> Iterator[PageDate]:
    if len(page.source) > GUESS_CHARACTERS:
        return
    latest = (datetime.now() + timedelta(days=1)).strftime("%Y-%m-%d")
    try:
        estimate = find_date(page.root, extensive_search=False, original_date=True, max_date=latest)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return
    # A version (18.12.17) is no date: the year must stand on the page.
    if estimate and (day := read_day(estimate)) and str(day.year) in page.source:
        yield PageDate(day, "guess", folded(estimate))

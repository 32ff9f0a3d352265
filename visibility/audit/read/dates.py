"""The dates of a page: declared in structured data and meta elements, in time elements, and in words that people
see."""

import re
from collections.abc import Iterable, Iterator
from datetime import date

from lxml import html

from visibility.audit.facts import Markup, Meaning, Meta, PageDate
from visibility.audit.markup import nodes_in, texts_of
from visibility.audit.read.document import Document, around, text_of

MAX_LINE = 160
"""Characters of a line that can have a date of the page; longer ones are prose, with dates of other things."""
_PROPERTIES: dict[str, Meaning] = {
    "datePublished": "published",
    "dateModified": "modified",
    "dateCreated": "published",
    "uploadDate": "published",
}
_PUBLISHED_METAS = (
    "article:published_time article:published og:published_time datepublished date dc.date dc.date.issued "
    "dcterms.created dcterms.date pubdate publishdate sailthru.date parsely-pub-date article.published"
)
_MODIFIED_METAS = (
    "article:modified_time article:modified og:updated_time datemodified dcterms.modified dc.date.modified "
    "last-modified article.updated revised lastmod"
)
_METAS: dict[str, Meaning] = {
    **dict.fromkeys(_PUBLISHED_METAS.split(), "published"),
    **dict.fromkeys(_MODIFIED_METAS.split(), "modified"),
}
_MONTHS = (
    *("january jan januar jänner janvier enero ene", "february feb februar février févr fevrier febrero"),
    *("march mar märz mrz mars marzo", "april apr avril avr abril abr", "may mai mayo", "june jun juni juin junio"),
    *("july jul juli juillet juil julio", "august aug août aout agosto ago"),
    *("september sep sept septembre septiembre", "october oct oktober okt octobre octubre"),
    *("november nov novembre noviembre", "december dec dezember dez décembre déc diciembre dic"),
)
"""English, German, French, Spanish."""
MONTHS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_DAYS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\d\-/.]){_YEAR}[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?![\d\-/])",
        rf"(?<![\d/.])(?P<d>\d{{1,2}})\.\s?(?P<m>\d{{1,2}})\.\s?{_YEAR}(?!\d)",
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[-\s]{{0,2}}(?:of\s|de\s)?(?P<n>{_NAME})\b\.?,?[-\s]{{0,2}}"
        rf"(?:del?\s)?{_YEAR}(?!\d)",
        rf"\b(?P<n>{_NAME})\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s?,?\s{_YEAR}(?!\d)",
        rf"(?<!\d){_YEAR}年(?P<m>\d{{1,2}})月(?P<d>\d{{1,2}})日",
    )
)
_COMPACT = re.compile(r"\s*(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?:$|[T\s])")
_UPDATED = re.compile(
    r"\b(?:updated?|modified|revised|last (?:changed|edited|reviewed)|stand|aktualisiert|geändert|zuletzt"
    r"|mise? à jour|actualisée?|modifiée?|actualizad[oa]|modificad[oa])\b",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"\b(?:published|posted|written|created|veröffentlicht|erschienen|publiée?|paru|posté|publicad[oa])\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(r"comment|review|related|teaser|testimonial|recommend|sidebar|widget", re.IGNORECASE)
_OF_OFFERS = frozenset({"priceValidUntil", "validThrough", "validFrom", "startDate", "endDate", "birthDate"})


def dates(page: Document, metas: tuple[Meta, ...], markup: tuple[Markup, ...]) -> Iterator[PageDate]:
    """The dates of a page, as it declares and shows them."""
    yield from dict.fromkeys([*_in_markup(markup), *_in_metas(metas), *_in_times(page), *_in_text(page)])


def without_dates(text: str) -> str:
    """The text without the dates in it, as a new date alone makes no new content."""
    for pattern in _DAYS:
        text = pattern.sub("", text)
    return text


def first_day(text: str) -> tuple[date, str] | None:
    """The first date that a text writes out, with its words. 3/4/2026 is none: nothing says which month is meant."""
    matches = (match for pattern in _DAYS for match in [pattern.search(text)] if match)
    first = min(matches, key=lambda match: match.start(), default=None)
    day = _day(first) if first else None
    return (day, first[0]) if first and day else None


def _day(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    month = MONTHS[parts["n"].lower()] if parts.get("n") else int(parts["m"])
    try:
        day = date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return None
    return day if 1990 <= day.year < 2100 else None


def _read_day(text: str) -> date | None:
    """The day of a date as machines write it."""
    if match := _COMPACT.match(text):
        return _day(match)
    written = first_day(text[:80].replace("T", " ", 1))
    return written[0] if written else None


def _in_markup(markup: tuple[Markup, ...]) -> Iterator[PageDate]:
    for block in markup:
        for node in nodes_in(block.nodes):
            for name, meaning in _PROPERTIES.items():
                for value in texts_of(node, name):
                    if day := _read_day(value):
                        yield PageDate(day, "markup", meaning, f"{name} {value}"[:120], block.line)


def _in_metas(metas: Iterable[Meta]) -> Iterator[PageDate]:
    for meta in metas:
        if (meaning := _METAS.get(meta.name)) and (day := _read_day(meta.content)):
            yield PageDate(day, "meta", meaning, f"{meta.name} {meta.content}"[:120], meta.line)


def _in_times(page: Document) -> Iterator[PageDate]:
    for element in page.root.iter("time"):
        if page.place(element) == "footer" or element.get("itemprop") in _OF_OFFERS or _of_another(element):
            continue
        shown, stamp = text_of(element), (element.get("datetime") or "").strip()
        if day := _read_day(stamp or shown):
            parent = element.getparent()
            around = text_of(parent)[:200] if parent is not None and len(parent) < 20 else shown
            yield PageDate(day, "time", _meaning(around), (shown or stamp)[:120], element.sourceline or 0)


def _in_text(page: Document) -> Iterator[PageDate]:
    for line in page.lines:
        if len(line.text) > MAX_LINE or line.place in ("footer", "navigation"):
            continue
        written = first_day(line.text)
        if not written:
            continue
        meaning, nearly_alone = _meaning(line.text), len(written[1]) * 2 >= len(line.text) - 12
        if (meaning or nearly_alone) and not _of_another(line.element):
            yield PageDate(written[0], "text", meaning, line.text[:120], line.line)


def _meaning(text: str) -> Meaning:
    """The meaning of a date by the first of the words around it that has one."""
    updated, published = _UPDATED.search(text), _PUBLISHED.search(text)
    if updated and (not published or updated.start() < published.start()):
        return "modified"
    return "published" if published else ""


def _of_another(element: html.HtmlElement) -> bool:
    """Whether an element is in a comment, a review, or a teaser of another page, and so not about this page."""
    for up in around(element, 8):
        if up.tag in ("body", "html", "main"):
            return False
        named = f"{up.get('class') or ''} {up.get('id') or ''} {up.get('itemprop') or ''}"
        if up.tag == "aside" or (_OF_ANOTHER.search(named[:500]) and up.find(".//h1") is None):
            return True
    return False

"""Who a page names as its author, to people."""

import re

from lxml import html

from visibility.audit.page import Text
from visibility.audit.parse.document import Document, folded, of_another, text_of

MAX_BYLINES = 10
MAX_NAME = 80

_NAME = r"[^\W\d_][\w'’.\-]*(?:\s+[^\W\d_][\w'’.\-]*){0,4}"
_BY = re.compile(
    rf"^(?:(?i:(?:written|posted|published|reviewed|words|story|text)?\s*by|von|autor(?:in)?:?|par|por|author:?))[\s:]+({_NAME})"
)
_MARKED = (
    "//a[contains(concat(' ', @rel, ' '), ' author ')]"
    "|//*[contains(concat(' ', normalize-space(@itemprop), ' '), ' author ')][not(self::meta)]"
    "|//address[contains(concat(' ', normalize-space(@class), ' '), ' author ')]"
    "|//*[contains(concat(' ', normalize-space(@class), ' '), ' byline ')]"
    "|//*[contains(concat(' ', normalize-space(@class), ' '), ' author ')]"
    "|//*[contains(concat(' ', normalize-space(@class), ' '), ' author-name ')]"
)
_NOT_NAMES = re.compile(r"(?:written |posted |published )?(?:by|von|par|por|autor(?:in)?|author):?", re.IGNORECASE)
_SMALL = {"de", "van", "von", "der", "la", "le", "du", "di", "da", "and", "und", "et", "y", "of", "ten", "bin", "al"}


def bylines(page: Document) -> tuple[Text, ...]:
    """Names that the page marks as its author's or writes as a line of their own (`By Ada Lovelace`)."""
    names: dict[str, int] = {}
    marked = page.root.xpath(_MARKED)[:200] if "author" in page.source or "byline" in page.source else ()
    for element in marked:
        if page.place(element) != "footer" and not of_another(element) and (name := _marked_name(element)):
            names.setdefault(name, element.sourceline or 0)
    for line in page.lines:
        if len(line.text) > MAX_NAME * 2 or line.place in ("footer", "navigation"):
            continue
        by = _BY.match(line.text)
        if by and not of_another(line.element) and (name := _name(by[1])):
            names.setdefault(name, line.line)
    return tuple(Text(name, line) for name, line in list(names.items())[:MAX_BYLINES])


def _marked_name(element: html.HtmlElement) -> str:
    """The name in an element marked as the author's: of `<b>Ada Lovelace</b><i>Editor</i>` the first part."""
    parts = [folded(part) for part in element.itertext() if part.strip()]
    if parts and _NOT_NAMES.fullmatch(parts[0]):
        parts = parts[1:]
    if len(parts) > 1 and " " in (first := _name(parts[0])):
        return first
    return _name(text_of(element))


def _name(text: str) -> str:
    """The name in a byline: capitalised words, without what introduces or follows it; empty where it is none."""
    text = folded(text)
    if by := _BY.match(text):
        text = by[1]
    kept: list[str] = []
    for word in re.split(r"\s+", re.split(r"[,|•·(–—/]|\s-\s|\bon\b|\bam\b", text)[0].strip()):
        if not word or not (word[0].isupper() or word.lower() in _SMALL or not word[0].isascii()):
            break
        kept.append(word)
    name = " ".join(kept).strip(" :.-")
    return name if 3 <= len(name) <= MAX_NAME and 1 <= len(kept) <= 6 else ""

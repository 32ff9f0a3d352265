"""The form of an answer: what an engine makes of any question, whatever the answer says."""

import re
from typing import NamedTuple

_HEADING = re.compile(r"^ {0,3}#{1,6}\s", re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s", re.MULTILINE)
_BOLD = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$", re.MULTILINE)
_LINK = re.compile(r"\]\(\s*https?://|(?<!\()\bhttps?://")


class Form(NamedTuple):
    """Counts of one answer: characters, headings, items of lists, bold parts, rows of tables, links in the text, and
    sources named for it; `searched` is 1 or 0, None where that is not known."""

    length: float
    headings: float
    items: float
    bold: float
    tables: float
    links: float
    sources: float
    searched: float | None


FEATURES = Form._fields


def form_of(text: str, sources: int = 0, searched: bool | None = None) -> Form:
    """The form of an answer in Markdown or plain text."""
    headings, items, bold, tables, links = (
        len(pattern.findall(text)) for pattern in (_HEADING, _ITEM, _BOLD, _TABLE_ROW, _LINK)
    )
    return Form(len(text), headings, items, bold, tables, links, sources, None if searched is None else searched)

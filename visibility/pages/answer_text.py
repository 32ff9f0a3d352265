"""The text of an answer as a page shows it: line breaks, bold words, lists and tables, and the names in it marked.

It comes from strangers: every slice is escaped, and none of its addresses, images and HTML is used: a number leads to
a source that the page lists. Linear in the text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Literal

from django.utils.safestring import SafeString, mark_safe

Span = tuple[int, int]
Kind = Literal["text", "ul", "ol", "table", "hidden"]
LED: tuple[Kind, ...] = ("ul", "ol", "table")
PROSE: Kind = "text"
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_LEAD = re.compile(
    r"[ \t>]{0,20}(?:(?P<heading>#{1,6})[ \t]+|(?P<ul>[-*+•])[ \t]+|(?P<ol>\d{1,3}[.)])[ \t]+|(?P<table>\|))?"
)
_RULER = re.compile(r"[ \t|:*_-]{3,300}\n?\Z|[ \t]{0,20}```[^\n]{0,60}\n?\Z")
# A definition: the label of a source, and its address, with a title perhaps.
_DEFINITION = re.compile(
    r"[ ]{0,3}\[(?P<label>[^\[\]\n]{1,60})\]:[ \t]{0,9}<?(?P<url>https?://[^\s<>]{1,2000})>?"
    r"(?:[ \t]{1,9}(?:\"[^\n]*\"|'[^\n]*'|\([^\n]*\)))?[ \t]*$",
    re.MULTILINE,
)
# What is not shown: the address of a link or image, and the signs around bold, slanted and typed words.
_SIGNS = re.compile(
    r"""\\(?P<plain>[!-/:-@\[-`{-~])
      | !?\[(?P<words>[^\[\]\n]{0,300})\]\((?:[^()\s]|\([^()\s]{0,300}\)){0,2000}(?:\s"[^"\n]{0,300}")?\)
      | \[(?!\d{1,3}\])(?P<titled>(?:[^\[\]\n]|\[[^\[\]\n]{0,100}\]){1,300})\]\[(?P<of>[^\[\]\n]{1,60})\]
      | (?<!\D\])\[(?P<ref>\^?[1-9]\d{0,2})\](?![(:])
      | (?P<bold>\*\*|__)
      | (?<![\w*])[*](?=[^\s*])|(?<=[^\s*])[*](?![\w*])
      | `{1,2}""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A name at `start` to `end` of the raw text; `hue` is the class of its subject's colour."""

    start: int
    end: int
    hue: str


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the raw text: what it is part of, and the place of its words."""

    kind: Kind
    start: int
    end: int
    is_heading: bool = False


def definitions(text: str) -> dict[str, str]:
    """The addresses that an answer defines in lines such as "[1]: https://…", by their labels."""
    found = _DEFINITION.finditer(text) if "]:" in text else ()
    return {each["label"].casefold(): each["url"] for each in found}


def answer_html(text: str, marks: Sequence[Mark], refs: Mapping[str, int] | None = None) -> SafeString:
    """The answer as our HTML around its escaped words, without its definitions. `refs`: the number of the source on
    the page for each label in square brackets, in small letters."""
    pen = _Pen(text, sorted(marks, key=lambda mark: mark.start), refs or {})
    parts = [pen.block(kind, list(rows)) for kind, rows in groupby(_rows(text), key=lambda row: row.kind)]
    return mark_safe("".join(parts))  # noqa: S308 - each slice is escaped


def sentence_html(text: str, span: Span, marks: Sequence[Mark]) -> SafeString:
    """A stretch of an answer as one line of our HTML around its escaped words, with the marks in it."""
    start, end = span
    inside = [Mark(each.start - start, each.end - start, each.hue) for each in marks if start <= each.start < end]
    part = text[start:end]
    pen = _Pen(part, sorted(inside, key=lambda mark: mark.start), {})
    return mark_safe(" ".join(pen.line(row) for row in _rows(part) if row.kind != "hidden"))  # noqa: S308


def _rows(text: str) -> Iterator[_Row]:
    """The lines; an empty one parts paragraphs."""
    for found in _LINE.finditer(text):
        start, end = found.start(), found.start() + len(found[0].rstrip())
        if found[0].lstrip().startswith("|") and _RULER.match(found[0]):
            continue
        if end == start or _RULER.match(found[0]) or _DEFINITION.match(text, start, end):
            yield _Row("hidden", start, start)
            continue
        lead = _LEAD.match(text, start, end)
        kind = next((each for each in LED if lead and lead[each]), PROSE)
        yield _Row(kind, lead.end() if lead else start, end, is_heading=bool(lead and lead["heading"]))


class _Pen:
    """Writes rows in their order; marks are used up on the way."""

    def __init__(self, text: str, marks: Sequence[Mark], refs: Mapping[str, int]) -> None:
        self._text, self._marks, self._refs, self._next = text, marks, refs, 0
        self._defined = definitions(text).keys()

    def block(self, kind: Kind, rows: Sequence[_Row]) -> str:
        """Rows of one kind that follow each other."""
        match kind:
            case "ul" | "ol":
                first = (
                    re.search(r"\d+", self._text[max(0, rows[0].start - 8) : rows[0].start]) if kind == "ol" else None
                )
                opening = f'ol start="{int(first[0])}"' if first else kind
                return f"<{opening}>{''.join(f'<li>{self._words(row)}</li>' for row in rows)}</{kind}>"
            case "table":
                return f"<table><tbody>{''.join(map(self._cells, rows))}</tbody></table>"
            case "text":
                return f"<p>{'<br>'.join(map(self._words, rows))}</p>"
        return ""

    def line(self, row: _Row) -> str:
        """A row as a line, the cells of a table with dots between."""
        if row.kind == "table":
            return " · ".join(filter(None, (cell.strip() for cell in self._parts(row))))
        return self._stretch(row.start, row.end)

    def _cells(self, row: _Row) -> str:
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in self._parts(row))}</tr>"

    def _parts(self, row: _Row) -> Iterator[str]:
        """The cells of a row of a table."""
        at = row.start
        for cell in self._text[row.start : row.end].removesuffix("|").split("|"):
            yield self._stretch(at, at + len(cell))
            at += len(cell) + 1

    def _words(self, row: _Row) -> str:
        words = self._stretch(row.start, row.end)
        return f"<b>{words}</b>" if row.is_heading else words

    def _stretch(self, start: int, end: int, is_bold: bool = False) -> str:
        """Part of a line without the signs in it; bold ends with it."""
        parts, at = [], start
        for found in _SIGNS.finditer(self._text, start, end):
            label = found["ref"] or found["of"]
            source = self._refs.get(label.casefold()) if label else None
            if label and source is None and label.casefold() not in self._defined:
                continue
            parts.append(self._slice(at, found.start(), is_bold))
            if label:
                if found["titled"]:
                    parts.append(f"{self._stretch(*found.span('titled'), is_bold)} ")
                if source is not None:
                    parts.append(f'<a class="ref" href="#s{source}" aria-label="Source {source}">{source}</a>')
            elif found["plain"]:
                parts.append(self._slice(*found.span("plain"), is_bold))
            elif found["words"]:
                parts.append(self._stretch(*found.span("words"), is_bold))
            elif found["bold"]:
                is_bold = not is_bold
            at = found.end()
        return "".join([*parts, self._slice(at, end, is_bold)])

    def _slice(self, start: int, end: int, is_bold: bool) -> str:
        """A stretch that is shown as it is, with the marks in it."""
        parts, at = [], start
        while self._next < len(self._marks) and self._marks[self._next].start < end:
            mark = self._marks[self._next]
            low, high = max(mark.start, at), min(mark.end, end)
            if low < high:
                parts.append(escape(self._text[at:low]))
                parts.append(f'<mark class="{escape(mark.hue)}">{escape(self._text[low:high])}</mark>')
                at = high
            if mark.end > end:
                break
            self._next += 1
        parts.append(escape(self._text[at:end]))
        return f"<b>{''.join(parts)}</b>" if is_bold and start < end else "".join(parts)

"""Markdown that others wrote, as HTML: names marked at their places, notes set behind sentences.

It is read by the parser by which the detector reads answers, which tells the place of each piece in the raw text; so
what is marked here is what was counted. Every tag is one of those below, and everything else is escaped: no HTML and
no image of the text, links only where `links` lets them lead.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString

from apikeys.text.untrusted import clean
from visibility.detection.text.markdown import Piece, events, inline_piece, readable, tag_of
from visibility.pages.present.links import link_to

MAX_DEPTH = 20
"""Of lists, quotations and emphasis in each other; what lies deeper is shown without them."""

_LOWEST = 6
_BELOW = 3
"""Headings of an answer stand below that of the answer, which is one of the third level."""
_TAGS: Mapping[str, tuple[str, str]] = {
    "Paragraph": ('<p dir="auto">', "</p>"),
    "BlockQuote": ("<blockquote>", "</blockquote>"),
    "Item": ('<li dir="auto">', "</li>"),
    "Emphasis": ("<em>", "</em>"),
    "Strong": ("<strong>", "</strong>"),
    "Strikethrough": ("<s>", "</s>"),
    "CodeBlock": ('<pre dir="auto"><code>', "</code></pre>"),
    "HtmlBlock": ('<p class="raw" dir="auto">', "</p>"),
    "Image": ('<span class="image">', "</span>"),
    "Table": ('<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>', "</tbody></table></div>"),
    "TableHead": ("<thead><tr>", "</tr></thead><tbody>"),
    "TableRow": ("<tr>", "</tr>"),
}
_ALIGNED = frozenset({"Left", "Center", "Right"})
BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
"""The one tag of HTML that is heeded: tables have no other way to end a line."""
_NESTING = frozenset({"List", "BlockQuote", "Emphasis", "Strong", "Strikethrough"})
_OF_SENTENCES = frozenset({"Paragraph", "Heading", "TableCell", "Item", "HtmlBlock"})
"""Behind whose last sentence notes can stand."""
_CLOSED_TO_NOTES = frozenset({"Link", "Image", "CodeBlock"})


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to mark at `start:end` of the raw text: the class of the mark, and what it says when pointed at."""

    start: int
    end: int
    cls: str
    title: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something to set behind the sentence that ends before the character `place` of the raw text."""

    place: int
    html: SafeString


def markdown_html(text: str, marks: Iterable[Mark] = (), notes: Iterable[Note] = ()) -> SafeString:
    """The text as HTML; takes any string, in time linear in its length.

    Marks overlap nowhere. One that reaches across other markup is one `<mark title>` and goes on, without a title, as
    `<mark class="… on">`. A note stands behind its sentence, or as near behind it as something can stand.
    """
    source = readable(text)
    writer = _Writer(source, sorted(marks, key=lambda mark: mark.start), sorted(notes, key=lambda note: note.place))
    for name, what, start, end in events(source):
        writer.take(name, what, start, end)
    return writer.finished()


class _Writer:
    """Writes HTML from the events of the parser, which come in the order of the text."""

    def __init__(self, source: str, marks: Sequence[Mark], notes: Sequence[Note]) -> None:
        self._source = source
        self._html: list[str] = []
        self._ends: list[str] = []
        self._nesting = 0
        self._table = _Table()
        self._marks, self._next_mark = marks, 0
        self._marking: Mark | None = None
        self._entered: Mark | None = None
        self._notes, self._next_note = notes, 0
        self._closed_to_notes = 0
        self._cuts = sorted(
            {place for mark in marks for place in (mark.start, mark.end)} | {note.place for note in notes}
        )

    def take(self, name: str, what: Any, start: int, end: int) -> None:
        """Write what the parser met."""
        tag, details = tag_of(name, what)
        if name == "Start":
            self._open(tag, details, start)
        elif name == "End":
            self._close(tag, end)
        elif name == "Rule":
            self._html.append("<hr>")
        elif name == "Html":
            self._write(what, start, end)
        elif piece := inline_piece(self._source, name, what, start, end):
            self._write_piece(piece)

    def finished(self) -> SafeString:
        """The whole, with the notes that found no sentence."""
        self._html.extend(note.html for note in self._notes[self._next_note :])
        # Made of the tags of this module, of escaped text, and of notes that are safe themselves.
        return SafeString("".join(self._html))

    def _open(self, tag: str, details: Any, start: int) -> None:
        self._stop_marking()
        if tag == "List":
            self._write_notes(start)
        opening, ending = self._table.tags(tag, details) or _tags(tag, details)
        self._nesting += tag in _NESTING
        if tag in _NESTING and self._nesting > MAX_DEPTH:
            opening = ending = ""
        elif tag == "Item" and not self._ends[-1]:
            opening, ending = "<br>", ""
        self._closed_to_notes += tag in _CLOSED_TO_NOTES
        self._html.append(opening)
        self._ends.append(ending)

    def _close(self, tag: str, end: int) -> None:
        self._stop_marking()
        if tag in _OF_SENTENCES:
            self._write_notes(end)
        self._html.append(self._ends.pop())
        self._nesting -= tag in _NESTING
        self._closed_to_notes -= tag in _CLOSED_TO_NOTES

    def _write_piece(self, piece: Piece) -> None:
        if piece.kind == "hard" or (piece.kind == "tag" and BREAK.fullmatch(piece.text)):
            self._put("<br>")
        elif piece.kind == "code":
            self._put("<code>")
            self._write(piece.text, piece.start, piece.end)
            self._put("</code>")
        else:
            self._write(piece.text, piece.start, piece.end)

    def _put(self, tag: str) -> None:
        self._stop_marking()
        self._html.append(tag)

    def _write(self, text: str, start: int, end: int) -> None:
        """Write text that stands for a stretch of the source: cut where marks and notes are if it stands there letter
        for letter, else (an entity) as one thing."""
        if len(text) != end - start:
            self._write_stretch(text, start, end)
            return
        at = start
        for stop in (*self._cuts[bisect_right(self._cuts, start) : bisect_left(self._cuts, end)], end):
            self._write_stretch(text[at - start : stop - start], at, stop)
            at = stop

    def _write_stretch(self, text: str, start: int, end: int) -> None:
        mark = self._mark_over(start, end)
        if mark is not self._marking:
            self._stop_marking()
        if self._marking is None:
            self._write_notes(start)
            self._start_marking(mark)
        self._html.append(escape(clean(text)))

    def _mark_over(self, start: int, end: int) -> Mark | None:
        while self._next_mark < len(self._marks) and self._marks[self._next_mark].end <= start:
            self._next_mark += 1
        if self._next_mark < len(self._marks) and self._marks[self._next_mark].start < end:
            return self._marks[self._next_mark]
        return None

    def _start_marking(self, mark: Mark | None) -> None:
        if mark is None:
            return
        if mark is self._entered:
            self._html.append(f'<mark class="{escape(mark.cls)} on">')
        else:
            self._html.append(f'<mark class="{escape(mark.cls)}" title="{escape(mark.title)}">')
        self._marking = self._entered = mark

    def _stop_marking(self) -> None:
        if self._marking is not None:
            self._html.append("</mark>")
            self._marking = None

    def _write_notes(self, place: int) -> None:
        """Write those of the sentences that end here or before, where a note may stand."""
        while not self._closed_to_notes and self._next_note < len(self._notes):
            note = self._notes[self._next_note]
            if note.place > place:
                break
            self._html.append(note.html)
            self._next_note += 1


@dataclass(slots=True)
class _Table:
    """The tags of a table, by the column that is under way."""

    aligned: Sequence[str] = ()
    column: int = 0
    cell: str = "td"

    def tags(self, tag: str, details: Any) -> tuple[str, str] | None:
        """Those of a part of a table; None for all else."""
        match tag:
            case "Table":
                self.aligned = details
            case "TableHead" | "TableRow":
                self.column, self.cell = 0, "th" if tag == "TableHead" else "td"
            case "TableCell":
                return self._of_cell()
        return None

    def _of_cell(self) -> tuple[str, str]:
        aligned = self.aligned[self.column] if self.column < len(self.aligned) else ""
        self.column += 1
        cls = f' class="{aligned.lower()}"' if aligned in _ALIGNED else ""
        scope = ' scope="col"' if self.cell == "th" else ""
        return f'<{self.cell}{scope}{cls} dir="auto">', f"</{self.cell}>"


def _tags(tag: str, details: Any) -> tuple[str, str]:
    match tag:
        case "Heading":
            level = min(int(details["level"][1:]) + _BELOW, _LOWEST)
            return f'<h{level} dir="auto">', f"</h{level}>"
        case "List":
            return ("<ul>", "</ul>") if details is None else (f'<ol start="{int(details)}">', "</ol>")
        case "Link":
            return _link_tags(str(details["dest_url"]))
    return _TAGS.get(tag, ("", ""))


def _link_tags(address: str) -> tuple[str, str]:
    """Those of a link that says where it leads; none where it may not be followed."""
    link = link_to(address)
    if link is None or not link.href:
        return "", ""
    return f'<a href="{escape(link.href)}" title="{escape(link.label)}" rel="nofollow noreferrer">', "</a>"

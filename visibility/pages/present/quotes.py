"""Words that others wrote, quoted in a line: what Markdown means in them, without the Markdown."""

import re
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString

from apikeys.text.sentences import one_line, shortened
from visibility.detection.text.markdown import events, inline_piece, readable, tag_of
from visibility.pages.present.markdown import BREAK

MAX_QUOTE = 600
"""Letters of a quote that a page shows."""
_MAX_READ = 20 * MAX_QUOTE
"""Letters that are looked at, the addresses of links and all."""

_EMPHASIS = {"Strong": "strong", "Emphasis": "em", "Strikethrough": "s"}
_PARTS = frozenset({"Paragraph", "Heading", "Item", "TableCell", "TableRow", "CodeBlock", "HtmlBlock", "BlockQuote"})
_OPENING = ("*", "_", "~")
_CUT_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\Z")


def quote_html(text: str, most: int = MAX_QUOTE) -> SafeString:
    """The text as a line of HTML with strong and other emphasis; without links and marks of structure, those that its
    cut has left open among them. HTML stays text. Takes any string, and shows so many letters of it at most."""
    quote = _Quote(most)
    source = readable(_row(_CUT_LINK.sub(r"\1", text[:_MAX_READ])))
    for name, what, start, end in events(source):
        if name in ("Start", "End"):
            quote.turn(name, *tag_of(name, what))
        elif name == "Html":
            quote.write(BREAK.sub(" ", what))
        elif (piece := inline_piece(source, name, what, start, end)) and not _is_left_open(source, start, end):
            quote.write(" " if piece.kind == "hard" else BREAK.sub(" ", piece.text))
        if quote.is_full:
            break
    return quote.finished()


def _row(text: str) -> str:
    """A row of a table without its table as its cells, all else as it is."""
    line = text.strip()
    is_row = line.startswith("|") and "\n" not in line
    return " · ".join(cell.strip() for cell in line.strip("|").split("|")) if is_row else text


def _is_left_open(source: str, start: int, end: int) -> bool:
    """Whether this is one of two signs in a row that begin or end emphasis, whose other end was cut off."""
    sign = source[start:end]
    return sign in _OPENING and (source[end : end + 1] == sign or source[start - 1 : start] == sign)


class _Quote:
    """A quote under construction; what is between its parts is one space."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._length = 0
        self._html: list[str] = []
        self._open: list[str] = []
        self._is_parted = False
        self.is_full = False

    def turn(self, name: str, tag: str, details: Any) -> None:
        """Begin or end a part of the text."""
        if tag in _PARTS:
            self._is_parted = self._length > 0
        elif tag in _EMPHASIS and name == "Start":
            self._part()
            self._open.append(_EMPHASIS[tag])
            self._html.append(f"<{_EMPHASIS[tag]}>")
        elif tag in _EMPHASIS:
            self._html.append(f"</{self._open.pop()}>")

    def write(self, text: str) -> None:
        """Add text, with its white space as one space and no more of it than there is room for."""
        words = one_line(text)
        if text[:1].isspace():
            self._is_parted = self._length > 0
        if not words:
            return
        self._part()
        room = self._most - self._length
        self.is_full = len(words) > room
        self._html.append(escape(shortened(words, max(room, 1))))
        self._length += len(words)
        self._is_parted = text[-1].isspace()

    def _part(self) -> None:
        if self._is_parted:
            self._html.append(" ")
            self._length += 1
            self._is_parted = False

    def finished(self) -> SafeString:
        """The quote, with everything closed."""
        endings = [f"</{tag}>" for tag in reversed(self._open)]
        # Made of three tags and of escaped text.
        return SafeString("".join([*self._html, *endings]))

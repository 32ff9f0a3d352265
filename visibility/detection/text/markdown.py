"""An answer's Markdown (CommonMark, tables, struck text) as pieces that know where in the raw text they stand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from pyromark import Options, events_with_range

_OPTIONS = Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_MARKED = {
    "Strong": ("strong", "strong_end"),
    "Link": ("link", "link_end"),
    "Emphasis": ("mark", "mark"),
    "Strikethrough": ("mark", "mark"),
}
_WITHOUT_PROSE = frozenset({"Image", "CodeBlock", "HtmlBlock"})

Kind = Literal["text", "heading", "item", "cell"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the structure of the answer a block stands.

    `group` numbers lists and tables. `level` is the depth of a heading or list, 1 the outermost. `ordinal` is the
    number of the list item or table row, from 1 (0 is the head of the table), `column` that of the cell, from 0.
    `leads` where the block opens its item.
    """

    kind: Kind = "text"
    level: int = 0
    group: int = 0
    ordinal: int = 0
    column: int = 0
    leads: bool = True


class Link(NamedTuple):
    """Where a link leads, as it is written; the label of its definition, if it has one; whether it shows a bare
    address (`<https://…>`)."""

    href: str
    label: str
    is_address: bool


class Piece(NamedTuple):
    """Something inline that stands for `start:end` of the raw text.

    `text` is what is shown of it: for kinds `text` and `code` it is character for character what stands there, unless
    the lengths differ. A `tag` is HTML, `soft` and `hard` end lines; `link` and `strong` begin what their ends end,
    `mark` is other emphasis, and all of these span what they mark. An image is one piece and shows nothing.
    """

    kind: str
    text: str
    start: int
    end: int
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, table cell or HTML block at `start:end` of the raw text, which `content` holds.

    An HTML block has no pieces.
    """

    content: str
    start: int
    end: int
    pieces: Sequence[Piece]
    place: Place


@dataclass(slots=True)
class _Outline:
    """Follows the opening and closing of lists, tables and headings, to tell the place of each block."""

    lists: list[list[int]] = field(default_factory=list)
    groups: int = 0
    row: int = 0
    column: int = 0
    heading: int = 0
    in_cell: bool = False
    leads: bool = False

    def follow(self, name: str, tag: str, details: Any) -> None:
        """Take note of the start or the end of a block."""
        if name == "Start":
            self._open(tag, details)
        else:
            self._close(tag)

    def _open(self, tag: str, details: Any) -> None:
        match tag:
            case "List":
                self.groups += 1
                self.lists.append([self.groups, 0])
            case "Item":
                self.lists[-1][1] += 1
                self.leads = True
            case "Table":
                self.groups += 1
                self.row = -1
            case "TableHead" | "TableRow":
                self.row += 1
                self.column = -1
            case "TableCell":
                self.column += 1
                self.in_cell = True
            case "Heading":
                self.heading = int(details["level"][1:])

    def _close(self, tag: str) -> None:
        match tag:
            case "List":
                self.lists.pop()
            case "TableCell":
                self.in_cell = False
            case "Heading":
                self.heading = 0

    def take(self) -> Place:
        """The place of a block that stands here; what follows does not lead its list item."""
        leads, self.leads = self.leads, False
        if self.in_cell:
            return Place("cell", len(self.lists), self.groups, self.row, self.column)
        if self.heading and not self.lists:
            return Place("heading", self.heading)
        if self.lists:
            group, ordinal = self.lists[-1]
            return Place("item", len(self.lists), group, ordinal, leads=leads)
        return Place()


def parse(text: str) -> Iterator[Block]:
    """The blocks of a text that may hold prose, in order; code blocks and link definitions are left out.

    Takes any string. Offsets into `text` stay valid: NUL and halves of surrogate pairs are replaced, each by one
    other character.
    """
    source = readable(text)
    outline, pieces, silent = _Outline(), list[Piece](), 0
    for name, what, start, end in events(source):
        tag, details = tag_of(name, what)
        if not tag or tag in _MARKED:
            piece = _mark(tag, details, start, end, name) if tag else inline_piece(source, name, what, start, end)
            if piece and not silent:
                pieces.append(piece)
            continue
        if tag == "Image":
            if name == "Start" and not silent:
                pieces.append(Piece("image", "", start, end))
        elif pieces:
            yield _block(source, pieces, outline.take())
            pieces = []
        if tag == "HtmlBlock" and name == "Start":
            yield Block(source[start:end], start, end, (), outline.take())
        if tag in _WITHOUT_PROSE:
            silent += 1 if name == "Start" else -1
        else:
            outline.follow(name, tag, details)


def readable(text: str) -> str:
    """The text with NUL and halves of surrogate pairs replaced, each by one other character, as parsers need it."""
    return _UNREADABLE.sub("\ufffd", text)


def tag_of(name: str, what: Any) -> tuple[str, Any]:
    """What begins or ends, and what is told of it; empty for all else."""
    if name not in ("Start", "End"):
        return "", None
    return (what, None) if isinstance(what, str) else next(iter(what.items()))


def events(source: str) -> Iterator[tuple[str, Any, int, int]]:
    """What the parser meets in a `readable` text: its name, what is told of it, where it stands, in characters."""
    places = _places(source)
    for event, place in events_with_range(source, options=_OPTIONS):
        name, what = (event, "") if isinstance(event, str) else next(iter(event.items()))
        yield name, what, places[place["start"]], places[place["end"]]


def _places(source: str) -> Sequence[int]:
    """The place in characters of each place in bytes of UTF-8."""
    if source.isascii():
        return range(len(source) + 1)
    begins = np.frombuffer(source.encode(), np.uint8) & 0xC0 != 0x80
    return [0, *np.cumsum(begins).tolist()]


def _block(source: str, pieces: Sequence[Piece], place: Place) -> Block:
    start, end = pieces[0].start, pieces[-1].end
    return Block(source[start:end], start, end, pieces, place)


def _mark(tag: str, details: Any, start: int, end: int, name: str) -> Piece:
    kind = _MARKED[tag][name == "End"]
    if kind != "link":
        return Piece(kind, "", start, end)
    link = Link(details["dest_url"], details["id"], details["link_type"] in ("Autolink", "Email"))
    return Piece(kind, "", start, end, link)


def inline_piece(source: str, name: str, what: str, start: int, end: int) -> Piece | None:
    """An event that begins and ends nothing, as a piece; None where it is no part of a line."""
    match name:
        case "Text":
            return Piece("text", what, start, end)
        case "Code":
            return _code(source, what, start, end)
        case "InlineHtml":
            return Piece("tag", what, start, end)
        case "SoftBreak":
            return Piece("soft", "\n", start, end)
        case "HardBreak":
            return Piece("hard", "\n", start, end)
        case _:
            return None


def _code(source: str, shown: str, start: int, end: int) -> Piece:
    """Inline code at the place of what it shows: without its backticks, and without the spaces that part it from
    them."""
    written = source[start:end]
    ticks = len(written) - len(written.lstrip("`"))
    start, end = start + ticks, end - ticks
    # As many characters are left out where the code goes on in the next line of a quotation ("> ").
    parted = end - start == len(shown) + 2 and source[start + 1 : end - 1].replace("\n", " ") == shown
    return Piece("code", shown, start + parted, end - parted)


def closing(pieces: Sequence[Piece], opening: int) -> int:
    """The number of the piece that ends the link which the piece of number `opening` begins; links never nest."""
    return next(index for index in range(opening, len(pieces)) if pieces[index].kind == "link_end")

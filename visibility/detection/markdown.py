"""A CommonMark parser whose inline tokens know where in the raw text they stand.

markdown-it gives line numbers only. Here each inline token carries `meta["at"]`, an offset into the content of its
block, and `blocks` pairs each content with the place of its characters in the raw text.
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline, emphasis, image, strikethrough
from markdown_it.token import Token

Rule = Callable[[StateInline, bool], bool]

_TRIMMED = "".join(MD_TRIM_CHARS)
_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n|\Z)")


class _State(StateInline):
    """Notes the offset of each token as it is pushed."""

    _pending_at = 0

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self._pending_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:
        token = super().pushPending()
        token.meta["at"] = self._pending_at
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = self.pos
        return token


def _markers(rule: Rule) -> Rule:
    """Tell apart the tokens that a rule pushes at one place, one for each marker of a run such as `***`."""

    def run(state: StateInline, silent: bool) -> bool:
        first, start, at = len(state.tokens), state.pos, state.pos
        done = rule(state, silent)
        for token in state.tokens[first:]:
            if token.meta["at"] >= start:
                token.meta["at"] = at
                at += len(token.content)
        return done

    return run


def _image(state: StateInline, silent: bool) -> bool:
    """An image without its alternative text, which is not visible; so nothing nests, however deep it is written."""
    start = state.pos
    if not image(state, True):
        return False
    if not silent:
        end, state.pos = state.pos, start
        state.push("image", "img", 0)
        state.pos = end
    return True


class _Inline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _Parser(MarkdownIt):
    """Links are read for their place only: any target is valid and stays as it is written."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"maxNesting": 40, "store_labels": True})
        self.inline = _Inline()
        self.configure("commonmark", {"maxNesting": 40, "store_labels": True})
        self.enable(["table", "strikethrough"])
        self.disable(["fragments_join", "text_join"])
        self.inline.ruler.at("emphasis", _markers(emphasis.tokenize))
        self.inline.ruler.at("strikethrough", _markers(strikethrough.tokenize))
        self.inline.ruler.at("image", _image)

    def validateLink(self, url: str) -> bool:
        return True

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link


_PARSER = _Parser()


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


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, table cell or HTML block: its content, its inline tokens, its place in the raw text.

    `places` pairs offsets into the content with offsets into the raw text, ascending; between two of them the
    characters run in step. An HTML block has no tokens.
    """

    content: str
    tokens: Sequence[Token]
    places: Sequence[tuple[int, int]]
    place: Place = Place()

    def raw_parts(self, start: int, text: str) -> Iterator[tuple[str, int]]:
        """`text`, which stands at `start` of the content, in parts that run in step with the raw text."""
        end = start + len(text)
        index = max(0, bisect_right(self.places, (start, sys.maxsize)) - 1)
        at = start
        while at < end:
            place, raw = self.places[index]
            stop = min(end, self.places[index + 1][0]) if index + 1 < len(self.places) else end
            yield text[at - start : stop - start], raw + at - place
            at, index = stop, index + 1


class _Lines:
    """The lines of the raw text, by number, as markdown-it counts them."""

    def __init__(self, text: str) -> None:
        self.spans = [line.span(1) for line in _LINE.finditer(text)]
        self.text = text

    def paragraph(self, content: str, first: int, stop: int) -> list[tuple[int, int]]:
        """Where the lines of a paragraph's content stand: each ends a line of the raw text, from `first` on.

        Lines of odd white space at the paragraph's start are not part of its content, hence the search.
        """
        lines = content.split("\n")
        for skipped in range(stop - first - len(lines) + 1):
            if places := self._aligned(lines, first + skipped):
                return places
        raise ValueError("a paragraph that is not in its lines")

    def _aligned(self, lines: Sequence[str], first: int) -> list[tuple[int, int]] | None:
        places, offset = [], 0
        for line, (start, end) in zip(lines, self.spans[first : first + len(lines)], strict=True):
            trimmed = line.rstrip(_TRIMMED)
            wanted = trimmed.lstrip(" ")
            raw = self.text[start:end].rstrip(_TRIMMED)
            if not raw.endswith(wanted):
                return None
            places.append((offset + len(trimmed) - len(wanted), start + len(raw) - len(wanted)))
            offset += len(line) + 1
        return places

    def heading(self, content: str, line: int) -> list[tuple[int, int]]:
        """Where the content of a heading stands in its line."""
        start, end = self.spans[line]
        return [(0, self.text.index(content, start, end))]

    def cell(self, content: str, line: int, cursor: int) -> list[tuple[int, int]]:
        """Where the content of a table cell stands in its row, at `cursor` or after; its pipes are escaped there."""
        start, end = self.spans[line]
        found = self.text.index(content.replace("|", "\\|"), max(start, cursor), end)
        pipes = [index for index, char in enumerate(content) if char == "|"]
        return [(0, found)] + [(index, found + index + nth) for nth, index in enumerate(pipes, 1)]


class _Outline:
    """Follows the opening and closing of lists, tables and headings, to tell the place of each block."""

    def __init__(self) -> None:
        self._lists: list[list[int]] = []
        self._groups = 0
        self._row = self._column = self._heading = 0
        self._leads = False

    def follow(self, token: Token) -> None:
        """Take note of a token of the block level."""
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._groups += 1
                self._lists.append([self._groups, 0])
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._lists[-1][1] += 1
                self._leads = True
            case "table_open":
                self._groups += 1
                self._row = -1
            case "tr_open":
                self._row += 1
                self._column = -1
            case "th_open" | "td_open":
                self._column += 1
            case "heading_open":
                self._heading = int(token.tag[1])
            case "inline" | "html_block":
                self._leads, self._heading = False, 0

    def place(self, opening: str) -> Place:
        """The place of the block that `opening` opened."""
        if opening in ("th_open", "td_open"):
            return Place("cell", len(self._lists), self._groups, self._row, self._column)
        if self._heading and not self._lists:
            return Place("heading", self._heading)
        if self._lists:
            group, ordinal = self._lists[-1]
            return Place("item", len(self._lists), group, ordinal, leads=self._leads)
        return Place()


@lru_cache(maxsize=1)
def parse(text: str) -> Sequence[Block]:
    """The blocks of a text that may hold prose, in order; code blocks and link definitions are left out.

    Offsets into `text` stay valid: NUL is the only character that is replaced, by one other. The last text is kept:
    mentions, citations and untracked names of an answer are looked for one after the other.
    """
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    source = text.replace("\0", "\ufffd")
    lines, outline = _Lines(source), _Outline()
    opening, cursor, markup = "", 0, ""
    for token in _PARSER.parse(source):
        if token.type == "html_block" and token.map:
            start, end = lines.spans[token.map[0]][0], lines.spans[token.map[1] - 1][1]
            yield Block(source[start:end], (), [(0, start)])
        elif token.type == "inline" and token.map and token.content:
            if opening in ("th_open", "td_open"):
                places = lines.cell(token.content, token.map[0], cursor)
                cursor = places[-1][1] + len(token.content) - places[-1][0]
            elif opening == "heading_open" and markup == "#":
                places = lines.heading(token.content, token.map[0])
            else:
                places = lines.paragraph(token.content, *token.map)
            yield Block(token.content, token.children or (), places, outline.place(opening))
        outline.follow(token)
        opening, markup = token.type, token.markup[:1]

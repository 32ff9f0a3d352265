"""What a reader sees of an answer as prose: no link targets, citation labels, addresses, code blocks or markup."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from visibility.detection.addresses import canonical_url, host_of
from visibility.detection.mapped import MappedText
from visibility.detection.markdown import Block, parse
from visibility.detection.spans import Spans
from visibility.engines.protocol import Source

BREAK = "\0"
"""Parts stretches of prose that a name cannot reach across; it occurs nowhere else in visible text."""

_NOT_PROSE = re.compile(
    r"""(?<![^\n\0])[ \t]*\[\^?\d{1,4}\]:?[ \t][^\n\0]*://[^\n\0]*   # a line of a list of sources
      | \[[^\[\]\0]{0,300}\]\[\^?\d{1,4}\]                # [The Verge][1] where the definition is missing
      | \[\^?\d{1,4}\] | 【[^【】\0]{0,300}】                # [1], 【4†source】
      | (?i:https?://|(?<![\w.@-])www\.)[^\s<>\0]+
      | (?<![\w.@-])[\w-]++(?:\.[\w-]++)++(?<=[a-z]{2})/[^\s\0]*   # a host with a path
      | (?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+
    """,
    re.VERBOSE,
)
_HTML = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>?", re.DOTALL | re.IGNORECASE)
_LINE_TAG = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|th|h[1-6]|table|summary|details)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\^?\d{1,4}")


@dataclass(frozen=True, slots=True)
class VisibleText:
    """Visible text with its places in the raw text; `hidden` and `code` are stretches of `prose.text`.

    Nothing in a hidden stretch counts; in a stretch of inline code only a name that fills it counts.
    """

    prose: MappedText
    hidden: Spans
    code: Spans


def visible(text: str, sources: Sequence[Source] = ()) -> VisibleText:
    """The visible text of an answer in Markdown. Takes any string."""
    draft = _Draft(_titles(sources))
    for block in parse(text):
        draft.add(block)
    prose = draft.prose
    hidden = Spans(found.span() for found in _NOT_PROSE.finditer(prose.text))
    return VisibleText(prose, hidden, Spans(draft.code))


def _titles(sources: Sequence[Source]) -> Mapping[str, set[str]]:
    titles: dict[str, set[str]] = {}
    for source in sources:
        url = canonical_url(source.url)
        if url and source.title.strip():
            titles.setdefault(url, set()).add(_plain(source.title))
    return titles


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


class _Draft:
    """Gathers the prose of blocks."""

    def __init__(self, titles: Mapping[str, set[str]]) -> None:
        self.prose = MappedText()
        self.code: list[tuple[int, int]] = []
        self._titles = titles

    def add(self, block: Block) -> None:
        if block.tokens:
            self._inline(block)
        else:
            self._html(block)
        self._break()

    def _break(self) -> None:
        self.prose.substitute(BREAK, 0, 0)

    def _write(self, block: Block, at: int, text: str) -> None:
        for part, raw in block.raw_parts(at, text):
            self.prose.copy(part, raw)

    def _html(self, block: Block) -> None:
        done = 0
        for tag in _HTML.finditer(block.content):
            self._write(block, done, block.content[done : tag.start()])
            if _LINE_TAG.match(tag.group()) or tag.group(1):
                self._break()
            done = tag.end()
        self._write(block, done, block.content[done:])

    def _inline(self, block: Block) -> None:
        tokens, index, citing = block.tokens, 0, False
        while index < len(tokens):
            token = tokens[index]
            if token.type == "link_open":
                close = _closing(tokens, index)
                if self._is_label(token, tokens[index + 1 : close], citing):
                    self._break()
                    index = close
                else:
                    citing = False
            elif token.type in ("text", "text_special"):
                citing = token.content.rstrip().endswith("(") or (citing and not token.content.strip(" ,;"))
            if token.type != "link_open":
                self._token(block, token)
            index += 1

    def _token(self, block: Block, token: Token) -> None:
        at = token.meta["at"]
        match token.type:
            case "text":
                self._write(block, at, token.content)
            case "text_special":
                ((_, raw),) = block.raw_parts(at, token.markup[:1])
                self.prose.substitute(token.content, raw, len(token.markup))
            case "softbreak":
                self._write(block, at, "\n")
            case "code_inline":
                self._code(block, token)
            case "hardbreak" | "image":
                self._break()
            case "html_inline" if _LINE_TAG.match(token.content):
                self._break()

    def _code(self, block: Block, token: Token) -> None:
        at = token.meta["at"] + len(token.markup)
        written = block.content[at : at + len(token.content)].replace("\n", " ")
        start = self.prose.length
        self._write(block, at if written == token.content else at + 1, token.content)
        self.code.append((start, self.prose.length))

    def _is_label(self, opening: Token, inside: Sequence[Token], citing: bool) -> bool:
        """Whether a link names its source instead of speaking: `[text][3]`, an address, its own host.

        A link whose text is the title of its source is a label where it stands in parentheses; elsewhere,
        as at the head of a list item, it is how the answer names the thing itself.
        """
        if opening.info == "auto" or _NUMBER.fullmatch(opening.meta.get("label", "")):
            return True
        href = str(opening.attrs.get("href", ""))
        shown = _plain("".join(token.content for token in inside))
        address = shown.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
        if address and address == host_of(href).removeprefix("www."):
            return True
        return citing and shown in self._titles.get(canonical_url(href) or "", ())


def _closing(tokens: Sequence[Token], opening: int) -> int:
    index = opening + 1
    while tokens[index].type != "link_close":
        index += 1
    return index

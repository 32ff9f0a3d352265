"""What a reader sees of an answer as prose: no link targets, citation labels, addresses, code blocks or markup."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from visibility.detection.text.addresses import canonical_url, host_of, registrable_domain
from visibility.detection.text.mapped import MappedText
from visibility.detection.text.markdown import Block, Link, Piece, Place, closing
from visibility.detection.text.site_names import abbreviates, is_path, is_title, letters, names_site
from visibility.detection.text.spans import Spans
from visibility.engines.protocol import Source

BREAK = "\0"
"""Parts stretches of prose that a name cannot reach across; it occurs nowhere else in visible text."""

_NOT_PROSE = re.compile(
    r"""(?<![^\n\0])[ \t]*\[(?:\d{1,4}|\^[\w-]{1,20})\]:?[ \t][^\n\0]*://[^\n\0]*   # a line of a list of sources
      | \[[^\[\]\0]{0,300}\]\[\^?\d{1,4}\]                # [The Verge][1] where the definition is missing
      | \[\d{1,4}\] | \[\^[\w-]{1,20}\] | 【[^【】\0]{0,300}】                # [1], 【4†source】
    """,
    re.VERBOSE,
)
_HTML = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>?|&\#?\w{2,31};",
    re.DOTALL | re.IGNORECASE,
)
_LINE_TAG = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|th|h[1-6]|table|summary|details)\b", re.IGNORECASE)
_MARK_TAG = re.compile(r"</?su[bp]\b", re.IGNORECASE)
# What is typed or pressed, and the titles of works: quoted things, not what the answer speaks of.
_QUOTING_TAG = re.compile(r"<(/?)(?:kbd|samp|var|cite)\b", re.IGNORECASE)
_HEADLINE = re.compile(
    r"\s[|\u2013\u2014-]\s|[:?]|^(?:the\s)?(?:\d+\s|(?:best|top)\s\S+\s\S+|(?:how|why|review)\b)|(?:\S{1,80}\s){5}"
    r"|\breviews?\b"
)
_STOPS = (".", "!", "?", "\u3002", "\u2026")
_ENTRY = re.compile(
    r"(?<![^\n\0])[ \t]*\[(?P<number>\d{1,3}"
    r"|\^[\w-]{1,20})\]:?[ \t]+[^\n\0]{1,200}(?<![.!?\s])(?=[ \t]*(?:[\n\0]|\Z))"
)
_CITING = re.compile(r"\(\s*(?:(?:via|sources?|quellen?|fuentes?|fonti?|bron)\b\s?:?)?\s*\Z", re.IGNORECASE)
_MAX_CITING_LENGTH = 16
_MAX_TRAIL = 200
"""So many pieces of links behind a sentence are read on for other words."""
_NUMBER = re.compile(r"\^?\d{1,4}")


@dataclass(frozen=True, slots=True)
class VisibleText:
    """Visible text with its places in the raw text; all stretches are of `prose.text`.

    Nothing in a hidden stretch counts; in a stretch of inline code only a name that fills it counts. `starts` are
    where the lines of the answer start, in order, each with the place of its block; `bold` is in strong type, and
    `links` are what is linked, with the host that it leads to.
    """

    prose: MappedText
    hidden: Spans
    code: Spans
    bold: Spans
    links: Sequence[tuple[int, int, str]]
    starts: Sequence[tuple[int, Place]]


def visible(blocks: Iterable[Block], sources: Sequence[Source] = ()) -> VisibleText:
    """The visible text of an answer's blocks."""
    draft = _Draft(_titles(sources))
    for block in blocks:
        draft.add(block)
    prose = draft.prose
    hidden = Spans(
        [*draft.quoted, *(found.span() for found in _NOT_PROSE.finditer(prose.text)), *_entries(prose.text)]
    )
    return VisibleText(prose, hidden, Spans(draft.code), Spans(draft.bold), draft.links, draft.starts)


def as_typed(text: str) -> VisibleText:
    """A text without markup, such as a question, as visible text."""
    prose, nothing = MappedText(), Spans(())
    prose.copy(text.replace(BREAK, "\ufffd"), 0)
    return VisibleText(prose, nothing, nothing, nothing, (), [(0, Place())])


def _cites(end: str) -> bool:
    """Whether a text ends with a parenthesis that opens a citation: "(", "(via "."""
    return "(" in end and _CITING.search(end) is not None


def _entries(shown: str) -> Iterator[tuple[int, int]]:
    """The lines of a list of sources that is numbered like the markers in the text above it."""
    done = -1
    for entry in _ENTRY.finditer(shown):
        if done == entry.start() or shown.find(f"[{entry['number']}]", 0, entry.start()) >= 0:
            yield entry.span()
            done = entry.end() + 1


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
        self.bold: list[tuple[int, int]] = []
        self.quoted: list[tuple[int, int]] = []
        self.links: list[tuple[int, int, str]] = []
        self.starts: list[tuple[int, Place]] = []
        self._titles = titles
        self._place = Place()
        self._open: dict[str, int] = {}
        self._link = (0, "")
        self._has_words = False

    def add(self, block: Block) -> None:
        self._place = block.place
        self._start_line()
        if block.pieces:
            self._inline(block.pieces)
        else:
            self._html(block)
        self._break()

    def _break(self) -> None:
        self.prose.substitute(BREAK, 0, 0)

    def _start_line(self) -> None:
        self.starts.append((self.prose.length, self._place))
        self._has_words = False

    def _write(self, piece: Piece) -> None:
        self._has_words = self._has_words or any(map(str.isalpha, piece.text))
        if piece.end - piece.start == len(piece.text):
            self.prose.copy(piece.text, piece.start)
        else:
            self.prose.substitute(piece.text, piece.start, piece.end - piece.start)

    def _html(self, block: Block) -> None:
        done = 0
        for tag in _HTML.finditer(block.content):
            self.prose.copy(block.content[done : tag.start()], block.start + done)
            if tag.group().startswith("&"):
                self.prose.substitute(unescape(tag.group()), block.start + tag.start(), len(tag.group()))
            else:
                self._tag(tag.group())
            done = tag.end()
        self.prose.copy(block.content[done:], block.start + done)

    def _tag(self, tag: str) -> None:
        """What an HTML tag does to the text around it."""
        if _LINE_TAG.match(tag):
            self._break()
            self._start_line()
        elif _MARK_TAG.match(tag) or tag.startswith(("<script", "<style", "<template", "<noscript")):
            self._break()
        elif quoting := _QUOTING_TAG.match(tag):
            if not quoting[1]:
                self._open["quote"] = self.prose.length
            elif "quote" in self._open:
                self.quoted.append((self._open.pop("quote"), self.prose.length))

    def _inline(self, pieces: Sequence[Piece]) -> None:
        index, citing = 0, False
        while index < len(pieces):
            piece = pieces[index]
            if link := piece.link:
                close = closing(pieces, index)
                if self._is_label(link, pieces[index + 1 : close], citing or self._trails(pieces, close)):
                    self._break()
                    index = close
                    piece = pieces[close]
                else:
                    citing = False
                    self._link = (self.prose.length, link.href)
            elif piece.kind == "text":
                citing = _cites(piece.text[-_MAX_CITING_LENGTH:]) or (citing and not piece.text.strip(" ,;"))
            self._piece(piece)
            index += 1

    def _piece(self, piece: Piece) -> None:
        match piece.kind:
            case "text":
                self._write(piece)
            case "soft":
                self._write(piece)
                self._start_line()
            case "hard":
                self._break()
                self._start_line()
            case "code":
                start = self.prose.length
                self._write(piece)
                self.code.append((start, self.prose.length))
            case "image":
                self._break()
            case "tag":
                self._tag(piece.text)
            case "strong":
                self._open["bold"] = self.prose.length
            case "strong_end":
                self.bold.append((self._open.pop("bold", self.prose.length), self.prose.length))
            case "link_end":
                self.links.append((self._link[0], self.prose.length, self._link[1]))

    def _is_label(self, link: Link, inside: Sequence[Piece], citing: bool) -> bool:
        """Whether a link names its source instead of speaking: `[text][3]`, an address, its own host.

        In parentheses so does the name of the site and the title of the source. Elsewhere a title does where it is a
        headline behind other words; at the head of a list item it is how the answer names the thing itself.
        """
        if link.is_address or _NUMBER.fullmatch(link.label):
            return True
        href = link.href
        shown = _plain("".join(piece.text for piece in inside))
        if shown.startswith("[") and shown.endswith("]"):
            return True  # "[[1]](address)", "[[The Verge]](address)"
        address = shown.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
        host = host_of(href).removeprefix("www.")
        if address and (address == host or address.startswith(f"{host}/")):
            return True
        site = registrable_domain(host).split(".")[0]
        named = letters(shown).removeprefix("the")
        if citing and site and (named == site.replace("-", "").removeprefix("the") or abbreviates(site, shown)):
            return True
        if is_path(shown, href):
            return True
        if self._place.kind != "heading" and _HEADLINE.search(shown) and names_site(shown, host, href):
            return True
        titled = is_title(shown, self._titles.get(canonical_url(href) or "", ()))
        return titled and (citing or (self._has_words and _HEADLINE.search(shown) is not None))

    def _trails(self, pieces: Sequence[Piece], close: int) -> bool:
        """Whether a link stands alone behind a sentence, with nothing but other links after it in its line.

        A number alone is no sentence: the link behind "3." is what the entry is about.
        """
        if not self._has_words or not self.prose.ends_with(_STOPS):
            return False
        depth = 0
        for index in range(close + 1, min(close + 1 + _MAX_TRAIL, len(pieces))):
            piece = pieces[index]
            match piece.kind:
                case "soft" | "hard":
                    break
                case "link":
                    depth += 1
                case "link_end":
                    depth -= 1
                case "text" | "code" if not depth and piece.text.strip(" ,;|\u00b7()[]."):
                    return False
        return True

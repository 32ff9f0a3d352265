"""What a reader sees of an answer: prose and lines without markup, addresses, markers and code, with raw offsets."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

from visibility.detection.addresses import host_of, registrable_domain
from visibility.detection.folding import compose
from visibility.detection.splitting import BREAK, Kind, Line, begin, split

Span = tuple[int, int]


@dataclass(slots=True)
class Link:
    """A link whose words are at `start:end` of the visible text."""

    start: int
    end: int
    host: str


@dataclass
class Visible:
    """The visible text; `at` says which character of the composed text each of its own is, `places` where those stand
    in the raw text."""

    text: str
    at: Sequence[int]
    places: Sequence[int]
    lines: Sequence[Line]
    links: Sequence[Link]
    _starts: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        self._starts = [line.start for line in self.lines]

    def index_at(self, place: int) -> int:
        """The number of the line that a place of the visible text belongs to."""
        return max(0, bisect_right(self._starts, place) - 1)

    def line_at(self, place: int) -> Line:
        """The line itself."""
        return self.lines[self.index_at(place)]

    def raw_span(self, start: int, end: int) -> Span:
        """The span of a stretch of the visible text in the raw text."""
        return self.places[self.at[start]], self.places[self.at[end - 1] + 1]


_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(?:(?![ \t]*\1)[^\n]*\n)*(?:[ \t]*\1[^\n]*|[^\n]*\Z)", re.MULTILINE)
_HIDDEN_LINE = re.compile(
    r"""^[ \t]*\[(?:\d{1,4}|\^[\w-]{1,20})\]:?[ \t]+[^\n]*$   # definitions of links, lists of sources
      | ^(?=[^\n]*--)[ \t|:-]+$                              # rulers of tables and text
      | ^[ \t]*(?:\*{3,}|_{3,})[ \t]*$
    """,
    re.MULTILINE | re.VERBOSE,
)
# Marks of ChatGPT for what it cites, often without the private characters around them: "citeturn0search3".
_REFERENCE = re.compile(
    r"[\ue200-\ue20f]?(?:(?:file)?cite|navlist|products?)?[\ue200-\ue20f]?"
    r"(?:turn\d{1,3}[a-z]{2,12}\d{1,3}(?:L\d{1,5}(?:-L\d{1,5})?)?[\ue200-\ue20f]{0,2}){1,50}"
    r"|(?::?contentReference)?\[oaicite:[^\[\]\n]{0,40}\](?:\{index=\d{1,4}\})?"
)
_HIDDEN_TAGS = (("<!--", "-->"), ("<script", "</script"), ("<style", "</style"))
_INLINE = re.compile(
    r"""(?P<image>!\[[^\[\]\n]{0,300}\]\([^()\s]{0,2000}\))
      | \[(?P<words>(?:[^\[\]\n]|\[[^\[\]\n]{0,100}\]){1,300})\]
        \((?P<url>(?:[^()\s]|\([^()\s]{0,300}\)){0,2000})(?:\s{1,9}["'][^"'\n]{0,300}["'])?\)
      | (?P<marker>\[[^\[\]\n]{1,300}\]\[\^?[\w-]{1,20}\] | \[\^?\d{1,4}(?:,\s?\d{1,4}){0,9}\] | 【[^【】\n]{0,300}】)
      | (?P<address>(?:https?://|www\.)[^\s<>()\[\]]{1,2000})
      | (?P<escape>\\)(?=[!-/:-@\[-`{-~])
      | (?P<strong>\*\*|__)
      | (?P<mark>(?<![\w*])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\w*])|~~|`)
      | (?P<tag><(?=/[a-zA-Z] | [a-zA-Z][\w:-]{0,40}\s[^<>=\n]{0,200}= | (?i:a|abbr|article|aside|b|big|blockquote
          |body|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|head|header|hr
          |html|i|iframe|img|input|ins|kbd|li|link|main|mark|meta|nav|ol|p|picture|pre|q|s|samp|script|section|small
          |source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|var|video
          |wbr)[\s/>])[^<>\n]{1,200}>)
      | (?P<entity>&\#?\w{2,31};)
    """,
    re.VERBOSE,
)
_LEAD = re.compile(
    r"(?P<indent>[ \t>]*)(?:(?P<heading>\#{1,6})[ \t]+|(?P<cell>\|)"
    r"|(?P<item>[-*+•◦▪–]|(?P<number>\d{1,3}[.)]))[ \t\xa0]+)?"
)
_PARTING_TAG = re.compile(r"</?(?:br|p|li|ul|ol|div|tr|td|th|h\d|table)\b", re.IGNORECASE)
# What a search page prints of its own below an answer; seen below every answer of one engine.
_PAGE_END = re.compile(r"\s*(?:Map data ©[^\n]{0,200}?)?AI responses may include mistakes\.[^\n]{0,300}\Z")
_TAIL = 1_000
_LONG_ITEM = 440


def read(raw: str, titles: Iterable[str] = ()) -> Visible:
    """The visible text of an answer; a link with one of the `titles` of the sources only names its source."""
    text, places = compose(raw)
    end = found.start() if (found := _PAGE_END.search(text, max(0, len(text) - _TAIL))) else len(text)
    reader = _Reader(text[:end], {_plain(title) for title in titles if title})
    shown = "".join(reader.shown)
    lines = [part for line in reader.lines for part in _unbroken(shown, line)]
    return Visible(
        shown,
        reader.at,
        places,
        lines or [Line("text", 0, 0, 0, 0)],
        reader.links,
    )


def _unbroken(shown: str, line: Line) -> Iterator[Line]:
    """The lines that one row of the raw text really is: plain text and long items may have lost their line breaks."""
    if line.kind == "text":
        yield from split(shown, line.start, line.end)
    elif line.kind in ("item", "bold") and line.end - max(line.start, line.head) > _LONG_ITEM:
        first, *others = split(shown, line.body, line.end)
        yield Line(line.kind, line.start, first.end, line.body, min(line.head, first.end), line.level)
        yield from others
    else:
        yield line


class _Reader:
    """Reads row after row of Markdown into `shown`, `at`, `lines` and `links`."""

    def __init__(self, text: str, titles: set[str]) -> None:
        self._text = text
        self._titles = titles
        self._hidden = _hidden(text)
        self._bold_from: int | None = None
        self._bold: list[Span] = []
        self._row_start = 0
        self._table_row = 0
        self.shown: list[str] = []
        self.at: list[int] = []
        self.lines: list[Line] = []
        self.links: list[Link] = []
        done = 0
        for row in text.splitlines(keepends=True):
            self._read_row(done, done + len(row))
            done += len(row)

    def _read_row(self, start: int, end: int) -> None:
        self._bold, self._bold_from, self._row_start = [], None, len(self.shown)
        lead = _LEAD.match(self._text, start, end)
        if lead and lead["cell"]:
            self._read_cells(lead.end(), end)
            return
        if not (start < end and self._hidden[start]):
            self._table_row = 0
        if self._text[start:end].isspace():
            self._show("\n", end - 1)
            return
        body = lead.end() if lead else start
        first = len(self.shown)
        self._inline(body, end)
        if not self.shown or self.shown[-1] != "\n":
            self._show("\n", max(end - 1, 0))
        self.lines.append(self._line(lead, first, len(self.shown)))

    def _line(self, lead: re.Match[str] | None, first: int, last: int) -> Line:
        words = "".join(self.shown[first:last])
        body = first + begin(words, 0, len(words))
        bold = next((high for low, high in self._bold if low <= body < high), None)
        kind: Kind = "bold" if bold else "text"
        level = 0
        if lead and lead["heading"]:
            kind, level = "heading", len(lead["heading"])
        elif lead and lead["item"]:
            kind, level = "item", 1 + (len(lead["indent"].replace("\t", "    ")) > 1)
        head = bold if bold and kind != "heading" else last - 1
        return Line(kind, first, last, body, head, level, is_numbered=bool(lead and lead["number"]))

    def _read_cells(self, start: int, end: int) -> None:
        if self._hidden[start : start + 1] == b"\1":
            return
        done = start
        for column, cell in enumerate(self._text[start:end].rstrip().removesuffix("|").split("|")):
            first = len(self.shown)
            self._inline(done, done + len(cell))
            done += len(cell)
            self._show(BREAK, min(done, len(self._text) - 1))
            words = "".join(self.shown[first:])
            body = first + begin(words, 0, len(words))
            self.lines.append(
                Line("cell", first, len(self.shown), body, len(self.shown) - 1, row=self._table_row, column=column)
            )
            done += 1
        self._table_row += 1

    def _show(self, words: str, place: int) -> None:
        self.shown.append(words)
        self.at.append(place)

    def _copy(self, start: int, end: int) -> None:
        if not any(self._hidden[start:end]):
            self.shown.extend(self._text[start:end])
            self.at.extend(range(start, end))
            return
        for place in range(start, end):
            if not self._hidden[place]:
                self._show(self._text[place], place)

    def _inline(self, start: int, end: int) -> None:
        """Show a stretch without its inline markup; addresses and the like leave a break."""
        done = start
        for found in _INLINE.finditer(self._text, start, end):
            if self._hidden[found.start()]:
                continue
            self._copy(done, found.start())
            done = found.end()
            if found["words"] is not None:
                self._link(found)
            elif found["strong"]:
                self._toggle_bold()
            elif found["entity"]:
                self._show(unescape(found[0])[:1], found.start())
            elif not (found["escape"] or found["mark"] or (found["tag"] and not _PARTING_TAG.match(found["tag"]))):
                self._show(BREAK, found.start())
        self._copy(done, end)

    def _toggle_bold(self) -> None:
        if self._bold_from is None:
            self._bold_from = len(self.shown)
        else:
            self._bold.append((self._bold_from, len(self.shown)))
            self._bold_from = None

    def _link(self, found: re.Match[str]) -> None:
        host = host_of(found["url"])
        before = "".join(self.shown[max(self._row_start, len(self.shown) - 16) :])
        if _names_source(_plain(found["words"]), host, before, self._titles):
            self._show(BREAK, found.start())
            return
        first = len(self.shown)
        self._inline(*found.span("words"))
        self.links.append(Link(first, len(self.shown), host))


def _hidden(text: str) -> bytearray:
    """1 for each character of code blocks, comments, scripts, definitions of links and rulers, 2 for those of marks
    within a line."""
    hidden = bytearray(len(text))
    if "turn" in text or "oaicite" in text:
        for found in _REFERENCE.finditer(text):
            hidden[found.start() : found.end()] = b"\2" * (found.end() - found.start())
    spans = [match.span() for pattern in (_FENCE, _HIDDEN_LINE) for match in pattern.finditer(text)]
    for opening, closing in _HIDDEN_TAGS:
        start = text.find(opening)
        while start >= 0:
            stop = text.find(closing, start)
            end = stop + len(closing) if stop >= 0 else len(text)
            spans.append((start, end))
            start = text.find(opening, end)
    for start, end in spans:
        hidden[start:end] = b"\1" * (end - start)
    return hidden


_ADDRESS = re.compile(r"\[?\^?\d{1,4}\]?|\[.*\]|(?:https?://|www\.).*")
_OPENS_SOURCE = re.compile(r"\(\s*(?:(?:via|sources?)\b\s?:?)?\s*[\0, ]*\Z")
_BEHIND_SENTENCE = re.compile(r"[^\d][.!?…]\s*[(\0, ]*\Z")
_HEADLINE = re.compile(
    r"\s[|–—-]\s|[:?]|^(?:the\s)?(?:\d+\s|(?:best|top)\s\S+\s\S+|(?:how|why|review)\b)|(?:\S{1,80}\s){5}",
    re.IGNORECASE,
)


def _plain(words: str) -> str:
    return " ".join(re.sub(r"[*_`]", "", words).lower().split())


def _names_source(words: str, host: str, before: str, titles: set[str]) -> bool:
    """Whether a link only names its source: a number, its own address, or its site or title at a place of sources,
    in parentheses or behind the sentence."""
    if _ADDRESS.fullmatch(words):
        return True
    if host and (words.rstrip("/") == host or words.startswith(f"{host}/")):
        return True
    if not (_OPENS_SOURCE.search(before) or (len(before) > 3 and _BEHIND_SENTENCE.search(before))):
        return False
    letters = re.sub(r"[^a-z0-9]", "", words).removeprefix("the")
    site = registrable_domain(host).split(".")[0].replace("-", "").removeprefix("the")
    return (bool(site) and letters == site) or words in titles or _HEADLINE.search(words) is not None

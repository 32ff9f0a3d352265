"""Which sentences of an answer each of its sources supports.

Where the engine gave offsets with a source, they decide: the sentences that they touch. Else the markers do: `[2]`,
`[2, 3]`, `[label][2]`, footnotes, and links to the source. A marker supports the sentence that it stands in; one that
stands alone behind a sentence supports that sentence, also from a paragraph or list item of its own. A link that
shows its source's title is such a marker where something was said before it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from visibility.detection.citations.searches import is_search
from visibility.detection.text.addresses import canonical_url, host_of
from visibility.detection.text.markdown import Block, Piece, closing
from visibility.detection.text.reading import Reading
from visibility.detection.text.sentences import Span, count_words, sentence_spans
from visibility.detection.types import CitedSentence
from visibility.engines.protocol import Source

_MARK = "\0"
"""Stands for the characters of a marker in the prose of a block; it occurs nowhere else in it."""

_MARKER = re.compile(
    r"""(?P<listed>^[ \t]*\[\^?\d{1,4}\]:?[ \t][^\n]*://[^\n]*$)   # a line of a list of sources supports nothing
      | \[(?!\^?\d{1,4}\^?\])[^\[\]]{0,300}\]\[\^?(?P<labelled>\d{1,4})\]
      | \[\^?(?P<numbers>\d{1,4}(?:\s?[,;]\s?\d{1,4}){0,20})\^?\]
      | (?P<opaque>【[^【】]{0,300}】)
      | (?P<address>https?://[^\s<>()\[\]"\0]*[^\s<>()\[\]"\0.,;:!?])
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_ENCLOSED = re.compile(r"[(\[\uff08]\s*\0[\0\s,;]*[)\]\uff09]")
_TAG = re.compile(r"<[^<>]*>")
_MARKUP_AFTER = frozenset("*_~`")
_MARKUP = _MARKUP_AFTER | {"[", "\\"}
_LABEL = re.compile(r"\^?(\d{1,4})")
_WORD = re.compile(r"[^\W_]")
_ORDINAL = re.compile(r"\W*\d{1,3}[.)]\W*")


def attach(answer: Reading) -> list[CitedSentence]:
    """The sentences of an answer's prose in order, each with the canonical URLs of its sources that support it.

    Code blocks, link targets, markers, numbers of list items and lists of sources are no prose; links to the results
    of a search support nothing. Takes any string.
    """
    urls = [canonical_url(source.url) for source in answer.sources]
    titles = {(url, _words(source.title)) for url, source in zip(urls, answer.sources, strict=True) if source.title}
    reader = _Reader([url if url and not is_search(url) else None for url in urls], titles)
    for block in answer.blocks:
        reader.read(block)
    supports = _told_by_offsets(answer.sources, reader, len(answer.text))
    told = {url for url, _ in supports}
    supports += [(url, place) for url, place in reader.marked if url not in told]
    supporting: list[dict[str, None]] = [{} for _ in reader.sentences]
    for url, place in supports:
        supporting[place][url] = None
    # Splitting a sentence into words is slow, and nobody asks for those of sentences without a source.
    return [
        CitedSentence(start, end, count_words(shown) if urls else 0, tuple(urls))
        for (start, end, shown), urls in zip(reader.sentences, supporting, strict=True)
    ]


def spans_by_url(sentences: Iterable[CitedSentence]) -> Mapping[str, tuple[Span, ...]]:
    """The places of the sentences that each URL supports."""
    spans: dict[str, list[Span]] = {}
    for sentence in sentences:
        for url in sentence.urls:
            spans.setdefault(url, []).append((sentence.start, sentence.end))
    return {url: tuple(places) for url, places in spans.items()}


class _Reader:
    """Gathers the sentences of blocks as (start, end, prose), and which of them markers give to which URL."""

    def __init__(self, urls: Sequence[str | None], titles: Set[tuple[str | None, str]]) -> None:
        self.urls = urls
        self._titles = titles
        self.sentences: list[tuple[int, int, str]] = []
        self.marked: list[tuple[str, int]] = []
        self._known = frozenset(url for url in urls if url)

    def read(self, block: Block) -> None:
        """Add the sentences of the next block, and what its markers say."""
        prose = _Prose(block, self._titles)
        markers = sorted(prose.links + self._markers(prose), key=lambda marker: marker[0])
        shown = "".join(prose.characters)
        for enclosed in _ENCLOSED.finditer(shown):
            prose.blank(*enclosed.span())
        shown = "".join(prose.characters).replace(_MARK, " ")
        starts, done = [], 0
        for start, end in _sentences(shown, prose.breaks):
            sentence = shown[start:end]
            while start > done and block.content[start - 1] in _MARKUP and shown[start - 1] == " ":
                start -= 1
            while end < len(shown) and block.content[end] in _MARKUP_AFTER and shown[end] == " ":
                end += 1
            starts.append(start)
            self.sentences.append((block.start + start, block.start + end, sentence))
            done = end
        first = len(self.sentences) - len(starts)
        for at, url in markers:
            place = first + max(bisect_right(starts, at) - 1, 0 if starts else -1)
            if url in self._known and place >= 0:
                self.marked.append((url, place))

    def _markers(self, prose: "_Prose") -> list[tuple[int, str]]:
        """What the markers that are written out cite; they are taken out of the prose."""
        cited: list[tuple[int, str]] = []
        for marker in _MARKER.finditer("".join(prose.characters)):
            numbers = marker["labelled"] or marker["numbers"]
            if numbers:
                places = [int(number) for number in re.findall(r"\d+", numbers)]
                if not all(1 <= place <= len(self.urls) for place in places):
                    continue
                cited += [(marker.start(), self.urls[place - 1] or "") for place in places]
            elif marker["address"]:
                cited.append((marker.start(), canonical_url(marker["address"]) or ""))
            prose.blank(*marker.span())
        return cited


class _Prose:
    """The visible characters of a block at their places in its content; all else is blank.

    `links` holds each link's place and canonical URL, `breaks` the places of forced line ends. `titles` are the
    canonical URLs of sources with their titles.
    """

    def __init__(self, block: Block, titles: Set[tuple[str | None, str]]) -> None:
        self._titles = titles
        self.characters = [" "] * len(block.content)
        self.links: list[tuple[int, str]] = []
        self.breaks: list[int] = []
        self._start = block.start
        if block.pieces:
            self._inline(block.pieces)
        else:
            self._write(block.start, _TAG.sub(lambda tag: " " * len(tag[0]), block.content))

    def blank(self, start: int, end: int) -> None:
        """Take a marker out of the prose."""
        self.characters[start:end] = _MARK * (end - start)

    def _write(self, raw: int, text: str) -> None:
        at = raw - self._start
        self.characters[at : at + len(text)] = text

    def _inline(self, pieces: Sequence[Piece]) -> None:
        index, citing = 0, False
        while index < len(pieces):
            piece = pieces[index]
            if piece.link:
                index = self._link(pieces, index, citing)
            elif piece.kind == "text":
                citing = piece.text.rstrip().endswith("(") or (citing and not piece.text.strip(" ,;"))
            self._piece(piece)
            index += 1

    def _link(self, pieces: Sequence[Piece], index: int, citing: bool) -> int:
        """Note where a link leads. One that names its source instead of speaking is a marker as a whole."""
        opening, close = pieces[index], closing(pieces, index)
        href, label, is_address = opening.link or ("", "", False)
        start, end = opening.start - self._start, opening.end - self._start
        url = canonical_url(href) or ""
        self.links.append((start, url))
        shown = _words("".join(piece.text for piece in pieces[index + 1 : close]))
        names_source = shown.removeprefix("www.") == host_of(href).removeprefix("www.") or (
            (url, shown) in self._titles and any(_WORD.match(each) for each in self.characters[:start])
        )
        if is_address or _LABEL.fullmatch(label) or citing or names_source:
            self.blank(start, end)
            return close
        return index

    def _piece(self, piece: Piece) -> None:
        match piece.kind:
            case "text":
                self._write(piece.start, piece.text)
            case "code":
                self._write(piece.start, piece.text.replace("[", " "))
            case "soft":
                self._write(piece.start, "\n")
            case "hard":
                self.breaks.append(piece.start - self._start)


def _words(text: str) -> str:
    return " ".join(text.split()).casefold()


def _sentences(shown: str, breaks: Sequence[int]) -> Iterator[Span]:
    """The stretches of a block's prose that are sentences with a word in them; a forced line end ends one."""
    for begin, stop in zip([0, *breaks], [*breaks, len(shown)], strict=True):
        for start, end in sentence_spans(shown[begin:stop]):
            sentence = shown[begin + start : begin + end]
            if _WORD.search(sentence) and not _ORDINAL.fullmatch(sentence):
                start += len(sentence) - len(sentence.lstrip())
                yield begin + start, begin + start + len(sentence.strip())


def _told_by_offsets(sources: Sequence[Source], reader: _Reader, length: int) -> list[tuple[str, int]]:
    """The sentences that the engine's offsets touch; offsets of a mere marker mean the sentence before it."""
    if not reader.sentences:
        return []
    starts = [start for start, _, _ in reader.sentences]
    ends = [end for _, end, _ in reader.sentences]
    told = []
    for source, url in zip(sources, reader.urls, strict=True):
        if url and source.start is not None and source.end is not None and 0 <= source.start < source.end <= length:
            first, stop = bisect_right(ends, source.start), bisect_left(starts, source.end)
            places = range(first, stop) if first < stop else [max(0, stop - 1)]
            told += [(url, place) for place in places]
    return told

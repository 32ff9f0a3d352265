"""What an answer says of the brand: the clauses that speak of it, each with its sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from visibility.detection.text.entries import Entry, entries
from visibility.detection.text.lines import Lines
from visibility.detection.text.reading import Reading
from visibility.detection.text.sentences import sentence_spans
from visibility.detection.text.spans import Spans
from visibility.detection.types import BRAND
from visibility.evidence.page_words.page_words import LANGUAGES
from visibility.evidence.types import AnswerText

MAX_SENTENCE = 400
_LINE = re.compile(r"[^\n]+")
_MARKS = re.compile(r"[\s>#|]*(?:[*+•–-]\s+|\d{1,2}[.)]\s+)?")
_SHELF = re.compile(r"\d\.\d\(\d")
"""The rating and number of reviews of a product card: what stands there is a row of goods and no sentence."""
_GLUED = re.compile(r"(?<=[a-z)][.!?])(?=[A-Z\d])")
"""Where a sentence ends in text that lost its line ends: "with ANC.Audio-Technica ..."."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A clause at `first:last` of the sentence at `start:end` of an answer's raw text. `name`: that of the entry that
    it stands below, such as a product of the brand; empty where it names the brand itself."""

    start: int
    end: int
    first: int
    last: int
    name: str


def passages(answer: AnswerText) -> Iterator[Passage]:
    """What an answer says of the brand: in sentences that name it, up to where they speak of another, and below an
    entry of a list that is its own."""
    ours = Spans(answer.named[BRAND])
    others = Spans(span for subject, spans in answer.named.items() if subject != BRAND for span in spans)
    places = list(_places(answer, ours))
    for start, end in _sentences(answer.text):
        if end - start > MAX_SENTENCE or _SHELF.search(answer.text, start, end):
            continue
        name = next((name for begin, stop, name in places if begin <= start < stop), "")
        for first, last in _clauses(answer.text, start, end):
            if (name or ours.touches(first, last)) and not others.touches(first, last):
                yield Passage(start, end, first, last, name)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of each line, without the marks before it; the row of a table is one."""
    for line in _LINE.finditer(text):
        marks = _MARKS.match(line[0])
        begin = line.start() + (marks.end() if marks else 0)
        line_text = text[begin : line.end()].rstrip(" |")
        if line[0].lstrip().startswith("|"):
            yield begin, begin + len(line_text)
            continue
        for start, end in sentence_spans(line_text):
            cuts = [start, *(match.start() for match in _GLUED.finditer(line_text, start, end)), end]
            yield from ((begin + first, begin + last) for first, last in pairwise(cuts) if first < last)


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _parting().finditer(text, start, end):
        yield first, match.start()
        first = match.start()
    yield first, end


def _places(answer: AnswerText, ours: Spans) -> Iterator[tuple[int, int, str]]:
    """Where the answer speaks of an entry of the brand alone, with the name of the entry."""
    reading = Reading(answer.text)
    prose = reading.seen.prose
    listed = list(entries(reading.seen, reading.lines, asked=True))
    begins = sorted(entry.names[0][0] for entry in listed)
    for entry in listed:
        names = [prose.source_span(*name) for name in entry.names]
        if not all(ours.touches(*name) for name in names):
            continue
        begin = entry.names[0][0]
        stop = _stop(reading.lines, entry, next((other for other in begins if other > begin), len(prose.text)))
        if begin < stop:
            yield *prose.source_span(begin, stop), " ".join(answer.text[slice(*name)] for name in names)


def _stop(lines: Lines, entry: Entry, following: int) -> int:
    """Up to where an entry is spoken of: to the end of its line, and in the points below it."""
    at = lines.index_at(entry.names[0][0])
    place, stop = lines[at].place, min(entry.stop, following)
    if entry.rule not in ("heading", "list", "bold"):
        return stop
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if line.start >= following or (line.place.kind == "heading" and line.place.level <= place.level):
            break
        if entry.rule != "heading" and (
            line.place.kind != "item" or (place.kind == "item" and line.place.level <= place.level)
        ):
            break
        stop = line.end
    return min(stop, following)


@cache
def _parting() -> re.Pattern[str]:
    return re.compile(LANGUAGES.any_of(lambda words: [words.weighing.parting.pattern]))

"""Whom an answer names as good by a criterion: in words of praise beside it, where it speaks of that subject."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from visibility.detection.text.entries import Entry
from visibility.detection.text.entry_labels import introduces, is_end
from visibility.detection.text.heads import Head, heads
from visibility.detection.text.reading import Reading
from visibility.evidence.praise import Terms, praised
from visibility.evidence.vocabulary import AGAINST, Key

MAX_QUOTE = 200
_MAX_NAMED = 2
_FLAT, _ROW, _LOWEST = 20, 30, 1_000
_RANKS = {"bold": 7, "column": 8, "list": 9, "nested": 9, "flat": _FLAT, "row": _ROW}
_PART = re.compile(
    r"""[.!?\u2026]["\u201d\u2019)]*(?:\s+|(?=[A-Z]|\Z)) | [\n\0\xa0;]\s* | \)(?=[A-Z])
      | \s[\u2013\u2014]\s(?=\S+\s\S+\s\S)
      | ,?\s(?:but|however|although|though|while|whereas|despite|yet|except|aber|jedoch|mais|pero|aunque)\s""",
    re.VERBOSE,
)

Span = tuple[int, int]


class Praise(NamedTuple):
    """That an answer praises a subject for a criterion, in these words of the visible text; `is_named` where they
    name it."""

    subject: str
    key: Key
    span: Span
    is_named: bool


class _Passage(NamedTuple):
    """A stretch that speaks of the one thing that is offered at `name`; of nobody where `subject` is None."""

    start: int
    end: int
    rank: int
    subject: str | None
    name: Span | None


class Mentions:
    """Where in the visible text of an answer its subjects are named."""

    def __init__(self, reading: Reading, named: Mapping[str, Sequence[Span]]) -> None:
        self._source = reading.seen.prose.source_span
        self._spans = sorted((start, end, subject) for subject, spans in named.items() for start, end in spans)
        self._starts = [start for start, _, _ in self._spans]

    def within(self, start: int, end: int) -> Sequence[tuple[str, int]]:
        """The subjects that a stretch of the visible text names, each with where in the raw text."""
        first, last = self._source(start, end)
        low = bisect_left(self._starts, first)
        high = bisect_left(self._starts, last)
        return [(subject, place) for place, _, subject in self._spans[low:high]]


def praises(reading: Reading, offers: Sequence[Entry], mentions: Mentions, terms: Terms) -> Iterator[Praise]:
    """All praise of tracked subjects in an answer, in order; in time linear in its text."""
    prose = reading.seen.prose.text
    for passage in _passages(reading, offers, mentions):
        for start, end in _parts(prose, passage.start, passage.end):
            hits = list(praised(prose, start, end, terms))
            if hits:
                yield from _of_part(mentions, passage, (start, end), hits)


def _of_part(mentions: Mentions, passage: _Passage, part: Span, hits: Sequence[tuple[Key, Span]]) -> Iterator[Praise]:
    named = {subject for subject, _ in mentions.within(*part)}
    for key, place in hits:
        if passage.name is None:
            before = {subject for subject, _ in mentions.within(part[0], place[0])} if part[0] < place[0] else set()
            if 0 < len(named) <= _MAX_NAMED and before == named:
                yield from (Praise(subject, key, part, True) for subject in sorted(named))
        elif passage.subject is not None and named <= {passage.subject} and not _touch(place, passage.name):
            whole = min(part[0], passage.name[0]), max(part[1], passage.name[1])
            near = whole[1] - whole[0] <= MAX_QUOTE
            yield Praise(passage.subject, key, whole if near else part, near or bool(named))


def _parts(prose: str, start: int, end: int) -> Iterator[Span]:
    """The clauses of a stretch, without the space between them."""
    done = start
    for stop in _PART.finditer(prose, start, end):
        last = stop.start() + (prose[stop.start()] in ".!?\u2026)")
        if prose[done:last].strip():
            yield done, last
        done = stop.end()
    if prose[done:end].strip():
        yield done, end


def _passages(reading: Reading, offers: Sequence[Entry], mentions: Mentions) -> Iterator[_Passage]:
    """The whole visible text, parted by what its heads say that it speaks of; what is told against it is nobody's."""
    prose = reading.seen.prose.text
    names = sorted(name for entry in offers for name in entry.names)
    starts = [start for start, _ in names]
    owner, doubt = _Passage(0, 0, 0, None, None), _LOWEST
    current = owner
    for head in heads(reading.seen, reading.lines):
        rank = _rank(head)
        within = names[bisect_left(starts, head.start) : bisect_left(starts, head.stop)]
        is_doubt = not within and AGAINST.match(prose, head.start, head.end) is not None
        is_title = not within and head.rule == "flat" and _is_title(prose[head.start : head.end])
        if not (within or is_doubt or is_title) and rank > (owner.rank if owner.name else 0) and rank > doubt:
            continue
        if current.start < head.start:
            yield current._replace(end=head.start)
        if within:
            subjects = [subject for place in within for subject, _ in mentions.within(*place)]
            owner = _Passage(head.start, 0, rank, _only(subjects, within), within[0])
        elif is_title or rank <= owner.rank:
            owner = _Passage(head.start, 0, rank, None, None)
        doubt = rank if is_doubt else _LOWEST
        current = owner._replace(start=head.start, subject=None if is_doubt else owner.subject)
    yield current._replace(end=len(prose))


def _is_title(label: str) -> bool:
    """Whether it opens something else in flat text, which has no levels: "Other options"."""
    return introduces(label) or is_end(label)


def _touch(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _rank(head: Head) -> int:
    """How high a head stands: what is lower belongs to it."""
    return head.level if head.rule == "heading" else _RANKS[head.rule] + head.level


def _only(subjects: Sequence[str], names: Sequence[Span]) -> str | None:
    return subjects[0] if len(names) == 1 and len(set(subjects)) == 1 else None

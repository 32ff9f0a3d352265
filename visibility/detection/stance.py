"""What an answer says of a name: advised, merely told, warned of, advised against, or unknown; with the sentence.

Rules, the first that holds: the sentence knows nothing of the name; it advises against it; it warns; it advises it;
it only compares with it or tells facts; the head of its list, row or section decides; a sentence about it replies to
a request for advice; else neutral. The clause of the name counts, and sentences behind it that name nothing else.
"""

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from visibility.detection.lines import Line, Lines
from visibility.detection.matching import Match
from visibility.detection.phrases import (
    ADVICE_AFTER,
    ADVICE_BEFORE,
    ADVICE_TITLE,
    AGAINST_AFTER,
    AGAINST_BEFORE,
    AGAINST_TITLE,
    BESIDE,
    TOLD_OF,
    UNKNOWN,
    WARNING,
)
from visibility.detection.ranking import Rank
from visibility.detection.types import Stance

_REACH = 160
_BESIDE_REACH = 40
_FOLLOWING = 3
_JOINED = re.compile(r"[\s,/&*]*(?:\b(?:and|or|und|oder|et|ou|y|o|e|but also)\b)?[\s,*]*|\s*[\u3068\u548c\u3001]\s*")
_CLAUSE_END = re.compile(
    r";|\uff1b|\s[\u2014]\s|, (?:but|while|whereas|though)\s|\s(?:while|whereas|doch|mais|pero)\s"
)
_ASKS_FOR_ADVICE = re.compile(
    r"\b(?:best|top|recommend\w*|good|should|suggest\w*|worth|which \S+ (?!exist|are there)|who (?:has|makes|sells)"
    r"|where (?:do|can|should) I|beste\w*|welche\w*|wo|quel\w*|meilleure?s?|mejor\w*|cu\u00e1l)\b"
    r"|\u304a\u3059\u3059\u3081|\u63a8\u8350",
    re.IGNORECASE,
)
_LISTED = frozenset({"list", "heading", "bold"})
_TITLE_WORDS = 8


class Told(NamedTuple):
    """A stance, and the sentence in the visible text that shows it."""

    stance: Stance
    start: int
    end: int


class _Passage(NamedTuple):
    """The clause around a name, cut at it, and the sentences behind it that name nothing else; in small letters."""

    before: str
    after: str
    following: str


class Stances:
    """Reads the stances of the matches of one answer, which are sorted by place."""

    def __init__(self, matches: Sequence[Match], lines: Lines, prompt: str, ranks: Mapping[str, Rank]) -> None:
        self._matches = matches
        self._starts = [match.start for match in matches]
        self._lines = lines
        self._ranks = ranks
        self._asks = _ASKS_FOR_ADVICE.search(prompt) is not None

    def of(self, index: int) -> Told:
        """What the answer says of the match with this number, where it stands."""
        match = self._matches[index]
        line = self._lines.at(match.start)
        spans = self._lines.sentences(line)
        number = bisect_right(spans, (match.start, sys.maxsize)) - 1
        first, last = spans[number] if number >= 0 else (line.start, line.end)
        following = self._following(spans[number + 1 : number + 1 + _FOLLOWING]) if number >= 0 else ""
        passage = self._passage(index, line, (first, last), following)
        return Told(self._stance(match, line, passage), min(first, match.start), max(last, match.end))

    def _stance(self, match: Match, line: Line, passage: _Passage) -> Stance:
        before, after, following = passage
        row, title = self._row(match, line), self._title(line)
        if AGAINST_TITLE.match(row) or AGAINST_TITLE.search(title):
            return Stance.REJECTED
        if told := self._phrase(before, after, following):
            return told
        if ADVICE_TITLE.search(row):
            return Stance.RECOMMENDED
        if BESIDE.search(before[-_BESIDE_REACH:]) or TOLD_OF.search(after):
            return Stance.NEUTRAL
        if ADVICE_AFTER.search(after) or self._is_listed(match, line, passage, title):
            return Stance.RECOMMENDED
        return Stance.RECOMMENDED if self._answers(line, before, after) else Stance.NEUTRAL

    def _phrase(self, before: str, after: str, following: str) -> Stance | None:
        """The stance that a turn of phrase shows; None where none does."""
        if UNKNOWN.search(f"{before}\0{after}"):
            return Stance.NOT_FOUND
        if AGAINST_BEFORE.search(before) or AGAINST_AFTER.search(after) or AGAINST_AFTER.search(following):
            return Stance.REJECTED
        if WARNING.search(after) or WARNING.search(following):
            return Stance.CAUTIONED
        if ADVICE_BEFORE.search(before) or ADVICE_AFTER.search(following):
            return Stance.RECOMMENDED
        return None

    def _answers(self, line: Line, before: str, after: str) -> bool:
        """Whether the name is what a sentence in reply to a request for advice is about: named first, without
        reservation, with something said of it."""
        return self._asks and line.place.kind == "text" and not before.strip(" *\"'") and bool(after.strip(" .*:!"))

    def _is_listed(self, match: Match, line: Line, passage: _Passage, title: str) -> bool:
        """Whether the name heads an entry of the main list that answers a question for the best, or one that is
        praised in its own line or title."""
        ranks = [self._ranks[subject] for subject in match.subjects if subject in self._ranks]
        heads = line.place.kind != "text" or any(rank.rule in _LISTED for rank in ranks)
        if (
            not heads
            or not any(rank.rule in _LISTED for rank in ranks)
            or (line.place.kind == "item" and line.place.level > 1)
        ):
            return False
        praised = (
            ADVICE_TITLE.search(passage.before) or ADVICE_TITLE.search(passage.after) or ADVICE_TITLE.search(title)
        )
        return self._asks or praised is not None

    def _passage(self, index: int, line: Line, sentence: tuple[int, int], following: str) -> _Passage:
        """The words around a match up to the clauses that name others; names side by side share their words."""
        match = self._matches[index]
        start, end = max(sentence[0], match.start - _REACH), min(sentence[1], match.end + _REACH)
        first = last = index
        while first and self._matches[first - 1].end > start and self._joined(first - 1, line):
            first -= 1
        while last + 1 < len(self._matches) and self._matches[last + 1].start < end and self._joined(last, line):
            last += 1
        head, rear = self._matches[first].start, self._matches[last].end
        before, after = self._lines.shown[start:head], self._lines.shown[rear:end]
        if first and (cut := self._matches[first - 1].end) > start and self._names_other(first - 1, index):
            before = _CLAUSE_END.split(self._lines.shown[cut:head])[-1]
        following_match = self._matches[last + 1] if last + 1 < len(self._matches) else None
        if following_match and following_match.start < end and self._names_other(last + 1, index):
            after, following = _CLAUSE_END.split(self._lines.shown[rear : following_match.start])[0], ""
        return _Passage(before.lower(), after.lower(), following.lower())

    def _names_other(self, one: int, other: int) -> bool:
        return set(self._matches[one].subjects) != set(self._matches[other].subjects)

    def _joined(self, index: int, line: Line) -> bool:
        """Whether this match and the next stand side by side, as in "A, B and C"."""
        one, other = self._matches[index], self._matches[index + 1]
        gap = line.text[max(0, one.end - line.start) : max(0, other.start - line.start)]
        return len(gap) < 20 and _JOINED.fullmatch(gap) is not None

    def _following(self, spans: Sequence[tuple[int, int]]) -> str:
        """These sentences up to the first that names a subject."""
        told = []
        for start, end in spans:
            named = bisect_left(self._starts, start)
            if named < len(self._starts) and self._starts[named] < end:
                break
            told.append(self._lines.shown[start:end])
        return " ".join(told)

    def _row(self, match: Match, line: Line) -> str:
        """The other cells of the row of a table."""
        if line.place.kind != "cell" or line.place.ordinal == 0:
            return ""
        index = self._lines.index_at(match.start) + 1
        cells = []
        while index < len(self._lines):
            place = self._lines[index].place
            if (place.kind, place.group, place.ordinal) != ("cell", line.place.group, line.place.ordinal):
                break
            cells.append(self._lines[index].text)
            index += 1
        return " | ".join(cells).lower()

    def _title(self, line: Line) -> str:
        """The short line above a list: its heading or label. Empty for other lines."""
        if line.place.kind != "item":
            return ""
        index = self._lines.index_at(line.start) - 1
        while (
            index >= 0
            and self._lines[index].place.kind == "item"
            and self._lines[index].place.group == line.place.group
        ):
            index -= 1
        if index < 0 or len(self._lines[index].text.split()) > _TITLE_WORDS:
            return ""
        return self._lines[index].text

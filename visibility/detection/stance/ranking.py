"""The rank of each subject in an answer: the number of the first entry that it is offered in.

Entries are found without regard to who is tracked, so tracking more names changes nobody's rank. A subject that
stands in no entry has none: what is said of it elsewhere tells no place.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from visibility.detection.names.matching import Match
from visibility.detection.text.entries import Entry

_LEADING_WORDS = 2
"""So many words of an entry may stand before the name of its maker or line: "Restored Apple MacBook"."""


class Rank(NamedTuple):
    """1 for the first, and what its entry was found by: "list", "heading", "bold", "row", "flat" or "card"."""

    number: int
    rule: str


class Ranking:
    """Places matches in the entries of one answer, whose visible text is `shown`."""

    def __init__(self, entries: Sequence[Entry], shown: str) -> None:
        names = [(start, end, entry) for entry in entries for start, end in entry.names]
        self._names = sorted(names, key=lambda name: name[:2])
        self._starts = [start for start, _, _ in self._names]
        self._shown = shown
        self.size = max((entry.number for entry in entries), default=0)
        """How many picks the answer offers."""

    def entry_of(self, match: Match) -> Entry | None:
        """The entry that offers what a match names: it stands among its first words, or behind "by"."""
        index = bisect_right(self._starts, match.end - 1) - 1
        if index < 0:
            return None
        start, end, entry = self._names[index]
        if match.start >= end:
            return None
        before = self._shown[start : match.start].split()
        return entry if len(before) <= _LEADING_WORDS or before[-1].lower() == "by" else None

    def bounds_of(self, match: Match, line: tuple[int, int]) -> tuple[int, int]:
        """The stretch of a line that speaks of what a match names: inside its entry, up to the next one."""
        index = bisect_right(self._starts, match.start)
        low, high = line
        if index < len(self._starts):
            high = min(high, self._starts[index])
        if index:
            start, _, entry = self._names[index - 1]
            within = match.start < entry.stop
            low, high = max(low, start if within else entry.stop), min(high, entry.stop if within else high)
        return min(low, match.start), max(high, match.end)

    def of(self, matches: Sequence[Match]) -> Mapping[str, Rank]:
        """The rank of each subject of `matches`, which are sorted by place: the number of the first entry that it
        stands in."""
        ranks: dict[str, Rank] = {}
        for subject, entry in self._placed(matches):
            ranks.setdefault(subject, Rank(entry.number, entry.rule))
        return ranks

    def _placed(self, matches: Sequence[Match]) -> Iterator[tuple[str, Entry]]:
        for match in matches:
            if entry := self.entry_of(match):
                for subject in match.subjects:
                    yield subject, entry

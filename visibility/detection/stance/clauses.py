"""The words around a name that speak of it: its clause, the row of its table, the title of its list."""

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from visibility.detection.names.matching import Match
from visibility.detection.text.languages import is_foreign
from visibility.detection.text.lines import Line, Lines

_REACH = 160
_JOINED = re.compile(r"[\s,/&*]*(?:\b(?:and|or|und|oder|et|ou|y|o|e|but also)\b)?[\s,*]*|\s*[\u3068\u548c\u3001]\s*")
_CLAUSE_END = re.compile(
    r";|\uff1b|\s[\u2014]\s|, (?:but|while|whereas|though)\s|\s(?:while|whereas|doch|mais|pero)\s"
)
_SAYS = re.compile(r"[.:;!?\u2013\u2014-]\s\W*\w")
_TITLE_WORDS = 8
_MAX_LIST_LENGTH = 40
_MAX_ROW_LENGTH = 12


class Clause(NamedTuple):
    """What is said of a name: the words before and behind it, in small letters; where a name ends its line, the
    first sentence `below`; the other cells of its row; the title of its list. `abroad`: it may be in another language
    than English."""

    before: str
    after: str
    below: str
    cells: Sequence[str]
    title: str
    abroad: bool

    @property
    def whole(self) -> str:
        """The clause with NUL in place of the name."""
        return f"{self.before}\0{self.after}"


class Clauses:
    """Reads the clauses of the matches of one answer, which are sorted by place."""

    def __init__(self, matches: Sequence[Match], lines: Lines) -> None:
        self._matches = matches
        self._starts = [match.start for match in matches]
        self._ends = [match.end for match in matches]
        self._lines = lines

    def of(self, index: int) -> Clause:
        """The clause of the match with this number. Names side by side share their words."""
        match = self._matches[index]
        line = self._lines.at(match.start)
        before, after = self._around(index, line)
        abroad = not (before + after).isascii() or is_foreign(line.text)
        below = self._below(match, line)
        return Clause(
            _plain(before), _plain(after), _plain(below), self._cells(match, line), self._title(line), abroad
        )

    def _around(self, index: int, line: Line) -> tuple[str, str]:
        """The words of its sentence up to the clauses that name others."""
        match, shown = self._matches[index], self._lines.shown
        sentence = self._sentence(match, line)
        start, end = max(sentence[0], match.start - _REACH), min(sentence[1], match.end + _REACH)
        first, last = self._rows[index]
        first = max(first, min(index, bisect_right(self._ends, start)))
        last = min(last, max(index, bisect_left(self._starts, end) - 1))
        head, rear = self._matches[first].start, self._matches[last].end
        before, after = shown[start:head], shown[rear:end]
        if first and (cut := self._matches[first - 1].end) > start and self._names_other(first - 1, index):
            before = _CLAUSE_END.split(shown[cut:head])[-1]
        if (
            last + 1 < len(self._matches)
            and self._matches[last + 1].start < end
            and self._names_other(last + 1, index)
        ):
            after = _CLAUSE_END.split(shown[rear : self._matches[last + 1].start])[0]
        return before, after

    def _sentence(self, match: Match, line: Line) -> tuple[int, int]:
        spans = self._lines.sentences(line)
        number = bisect_right(spans, (match.start, sys.maxsize)) - 1
        return spans[number] if number >= 0 else (line.start, line.end)

    def _names_other(self, one: int, other: int) -> bool:
        return set(self._matches[one].subjects) != set(self._matches[other].subjects)

    @cached_property
    def _rows(self) -> Sequence[tuple[int, int]]:
        """For each match the first and the last of those that stand side by side with it, as in "A, B and C"."""
        rows: list[tuple[int, int]] = []
        first, last = 0, len(self._matches) - 1
        for index in range(len(self._matches)):
            if index == last or not self._joined(index):
                rows += [(first, index)] * (index - first + 1)
                first = index + 1
        return rows

    def _joined(self, index: int) -> bool:
        """Whether this match and the next stand side by side."""
        gap = self._lines.shown[self._matches[index].end : self._matches[index + 1].start]
        return len(gap) < 20 and _JOINED.fullmatch(gap) is not None

    def _below(self, match: Match, line: Line) -> str:
        """The first sentence of the next line, where nothing but the rest of its title follows a name."""
        index, shown = self._lines.index_at(match.start) + 1, self._lines.shown
        if index >= len(self._lines) or _SAYS.search(shown, match.end, min(line.end, match.end + _REACH)):
            return ""
        start, end = next(iter(self._lines.sentences(self._lines[index])), (0, 0))
        return shown[start : min(end, start + _REACH)]

    def _cells(self, match: Match, line: Line) -> Sequence[str]:
        """The other cells of the row of a table."""
        if line.place.kind != "cell" or line.place.ordinal == 0:
            return ()
        index = self._lines.index_at(match.start) + 1
        cells: list[str] = []
        while index < len(self._lines) and len(cells) < _MAX_ROW_LENGTH:
            place = self._lines[index].place
            if (place.kind, place.group, place.ordinal) != ("cell", line.place.group, line.place.ordinal):
                break
            cells.append(self._lines[index].text.lower().strip(" *_"))
            index += 1
        return cells

    def _title(self, line: Line) -> str:
        """The short line above a list: its heading or label. Empty for other lines."""
        if line.place.kind != "item":
            return ""
        index = self._lines.index_at(line.start) - 1
        last = max(0, index - _MAX_LIST_LENGTH)
        while index >= last and (self._lines[index].place.kind, self._lines[index].place.group) == (
            "item",
            line.place.group,
        ):
            index -= 1
        if index < last or len(self._lines[index].text.split()) > _TITLE_WORDS:
            return ""
        return self._lines[index].text.lower()


def _plain(text: str) -> str:
    return text.lower().replace("\u2019", "'")

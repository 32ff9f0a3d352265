"""The lines of an answer as a reader sees them, with their role: heading, list item, table cell, plain text."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from visibility.detection.text.markdown import Place
from visibility.detection.text.sentences import sentence_spans
from visibility.detection.text.visible import BREAK, VisibleText

_BULLET = re.compile(r"\s*(?P<sign>[\u2022\u25e6\u25aa\u2023\u25cf\u25cb\u2013\u2043*-]|\d{1,3}[.)])\s+")
_WIDE_STOP = re.compile(r"[\u3002\uff01\uff1f\uff0e](?:[\u300d\u300f\u201d])?")


@dataclass(frozen=True, slots=True)
class Line:
    """A line at `start:end` of the visible text; `body` is where its words begin, behind a bullet typed as text."""

    start: int
    end: int
    body: int
    place: Place
    text: str


class Lines:
    """All lines of a visible text, in order."""

    def __init__(self, seen: VisibleText) -> None:
        self._seen = seen
        self._starts = [start for start, _ in seen.starts]
        self._lines: dict[int, Line] = {}
        self._sentences: dict[int, list[tuple[int, int]]] = {}
        self._typed: Sequence[Place] | None = None
        self.shown = seen.prose.text

    def __len__(self) -> int:
        return len(self._starts)

    def at(self, position: int) -> Line:
        """The line that a position of the visible text belongs to."""
        return self[max(0, bisect_right(self._starts, position) - 1)]

    def index_at(self, position: int) -> int:
        """The number of that line."""
        return max(0, bisect_right(self._starts, position) - 1)

    def sentences(self, line: Line) -> list[tuple[int, int]]:
        """Where the sentences of a line stand in the visible text."""
        if line.start not in self._sentences:
            self._sentences[line.start] = list(_sentences(line))
        return self._sentences[line.start]

    def opens_block(self, index: int) -> bool:
        """Whether a line is the first of the block that it stands in."""
        return not index or self._places()[index - 1] is not self._places()[index]

    def __getitem__(self, index: int) -> Line:
        if index not in self._lines:
            self._lines[index] = self._read(index)
        return self._lines[index]

    def _read(self, index: int) -> Line:
        shown = self._seen.prose.text
        start = self._starts[index]
        stop = self._starts[index + 1] if index + 1 < len(self._starts) else len(shown)
        end = start + len(shown[start:stop].rstrip("\n" + BREAK))
        bullet = _BULLET.match(shown, start, end)
        return Line(start, end, bullet.end() if bullet else start, self._places()[index], shown[start:end])

    def _places(self) -> Sequence[Place]:
        """The places of all lines; those of plain text that begin with a bullet or number are items, too."""
        if self._typed is None:
            shown, typed, outer, count, group = self._seen.prose.text, [], "", 0, 0
            for number, (start, place) in enumerate(self._seen.starts):
                bullet = _BULLET.match(shown, start) if place.kind == "text" else None
                if bullet is None:
                    outer = ""
                    typed.append(place)
                    continue
                sign = "1" if bullet["sign"][0].isdigit() else bullet["sign"]
                if not outer:
                    outer, count, group = sign, 0, -number - 1
                count += sign == outer
                level = 1 if sign == outer else 2
                typed.append(replace(place, kind="item", level=level, group=group, ordinal=count))
            self._typed = typed
        return self._typed


def _sentences(line: Line) -> Iterator[tuple[int, int]]:
    for start, end in sentence_spans(line.text):
        done = start
        for stop in _WIDE_STOP.finditer(line.text, start, end):
            yield line.start + done, line.start + stop.end()
            done = stop.end()
        if line.text[done:end].strip():
            yield line.start + done, line.start + end

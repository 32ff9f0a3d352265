"""A set of stretches of a text, asked whether they touch or hold another."""

from bisect import bisect_right
from collections.abc import Iterable


class Spans:
    """Half-open stretches `(start, end)`; those that overlap or touch become one."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def touches(self, start: int, end: int) -> bool:
        """Whether any stretch shares a character with `start:end`."""
        index = bisect_right(self._ends, start)
        return index < len(self._starts) and self._starts[index] < end

    def holding(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch that holds all of `start:end`, if there is one."""
        index = bisect_right(self._starts, start) - 1
        if index >= 0 and end <= self._ends[index]:
            return self._starts[index], self._ends[index]
        return None

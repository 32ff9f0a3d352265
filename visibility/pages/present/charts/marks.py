"""Marks on the days of a trend: where days cannot be compared, and where names or topics changed, each in a word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from visibility.pages.present.charts.frames import Frame
from visibility.pages.present.charts.lines import Point
from visibility.pages.present.charts.notes import break_words, note_words
from visibility.pages.present.charts.texts import text_width

FONT = 11.0
EDGE, SPACE = 4.0, 6.0
"""Units that a word keeps from the edge of the picture, and from the next word."""
APART, NOTED = "≠", "*"


@dataclass(frozen=True, slots=True)
class DayMark:
    """A mark at a day: `at` is where its line stands, `word_at` the middle of its short `word`, which is empty where
    there is no room, `label` the whole reason. `is_break`: the days at its sides cannot be compared."""

    at: float
    label: str
    word: str
    word_at: float
    is_break: bool


def marks_of(points: Sequence[Point], frame: Frame) -> tuple[DayMark, ...]:
    """Those of these days, oldest first. Where words do not fit beside one another the latest keep theirs."""
    marks: list[DayMark] = []
    free = frame.width - EDGE
    for at, point, is_break in reversed(list(_places(points))):
        sign, word = (APART, point.item.cause) if is_break else (NOTED, point.item.noted)
        text, middle = _fitting(f"{sign} {word}".strip(), sign, at, free)
        if text:
            free = middle - text_width(text, FONT) / 2 - SPACE
        label = break_words(point.item) if is_break else note_words(point.item)
        marks.append(DayMark(at, label, text, middle, is_break))
    return tuple(reversed(marks))


def _places(points: Sequence[Point]) -> Iterator[tuple[float, Point, bool]]:
    for before, after in pairwise(points):
        if not after.item.comparable:
            yield round((before.x + after.x) / 2, 1), after, True
        if after.item.note:
            yield after.x, after, False


def _fitting(text: str, sign: str, at: float, free: float) -> tuple[str, float]:
    """The text, its sign alone, or nothing: what fits near its mark up to where it is free; and its middle."""
    for words in (text, sign):
        half = text_width(words, FONT) / 2
        middle = min(max(at, EDGE + half), free - half)
        if abs(middle - at) <= half and middle >= EDGE + half:
            return words, round(middle, 1)
    return "", at

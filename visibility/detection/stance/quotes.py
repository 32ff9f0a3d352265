"""The words that show a stance: about one product, and no more than a reader takes in at a glance."""

import re
from collections.abc import Callable

MAX_QUOTE = 200
"""Characters of the raw text that a quote has at most."""
_REACH = MAX_QUOTE + 16
"""How far an end of the sentence is looked for: one that is further away makes too long a quote anyway."""

Span = tuple[int, int]

# Where a sentence ends, in text that lost its spaces and line ends, too.
_END = re.compile(
    r"""[.!?\u2026]["\u201d\u2019)]*(?:\s+|(?=[A-Z]|\Z)) | [\u3002\uff01\uff1f]\s* | [\n\0\xa0]\s*
      | \s{2,200}(?=[-*\#\d]) | \)(?=[A-Z])""",
    re.VERBOSE,
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:vs|dr|st|mr|mrs|ms|no|qt|oz|lb|ft|e\.g|i\.e|approx|inc)|\b[A-Z])\.\s*\Z", re.IGNORECASE
)
_TAIL = re.compile(r"(?:[\s,/|\u2022\u2192]|\b(?:or|and)\b){1,200}\Z")
_PAUSE = re.compile(r"[,;:\u2013\u2014]\s")


def quote(shown: str, name: Span, bounds: Span) -> Span:
    """The sentence around a name, inside of the stretch that speaks of its product; where it is too long, as much as
    fits of it, from and to the end of a clause or a word. The name itself is always held whole."""
    first, last = _sentence(shown, name, bounds)
    if last - first > MAX_QUOTE:
        first = _later_start(shown, first, name)
    if last - first > MAX_QUOTE:
        last = _earlier_end(shown, first, last, name)
    tail = _TAIL.search(shown, name[1], last)
    return first, tail.start() if tail else last


def as_written(shown: str, span: Span, name: Span, source: Callable[[int, int], Span]) -> Span:
    """Where a quote stands in the raw text, which `source` tells. Where markup makes it too long there, words are
    left out, first behind the name, then before it."""
    first, last = span
    start, end = source(first, last)
    while end - start > MAX_QUOTE and last > name[1]:
        last = max(name[1], shown.rfind(" ", name[1], last - 1))
        start, end = source(first, last)
    while end - start > MAX_QUOTE and first < name[0]:
        space = shown.find(" ", first, name[0])
        first = space + 1 if space >= 0 else name[0]
        start, end = source(first, last)
    return start, end


def _sentence(shown: str, name: Span, bounds: Span) -> Span:
    first, last = max(bounds[0], name[0] - _REACH), min(bounds[1], name[1] + _REACH)
    start = first
    for end in _END.finditer(shown, first, name[0]):
        if not _ABBREVIATED.search(shown, max(start, end.start() - 8), end.end()):
            start = end.end()
    for end in _END.finditer(shown, name[1], last):
        if not _ABBREVIATED.search(shown, max(name[0], end.start() - 8), end.end()):
            return min(start, name[0]), name[1] + len(shown[name[1] : end.end()].rstrip("\xa0\0\n "))
    return min(start, name[0]), max(name[1], first + len(shown[first:last].rstrip("\xa0\0\n ")))


def _later_start(shown: str, first: int, name: Span) -> int:
    """A later place to begin, so that half of the quote at least is left for what follows the name."""
    low = max(first, name[1] - MAX_QUOTE // 2)
    if low == first:
        return first
    pause = _PAUSE.search(shown, low, name[0])
    space = shown.find(" ", low, name[0])
    return pause.end() if pause else space + 1 if space >= 0 else name[0]


def _earlier_end(shown: str, first: int, last: int, name: Span) -> int:
    high = max(name[1], min(last, first + MAX_QUOTE))
    pauses = [pause.start() for pause in _PAUSE.finditer(shown, max(name[1], high - MAX_QUOTE // 3), high)]
    space = max(shown.rfind(space, name[1], high) for space in " \n\0\xa0")
    return pauses[-1] if pauses else space if space > 0 else name[1]

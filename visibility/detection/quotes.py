"""The quote that shows a stance: about one product, and short enough to read at a glance."""

import re

from visibility.detection.visible import Span

MAX_QUOTE = 200
"""Characters of the visible text that a quote has at most."""

_END = re.compile(
    r"""[.!?…]["”’)]{0,3}(?:\s+|(?=[A-Z]|\Z)) | [。！？]\s* | [\n\0\xa0]\s* | \)(?=[A-Z])""", re.VERBOSE
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:vs|dr|st|mr|mrs|ms|no|qt|oz|lb|ft|e\.g|i\.e|approx|inc)|\b[A-Z])\.\s*\Z", re.IGNORECASE
)
_TAIL = " ,/|•→\n\0\xa0"


def sentence(shown: str, name: Span, bounds: Span) -> Span:
    """The sentence around a name, within the bounds of the stretch that speaks of it."""
    first, last = max(bounds[0], name[0] - MAX_QUOTE), min(bounds[1], name[1] + MAX_QUOTE)
    start = first
    for end in _END.finditer(shown, first, name[0]):
        if not _ABBREVIATED.search(shown, max(start, end.start() - 8), end.end()):
            start = end.end()
    for end in _END.finditer(shown, name[1], last):
        if not _ABBREVIATED.search(shown, max(name[0], end.start() - 8), end.end()):
            return min(start, name[0]), max(name[1], end.end())
    return min(start, name[0]), max(name[1], last)


def quote(shown: str, name: Span, bounds: Span) -> Span:
    """The sentence around a name, cut between words to at most MAX_QUOTE characters, but never inside the name."""
    first, last = sentence(shown, name, bounds)
    if last - first > MAX_QUOTE and name[1] - first > MAX_QUOTE // 2:
        space = shown.find(" ", name[1] - MAX_QUOTE // 2, name[0])
        first = space + 1 if space >= 0 else name[0]
    if last - first > MAX_QUOTE:
        space = shown.rfind(" ", name[1], first + MAX_QUOTE)
        last = space if space >= 0 else max(name[1], first + MAX_QUOTE)
    words = shown[first:last].rstrip(_TAIL)
    return first, max(name[1], first + len(words))

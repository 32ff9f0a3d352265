"""Checks of what may be a name in an answer, where a capital and its shape do not tell."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import takewhile

from visibility.detection.splitting import Line
from visibility.detection.visible import Visible
from visibility.detection.words import READ, is_plain

_NOUNS = 0.2
"""The part of words behind another one that have a capital where all nouns do; elsewhere it is smaller."""
_NUMBERED_BELOW = 2
"""So many numbered points below a line make it their heading."""
_WITHIN = re.compile(r"(?<=[^\W_][ ,]) ?[^\W\d_]{3,}")
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_MARKUP = re.compile(r"[\[\](){}<>|=\\]")
_OPENING = ".!? \n\0\xa0\t*_'\"“”„‘’«»‹›([{（【「『/|&+–—-→•·~"
_DEPTHS = {"title": 10, "bold": 11}
_POINT = 20
_AS_WORD = 3
"""A plain word is written with a capital at most so many times as often as without, at beginnings and in titles."""
_PATH = re.compile(r"\S*(?:[/@]|[^\W_]\.[^\W_])\S*")
_SPACED = re.compile(r"[^\w'’&+-]+")
_DIGITS = r"\d+(?:[.,]\d+)?"
_NUMBER = re.compile(rf"({_DIGITS})[-\s]?(\D{{0,8}})")


def _depth(line: Line) -> int:
    """How far in a line is: headings, then titles and bold lines, then points, then all others."""
    if line.kind == "heading":
        return line.level
    return _DEPTHS.get(line.kind, _POINT + (line.level > 1) + 10 * (line.kind in ("text", "card")))


class NameChecks:
    """What one answer shows about places and words that may be names."""

    def __init__(self, seen: Visible) -> None:
        self._seen = seen
        self._shown = seen.text

    @cached_property
    def _has_capital_nouns(self) -> bool:
        """Whether its sentences have so many capitals that all nouns seem to have one."""
        words = [word.strip() for word in _WITHIN.findall(self._shown[:READ])]
        return len([word for word in words if word.istitle()]) >= _NOUNS * len(words)

    @cached_property
    def _written(self) -> Counter[str]:
        return Counter(_TOKEN.findall(self._shown))

    def is_cut(self, start: int, end: int) -> bool:
        """Whether a stretch begins or ends inside of a word, of an address or of markup."""
        name, before, after = self._shown[start:end], self._shown[start - 1 : start], self._shown[end : end + 1]
        if _MARKUP.search(name) or after.isalnum() or before.isalnum():
            return True
        is_joined = before in ("/", "-") and self._shown[start - 2 : start - 1].isalnum()
        return (is_joined or before not in _OPENING) and not name[0].isupper()

    def is_quantity(self, name: str) -> bool:
        """Whether a name is a number, or begins with one and its unit, "16GB": what is behind other numbers, too."""
        first, *others = name.split()
        if not (number := _NUMBER.fullmatch(first)):
            return False
        unit = re.compile(rf"(?<![\w.,])({_DIGITS})[-\s]?{re.escape(number[2])}(?![^\W_])", re.IGNORECASE)
        is_unit = bool(number[2]) and len({match[1] for match in unit.finditer(self._shown)}) > 1
        return is_unit or not (number[2] or others)

    def is_heading(self, start: int) -> bool:
        """Whether numbered points stand right below the heading, bold line or title at a place."""
        index = self._seen.index_at(start)
        depth = _depth(self._seen.lines[index])
        if depth >= _POINT:
            return False
        below = list(takewhile(lambda line: _depth(line) > depth, self._seen.lines[index + 1 :]))
        points = [line for line in below if line.is_numbered and _depth(line) == _POINT]
        return len(points) >= _NUMBERED_BELOW and points[0] is below[0]

    def list_of(self, start: int) -> int:
        """The number of the line that the list around a place is below: the nearest above that is further out."""
        index = self._seen.index_at(start)
        depth = _depth(self._seen.lines[index])
        return next((above for above in range(index - 1, -1, -1) if _depth(self._seen.lines[above]) < depth), -1)

    def is_also_a_word(self, name: str) -> bool:
        """Whether the answer writes the words of a name at least as often in small letters as with capitals."""
        words = self._capitalised(name)
        return bool(words) and all(self._written[word.lower()] >= self._written[word] for word in words)

    def stands_out(self, name: str) -> bool:
        """Whether a name has several capitals, or one in mid-sentence, where nouns have none, and most of its words
        are never in small letters."""
        words = self._capitalised(name)
        if self._has_capital_nouns or 2 * sum(self._written[word.lower()] > 0 for word in words) > len(words):
            return False
        if len(words) > 1:
            return True
        within = re.finditer(rf"(?<=[^\W\d_A-Z][ ]){re.escape(name)}(?![^\W_])", self._shown)
        return any(self._shown[match.start() - 2].islower() for match in within)

    def _capitalised(self, name: str) -> list[str]:
        return [word for word in _TOKEN.findall(name) if word != word.lower()]


def words_among(names: Iterable[str], texts: Iterable[str]) -> set[str]:
    """Those of these names that are words: the texts write them in small letters as often as they write them, or a
    third as often where the language has such words. Some write "adidas" and "eufy" of their makers."""
    shown = "".join(f" {' '.join(_SPACED.sub(' ', _PATH.sub(' ', text)).split())} " for text in texts)
    words = set()
    for name in names:
        small = shown.count(f" {' '.join(_SPACED.sub(' ', name.lower()).split())} ")
        written = shown.count(f" {' '.join(_SPACED.sub(' ', name).split())} ")
        if name != name.lower() and small and small * (_AS_WORD if is_plain(name) else 1) >= written:
            words.add(name)
    return words

"""How good or bad the words of a sentence sound: an estimate by a list of rated words, where no stars tell. Pure.

The ratings of each language stand in a data file in `valence/`. A word behind a negation counts against its rating,
one behind a word of degree more; behind a "but" words count half as much again, before it half (the rules and their
weights are those of VADER: Hutto and Gilbert, 2014).
"""

import math
import re
from functools import cache
from pathlib import Path

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_NEGATIONS = frozenset(
    """
    not no never none nothing nowhere neither nor cannot cant can't couldn't didn't doesn't don't hadn't hasn't
    haven't isn't aren't wasn't weren't won't wouldn't shouldn't without lack lacks lacking hardly barely rarely seldom
    dont doesnt didnt isnt wasnt wont couldnt wouldnt
    """.split()
)
_DEGREES = frozenset(
    """
    very really so too extremely incredibly absolutely totally completely highly remarkably especially exceptionally
    particularly amazingly super truly most quite
    """.split()
)
_REACH = 3
_NEGATED = -0.74
_RAISED = 0.293
_BEFORE, _BEHIND = 0.5, 1.5
_SPREAD = 15.0


def valence(sentence: str) -> float | None:
    """From -1, bad, to 1, good; none where no word of it is rated."""
    words = [word.replace("\u2019", "'") for word in map(str.lower, _WORD.findall(sentence))]
    ratings = _ratings()
    turn = words.index("but") if "but" in words else None
    sums = [
        _in_place(words, index, ratings[word]) * _weight(index, turn)
        for index, word in enumerate(words)
        if word in ratings
    ]
    total = math.fsum(sums)
    return total / math.sqrt(total * total + _SPREAD) if sums else None


def rating(word: str) -> float:
    """From -4 to 4; 0 for a word that is not rated."""
    return _ratings().get(word, 0.0)


def _in_place(words: list[str], index: int, value: float) -> float:
    before = words[max(0, index - _REACH) : index]
    if before and before[-1] in _DEGREES:
        value += math.copysign(_RAISED, value)
    return value * _NEGATED if not _NEGATIONS.isdisjoint(before) else value


def _weight(index: int, turn: int | None) -> float:
    if turn is None:
        return 1.0
    return _BEFORE if index < turn else _BEHIND


@cache
def _ratings() -> dict[str, float]:
    folder = Path(__file__).parent / "valence"
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("en.txt", "en_reviews.txt")]
    rows = (line.split(" ") for text in texts for line in text.splitlines() if not line.startswith("#"))
    return {word: float(value) for word, value in rows}

"""Words of substance, by which a description of what a subject sells and an answer about its trade are alike."""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache

from visibility.detection.words import is_english, parts_of_speech, word_set

_MAX_READ = 500
"""Characters of a description that are read: it begins with what is sold."""

_WORD = re.compile(r"[^\W\d_]{3,40}")
_SMALL_WORD = re.compile(r"(?<![^\W_])[^\W\d_A-Z][^\W\d_]{1,40}")
_EMPTY = word_set(
    """
    best better big brand brands business businesses buy company companies customer customers day easy everyone family
    famous free good great help helps home known leading life like made make makes making many market modern most much
    new number offer offers official online people place premium price product products provide provides quality sell
    sells service services shop small solution solutions store stores thing things time top type use used user users
    way well work works world year years und der die das mit von les des pour avec para con
    """
)
"""Words that occur in descriptions of any trade."""
_ENDINGS = ("ings", "ing", "ers", "ies", "es", "er", "ed", "s", "y", "e")
_MIN_STEM = 3


@dataclass
class Substance:
    """The words of substance in a text by their stems, `all` or those of a stretch, and its `small` ones, in small
    letters."""

    text: str
    all: frozenset[str] = field(init=False)
    small: frozenset[str] = field(init=False)
    is_english: bool = field(init=False)

    def __post_init__(self) -> None:
        found = [(word.start(), stem) for word in _WORD.finditer(self.text) if (stem := _stem(word[0].casefold()))]
        self._starts, self._stems = [start for start, _ in found], [stem for _, stem in found]
        self.all = frozenset(self._stems)
        self.small = frozenset(word.lower() for word in _SMALL_WORD.findall(self.text))
        self.is_english = is_english(self.text)

    def between(self, start: int, end: int) -> frozenset[str]:
        """The stems of the words that begin in a stretch of the text."""
        return frozenset(self._stems[bisect_left(self._starts, start) : bisect_left(self._starts, end)])


@lru_cache(maxsize=8_192)
def sold(description: str, name: str) -> tuple[frozenset[str], bool]:
    """The stems of what a description says that is sold, those of the name aside, and whether it is English."""
    read = Substance(description[:_MAX_READ])
    return read.all - Substance(name).all, read.is_english


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    """The word without its ending; empty where it has no substance."""
    if word in _EMPTY or "f" in parts_of_speech(word):
        return ""
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _MIN_STEM:
            return word.removesuffix(ending)
    return word

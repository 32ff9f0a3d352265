"""Whether words around a name speak of what its owner sells, by a line that people write about it. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from visibility.detection.text.words import parts_of_speech, word_set

MAX_DESCRIPTION = 500
"""Characters of a description that are read: what is sold stands at its beginning."""
MIN_TOLD = 2
"""Words about what is sold that a description has to have before their absence says anything."""
MIN_AROUND = 30
"""Words of substance that have to stand around a name before it says anything that none is shared: an answer, not a
line. (On the tuning half of the labels a line without any was another sense in 81 %, an answer in 92 %.)"""

_WORD = re.compile(r"[^\W\d_]{3,}")
_EMPTY = word_set(
    """
    best better big brand brands business businesses buy company companies customer customers day easy everyone
    family famous free good great help helps home known leading life like made make makes making many market
    modern most much new number offer offers official online people place premium price product products provide
    provides quality sell sells service services shop small solution solutions store stores thing things time top
    type use used user users way well work works world year years und der die das mit von les des pour avec para con
    """
)
"""Words that stand in any description, and tell no trade from another."""
_ENDINGS = ("ings", "ing", "ers", "ies", "es", "er", "ed", "s", "y", "e")
_MIN_STEM = 3
_MIN_PART = 4


class Described:
    """The descriptions of subjects, held against one answer, the question included. Each text is read once."""

    def __init__(self, descriptions: Mapping[str, str], answer: str) -> None:
        self._descriptions = descriptions
        self._answer = answer
        self._told: dict[tuple[str, str], bool | None] = {}

    def tells(self, subject: str, name: str, around: str) -> bool | None:
        """Whether the name of the subject is meant, where nothing surer tells: by what stands around it, else by the
        whole answer. The words of the name itself tell nothing."""
        description = self._descriptions.get(subject)
        if not description:
            return None
        told = speaks_of(description, _words_but(name, around))
        if told is None:
            if (subject, name) not in self._told:
                self._told[subject, name] = speaks_of(description, _words_but(name, self._answer))
            told = self._told[subject, name]
        return told


def _words_but(name: str, text: str) -> Iterator[str]:
    own = set(_WORD.findall(name.casefold()))
    return (word for word in _WORD.findall(text.casefold()) if word not in own)


def speaks_of(description: str, context_words: Iterable[str]) -> bool | None:
    """Whether the words around a name speak of what the description says that its owner sells.

    True where they share a word of substance, whatever its ending. False where there are many around and none is
    shared. None where nothing can be told: no description, or too few words.
    """
    sold = sold_words(description)
    around = {stem for word in context_words if (stem := _stem(word.casefold()))}
    if sold & around or any(_holds(one, other) for one in sold for other in around):
        return True
    return False if len(sold) >= MIN_TOLD and len(around) >= MIN_AROUND else None


def _holds(one: str, other: str) -> bool:
    """Whether one is a part of the other at its end, as in compounds: "smartphone" and "phone"."""
    return min(len(one), len(other)) >= _MIN_PART and (one.endswith(other) or other.endswith(one))


@lru_cache(maxsize=1_024)
def sold_words(description: str) -> frozenset[str]:
    """The words of substance of a description, without their endings."""
    words = _WORD.findall(description[:MAX_DESCRIPTION].casefold())
    return frozenset(stem for word in words if (stem := _stem(word)))


def _stem(word: str) -> str:
    """The word without its ending; empty where it has no substance."""
    if len(word) < _MIN_STEM or word in _EMPTY or "f" in parts_of_speech(word):
        return ""
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _MIN_STEM:
            return word.removesuffix(ending)
    return word

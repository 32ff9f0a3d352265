"""Whether the words around a name speak of what its subject sells, by the description of the subject."""

import re
from functools import lru_cache

from visibility.detection.words import parts_of_speech, word_set

_MAX_READ = 500
"""Characters of a description that are read: it begins with what is sold."""
_MIN_SOLD = 2
"""A description must have so many words about what is sold before their absence shows anything."""
_MIN_AROUND = 30
"""So many words of substance must be around a name before it shows anything that none is shared."""

_WORD = re.compile(r"[^\W\d_]{3,}")
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


def speaks_of(description: str, name: str, text: str) -> bool | None:
    """Whether a text shares a word of substance with a description, those of the name itself aside.

    False where the text has many words and shares none, None where there are too few to decide.
    """
    own = _stems(name)
    sold, around = _stems(description[:_MAX_READ]) - own, _stems(text) - own
    if sold & around:
        return True
    return False if len(sold) >= _MIN_SOLD and len(around) >= _MIN_AROUND else None


@lru_cache(maxsize=1_024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for word in _WORD.findall(text.casefold()) if (stem := _stem(word)))


def _stem(word: str) -> str:
    """The word without its ending; empty where it has no substance."""
    if word in _EMPTY or "f" in parts_of_speech(word):
        return ""
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _MIN_STEM:
            return word.removesuffix(ending)
    return word

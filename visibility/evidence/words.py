"""The words of a text in one form, to compare texts by them."""

import re
from functools import lru_cache

from visibility.detection.words import FUNCTION, parts_of_speech

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PLURALS = (("s", ""), ("es", ""), ("ies", "y"))
_SHORTEST_PLURAL = 4


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word in small letters without what an English plural or possessive adds."""
    folded = re.sub(r"['’]s?$", "", word.casefold())
    if not folded.endswith("s") or len(folded) < _SHORTEST_PLURAL or folded.endswith("ss"):
        return folded
    bases = [folded.removesuffix(ending) + base for ending, base in _PLURALS if folded.endswith(ending)]
    singular = next((base for base in bases if parts_of_speech(base)), "")
    return singular or (folded if folded.endswith("us") or parts_of_speech(folded) else folded[:-1])


def stems(text: str) -> tuple[str, ...]:
    """The stems of all words of a text, in order."""
    return tuple(map(stem, WORD.findall(text)))


def telling_stems(text: str) -> frozenset[str]:
    """The stems of a text's words without those of English grammar."""
    return frozenset(stems(text)) - FUNCTION


def same_words(text: str) -> str:
    """A text word for word, whatever its spaces, capitals and last signs."""
    return " ".join(text.casefold().split()).strip(" .!")

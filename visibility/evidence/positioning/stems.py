"""Words in a short form in which their endings do not matter."""

from functools import lru_cache

_ENDINGS = (
    "ingly",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "er",
    "ed",
    "es",
    "en",
    "ly",
    *"seny",
)
_MIN_STEM = 4
_MAX = 40


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word without the first ending that leaves four letters or more. The same for all languages, and coarse: it
    is for telling that two words are alike, never for showing."""
    word = word[:_MAX].casefold()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            return word[: -len(ending)]
    return word

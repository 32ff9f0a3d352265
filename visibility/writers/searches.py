"""What engines searched for, as a question that people could have typed. Pure."""

import re
from collections.abc import Sequence

from visibility.writers.tasks import Intent, Searched
from visibility.writers.words import names_any

WORDS = range(3, 13)
_YEAR = re.compile(r"\s*\b(?:in |for |of )?(?:19|20)\d\d\b")
_OPERATOR = re.compile(r"\b(?:site|inurl|intitle|filetype|after|before):|[\"|*<>{}\[\]\\]|https?:|\bOR\b|\bAND\b")
_MONTHS = re.compile(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b", re.IGNORECASE
)
_COMPARES = re.compile(
    r"\b(?:best|top|vs|versus|compar\w*|review\w*|rank\w*|meilleure?s?|mejor(?:es)?|beste\w*|test)\b"
)
_BUYS = re.compile(r"\b(?:price|prices|cheap\w*|deal|deals|buy|cost|discount|coupon|preis\w*|prix|precio\w*)\b")


def typed(search: Searched, names: Sequence[str]) -> str:
    """The search without years, which age; empty where it names one of the tracked names, uses operators, or is
    too short or too long to be a need."""
    text = " ".join(_YEAR.sub(" ", search.text).split()).strip(" ,.;:-–")
    if _OPERATOR.search(text) or _MONTHS.search(text) or len(text.split()) not in WORDS or names_any(text, names):
        return ""
    return text


def intent_of(text: str) -> Intent:
    """What the one who searches wants."""
    folded = text.casefold()
    if _BUYS.search(folded):
        return "transactional"
    return "comparison" if _COMPARES.search(folded) else "informational"

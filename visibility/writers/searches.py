"""What engines searched for: their queries as they come, what makes two of them one, and the questions that people
could have typed. Pure."""

import re
from collections.abc import Iterable, Sequence

from apikeys.text.sentences import one_line
from visibility.writers.tasks import Intent, Searched
from visibility.writers.words import names_any, wording_key

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
_NARROWED = re.compile(r"-?\b(?:site|inurl|intitle|filetype|after|before):\S*|\bOR\b|\bAND\b|[\"|*<>{}\[\]\\]")
MAX_QUERY = 200
"""Characters of a query; what is longer is no query that anybody could answer with a page."""
MAX_QUERIES = 40
"""Of one answer."""


def queries_of(searches: object) -> list[str]:
    """The queries of one answer, each once, on one line; what is empty, too long or no text is left out."""
    if not isinstance(searches, (list, tuple)):
        return []
    texts = (
        one_line(query) for query in searches[:MAX_QUERIES] if isinstance(query, str) and len(query) <= MAX_QUERY
    )
    return list(dict.fromkeys(filter(_is_query, texts)))


def query_key(query: str) -> frozenset[str]:
    """What makes two queries one: their words in any order, without years and what narrows them to a site."""
    return wording_key(_plain(query))


def shown_query(wordings: Iterable[tuple[str, int]]) -> str:
    """Of wordings that say the same, with how often each was used, the one that is read: the most frequent, then the
    shortest, without what narrows it to a site."""
    return min(wordings, key=lambda wording: (-wording[1], len(wording[0]), wording[0]))[0]


def _is_query(text: str) -> bool:
    return any(map(str.isalpha, text)) and bool(query_key(text))


def _plain(query: str) -> str:
    return " ".join(_YEAR.sub(" ", _NARROWED.sub(" ", query)).split())


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

"""Words in the form in which a question and a page are compared: no case, no accents, no endings. Pure.

Endings are those of all languages that have a file: what a question is written in cannot be told from four words. The
same is taken from both sides, so that a wrong cut does little harm.
"""

import re
import unicodedata
from functools import lru_cache

from visibility.engines.adapters.local_search import STOP_WORDS
from visibility.writers.languages.language import LANGUAGES

MAX_WORD = 60
"""Longer runs of letters are no words."""
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST = 4
"""Letters that are left of a word; one less where one letter is cut off."""


def _folded(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


_ENDINGS = sorted(
    {_folded(ending) for ending in LANGUAGES.all_of(lambda language: language.words.endings)},
    key=lambda ending: (-len(ending), ending),
)
_EMPTY = frozenset(
    _folded(word)
    for word in (
        *STOP_WORDS,
        *LANGUAGES.all_of(lambda language: language.words.function),
        *LANGUAGES.all_of(lambda language: language.words.asking),
        *LANGUAGES.all_of(lambda language: language.words.searching),
    )
)
"""What says how something is asked, not what is asked about."""


def terms_of(text: str) -> list[str]:
    """The stems of a text's words of content, in order; years, which age, and single letters left out."""
    return [term for word in _WORD.findall(text) if (term := _term(word))]


@lru_cache(maxsize=65_536)
def _term(word: str) -> str:
    if len(word) > MAX_WORD or _YEAR.fullmatch(word):
        return ""
    folded = re.sub(r"['’]s?$", "", _folded(word))
    if len(folded) < 2 or folded in _EMPTY:
        return ""
    return stem(folded)


def stem(word: str) -> str:
    """A word in small letters without accents, less its endings: "installing" and "installation" are one."""
    if not word.isalpha() or not word.isascii():
        return word
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= (_LEAST if len(ending) > 1 else _LEAST - 1):
            return _closed(rest)
    return _closed(word)


def _closed(rest: str) -> str:
    """What is left without a doubled consonant or a last e, i or y: "running" is "run", "battery" is "batter"."""
    if len(rest) >= _LEAST and rest[-1] == rest[-2] and rest[-1] not in "aeiou":
        return rest[:-1]
    return rest[:-1] if len(rest) >= _LEAST and rest[-1] in "eiy" else rest

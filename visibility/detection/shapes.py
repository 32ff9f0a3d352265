"""How much a label looks like a name, in any language: by its letters, and by how else its words are written."""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cached_property, lru_cache

from visibility.detection.naming import is_name
from visibility.detection.words import OTHER_LETTER, READ, is_english, is_plain, words_in

_WRITTEN_AS_NAME = re.compile(r"[^\W\d_][a-z\u00df-\u024f][A-Z]|\b[A-Z]{2,}\b|[^\W\d_]\d|\d[^\W\d_]")
"""A capital inside of a word, a word in capitals, letters with digits."""
_PHRASE_WORD = 4
"""Letters of a word in small letters that makes a label a phrase; shorter ones join the words of names."""
_LONGEST_WORD = 40
_LONGEST_UNSPACED, _LONGEST_SPACED = 8, 2
"""Characters, and words, that a name in a script without capitals has at most, else it may be a phrase."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Shape(IntEnum):
    """What a label is by its shape; the sum of two is that of one name."""

    WORDS = 0
    EITHER = 1
    NAME = 2


class Shapes:
    """Judges the labels of one answer."""

    def __init__(self, text: str) -> None:
        self._read = text[:READ]
        self.is_english = is_english(text)
        self._is_latin = self.is_english or _is_latin(self._read)

    @cached_property
    def _small(self) -> frozenset[str]:
        """What the answer's words in small letters begin with."""
        words = {word for word in words_in(self._read) if len(word) <= _LONGEST_WORD and word.islower()}
        return frozenset(start for word in words for start in _beginnings(word))

    def of(self, label: str) -> Shape:
        """What this label is."""
        words = label.split()
        if not is_name(words):
            return Shape.WORDS
        if self.is_english:
            if not is_plain(label):
                return Shape.NAME
        elif self._is_written_as_name(label):
            return Shape.NAME
        are_words = [self._is_word(word) for word in words_in(label)]
        if self._is_phrase(label, words) or (any(are_words) if self.is_english else all(are_words)):
            return Shape.WORDS
        return Shape.EITHER

    def is_plain(self, label: str) -> bool:
        """Whether the label has no more than words of the language."""
        return is_plain(label) if self.is_english else self.of(label) is Shape.WORDS

    def _is_written_as_name(self, label: str) -> bool:
        if not self._is_latin and _is_latin(label):
            return True
        return _WRITTEN_AS_NAME.search(label) is not None and not self._is_phrase(label, label.split())

    def _is_phrase(self, label: str, words: Iterable[str]) -> bool:
        if any(word.islower() and len(word) >= _PHRASE_WORD for word in words):
            return True
        if label.lower() != label.upper():
            return False
        letters = sum(map(len, words_in(label)))
        return letters > _LONGEST_UNSPACED if _UNSPACED.search(label) else len(label.split()) > _LONGEST_SPACED

    def _is_word(self, word: str) -> bool:
        """Whether the answer has the word, or another form of it, in small letters."""
        return _PHRASE_WORD <= len(word) <= _LONGEST_WORD and any(
            start in self._small for start in _beginnings(word.lower())
        )


@lru_cache(maxsize=8)
def shapes_of(text: str) -> Shapes:
    """The shapes of an answer by its visible text; read once for all that asks."""
    return Shapes(text)


def _is_latin(text: str) -> bool:
    return 2 * len(OTHER_LETTER.findall(text)) < sum(map(len, words_in(text)))


def _beginnings(word: str) -> Iterator[str]:
    """The word and its beginnings of three quarters or more: what its forms share."""
    return (word[:length] for length in range((3 * len(word) + 3) // 4, len(word) + 1))

"""How much a label looks like a name, in any language: by its letters, and by how else its words are written."""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum

from visibility.detection.naming import is_name
from visibility.detection.words import is_plain, parts_of_speech, words_in

_READ = 20_000
"""Characters of an answer that show how its words are written."""
_LATIN_SHARE = 0.9
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_LETTER = re.compile(r"[^\W\d_]")
_WRITTEN_AS_NAME = re.compile(r"[^\W\d_][a-z\u00df-\u024f][A-Z]|\b[A-Z]{2,}\b|[^\W\d_]\d|\d[^\W\d_]")
"""A capital inside of a word, a word in capitals, letters with digits."""
_PHRASE_WORD = 4
"""Letters of a word in small letters that makes a label a phrase; shorter ones join the words of names."""
_LONGEST_UNSPACED, _LONGEST_SPACED = 8, 2
"""Characters, and words, that a name in a script without capitals has at most, else it may be a phrase."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Shape(IntEnum):
    """What a label is by its shape; the sum of two is that of one name."""

    WORDS = 0
    EITHER = 1
    NAME = 2


def is_english(text: str) -> bool:
    """Whether nearly all of its letters are Latin and most of its words in small letters English."""
    if len(_LATIN.findall(text)) < _LATIN_SHARE * len(_LETTER.findall(text)):
        return False
    small = [word for word in words_in(text) if word.islower() and len(word) > 1]
    return 2 * sum(bool(parts_of_speech(word)) for word in small) >= len(small)


class Shapes:
    """Judges the labels of one answer."""

    def __init__(self, text: str) -> None:
        read = text[:_READ]
        words = words_in(read)
        self.is_english = is_english(read)
        self._is_latin = 2 * len(_LATIN.findall(read)) >= len(_LETTER.findall(read))
        self._small = {start for word in words if word.islower() for start in _beginnings(word)}

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
        if not self._is_latin and 2 * len(_LATIN.findall(label)) > len(_LETTER.findall(label)):
            return True
        return _WRITTEN_AS_NAME.search(label) is not None and not self._is_phrase(label, label.split())

    def _is_phrase(self, label: str, words: Iterable[str]) -> bool:
        if any(word.islower() and len(word) >= _PHRASE_WORD for word in words):
            return True
        if label.lower() != label.upper():
            return False
        letters = len(_LETTER.findall(label))
        return letters > _LONGEST_UNSPACED if _UNSPACED.search(label) else len(label.split()) > _LONGEST_SPACED

    def _is_word(self, word: str) -> bool:
        """Whether the answer has the word, or another form of it, in small letters."""
        return len(word) >= _PHRASE_WORD and any(start in self._small for start in _beginnings(word.lower()))


def _beginnings(word: str) -> Iterator[str]:
    """The word and its beginnings of three quarters or more: what its forms share."""
    return (word[:length] for length in range((3 * len(word) + 3) // 4, len(word) + 1))

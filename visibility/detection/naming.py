"""What looks like a name, in any language: the names at a place by their capitals, and the shape of a label by its
letters and by how else the answer writes its words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property, lru_cache

from visibility.detection.titles import VERB
from visibility.detection.visible import Span
from visibility.detection.words import (
    OTHER_LETTER,
    READ,
    is_english,
    is_plain,
    parts_of_speech,
    word_set,
    words_in,
)

_MAX_WORDS = 16
_SHORT_NAME = 4  # in small letters: "eero"
_END = re.compile(
    r"""\s[‒-—|•→-]{1,3}(?:\s|$) | \s{0,20}[:;!?(\[{（：™®\0\n] | \s?\\?\$ | \s[~≈]
      | (?<!\bMr)(?<!\bDr)(?<!\bSt)(?<!qt)\.(?:\s|$) | \s{2} | \xa0""",
    re.VERBOSE,
)
_JOINT = re.compile(r"\s/\s|,\s{1,4}(?:and\s|or\s)?|\s(?:and|or|und|oder|et|ou|y|o)\s|(?<=\w)/(?=\w)")
_APART = re.compile(r",\s|\s/\s")
_LINKING = word_set("of the de la le by with for in on to and or & + – - von der und et y i")
_ARTICLES = word_set("the a an our your my")
_NO_BEGINNING = word_set("avoid not never don't do if when how why what where who which here there these this")
_WORD = re.compile(r"[^\W_]+")
_NO_KEY = word_set("the a an by with for of and")
_WRITTEN_AS_NAME = re.compile(r"[^\W\d_][a-z\u00df-\u024f][A-Z]|\b[A-Z]{2,}\b|[^\W\d_]\d|\d[^\W\d_]")
"""A capital inside of a word, a word in capitals, letters with digits."""
_PHRASE_WORD = 4
"""Letters of a word in small letters that makes a label a phrase; shorter ones join the words of names."""
_LONGEST_WORD = 40
_LONGEST_UNSPACED, _LONGEST_SPACED = 8, 2
"""Characters, and words, that a name in a script without capitals has at most, else it may be a phrase."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def end_of_names(shown: str, start: int, end: int, *, verbs: bool) -> int:
    """Where the names that begin here end: before a bracket, a dash or a price, and with `verbs` before a verb."""
    patterns = (_END, VERB) if verbs else (_END,)
    stops = (pattern.search(shown, start, end) for pattern in patterns)
    return min((stop.start() for stop in stops if stop), default=end)


def key_of(name: str) -> frozenset[str]:
    """The words of a name in small letters, without those that link them: the same for two ways of writing it."""
    return frozenset(map(str.lower, _WORD.findall(name))) - _NO_KEY


def is_name(words: Sequence[str]) -> bool:
    """Whether words may be a name: each has a capital or a digit, except for linking words and one more."""
    if not words or len(words) > _MAX_WORDS or not any(map(str.isalpha, "".join(words))):
        return False
    if words[0].lower().replace("’", "'") in _NO_BEGINNING:
        return False
    small = [word for word in words if not _has_capital(word) and word.lower() not in _LINKING]
    if any(map(is_plain, small)):
        # One small word: within a long name, or what the thing is: "Zentrova boots".
        is_kind = words[0].istitle() and small[0] == words[-1] and "n" in parts_of_speech(small[0])
        return len(small) == 1 and not is_plain(words[0]) and (len(words) > 3 or is_kind)
    return (len(small) <= 1 and len(words) > len(small)) or (len(words[0]) >= _SHORT_NAME and not is_plain(words[0]))


def _has_capital(word: str) -> bool:
    """Whether it has a capital, a digit, or letters of a script without capitals; signs alone do as well."""
    if word.islower() and word.isalpha() and word.isascii():
        return False
    letters = [char for char in word if char.isalpha()]
    return not letters or any(map(str.isdigit, word)) or not all(map(str.islower, letters))


def names_at(shown: str, start: int, end: int) -> tuple[Sequence[Span], bool]:
    """The names side by side at the beginning of this stretch, and whether there is nothing else in it.

    What follows a comma may be no name ("Vessi, the best"); "and" separates two names only where they are alike, as
    it is also a part of names.
    """
    parts: list[Span] = []
    done, by_word = start, False
    for joint in [*_JOINT.finditer(shown, start, end), None]:
        name = _name(shown, done, joint.start() if joint else end)
        if name is None or (by_word and not _is_another(shown[slice(*parts[-1])], shown[slice(*name)])):
            break
        parts.append(name)
        if joint is None:
            return parts, True
        done, by_word = joint.end(), "," not in joint[0] and "/" not in joint[0]
    whole = _name(shown, start, end)
    if whole and not _APART.search(shown, *whole):
        return [whole], True
    return (parts if parts and not is_plain(shown[slice(*parts[0])]) else []), False


def _is_another(one: str, other: str) -> bool:
    """Whether the words behind "and" are another name: no plain word first, and not much longer than the other."""
    words = other.split()
    return not is_plain(words[0]) and len(words) <= len(one.split()) + 1


def _name(shown: str, start: int, end: int) -> Span | None:
    words = list(re.finditer(r"\S+", shown[start:end]))
    while words and words[0][0].lower() in _ARTICLES:
        words.pop(0)
    if not is_name([word[0] for word in words]):
        return None
    return start + words[0].start(), start + words[-1].end()


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

"""What a review speaks of: criteria by their spellings, and other nouns, alone and behind the word before them.

The words of each language stand in a data file beside. `general` words are no theme by themselves; `pointing` ones
and those of `buying` stand before the thing that was bought, which is none either; `loose` ones, though spellings of
a criterion, mean others in reviews. Reviews in other languages than English, of whose words there is no list here,
are read for criteria alone.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Words
from visibility.detection.text.languages import is_foreign
from visibility.detection.text.words import parts_of_speech
from visibility.evidence.praise import Terms, terms_of
from visibility.evidence.valence import rating
from visibility.evidence.vocabulary import Key, key_of, listed, stem

Span = tuple[int, int]

MAX_TEXT = 20_000
"""Characters of a review that are read."""
_BEGINNING = 600
_FELT = 1.0
"""A word that people rate beyond this says how something is, not what."""
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|[^\w\s]")
_BESIDE = 4
_ENDS = frozenset(".!?;")
_ARTICLES = frozenset(["the", "a", "an", "its", "my", "their", "your", "no", "of"])
_BE = frozenset(["is", "are", "was", "were", "isn't", "wasn't", "has"])


@dataclass(frozen=True, slots=True, config=STRICT)
class _Words:
    general: Words
    pointing: Words
    buying: Words
    loose: Words


_LANGUAGES = Languages(Path(__file__).parent / "theme_words", _Words)
_GENERAL = frozenset(_LANGUAGES.all_of(lambda words: words.general))
_POINTING = frozenset(_LANGUAGES.all_of(lambda words: words.pointing))
_BUYING = frozenset(_LANGUAGES.all_of(lambda words: words.buying))
_LOOSE = frozenset(_LANGUAGES.all_of(lambda words: words.loose))
_LISTED: dict[bool, Terms] = {
    abroad: terms_of((key, spelling) for key, spelling in listed(abroad=abroad) if spelling.casefold() not in _LOOSE)
    for abroad in (False, True)
}
"""By whether a review may be in another language than English."""


class Term(NamedTuple):
    """Words of a review that name something, at `start:end`.

    `is_noun` where they stand as a noun does, `is_bought` where what stands before shows that it is the thing that
    the review is of, `is_felt` where a word beside them says how good or bad something is.
    """

    key: Key
    spelling: str
    start: int
    end: int
    is_noun: bool
    is_bought: bool
    is_felt: bool


class _Word(NamedTuple):
    text: str
    kinds: str
    start: int
    end: int


def terms_in(text: str) -> Iterator[Term]:
    """What a review names, in order; a word that stands in several terms is told with each."""
    text = text[:MAX_TEXT]
    abroad = is_foreign(text[:_BEGINNING])
    words = [_word(token) for token in _TOKEN.finditer(text)]
    parts = [stem(word.text) for word in words]
    for index, word in enumerate(words):
        for spelling, key in _LISTED[abroad].get(parts[index], ()):
            if tuple(parts[index : index + len(spelling)]) == spelling:
                yield _term(words, index, index + len(spelling), key)
                break
        else:
            if not abroad and _is_thing(word):
                yield _term(words, index, index + 1, (parts[index],))
        if not abroad and index and _is_pair(words[index - 1], word):
            pair = (parts[index - 1], parts[index])
            if key := key_of(" ".join(pair)):
                yield _term(words, index - 1, index + 1, key)


def _word(token: re.Match[str]) -> _Word:
    lowered = token[0].lower()
    return _Word(lowered, parts_of_speech(lowered), token.start(), token.end())


def _term(words: Sequence[_Word], first: int, last: int, key: Key) -> Term:
    before = words[first - 1] if first else None
    spelling = " ".join(word.text for word in words[first:last])
    return Term(
        key=key,
        spelling=spelling,
        start=words[first].start,
        end=words[last - 1].end,
        is_noun=_is_noun(words, first, last),
        is_bought=before is not None and (before.text in _POINTING or _is_bought(words, first)),
        is_felt=any(abs(rating(word.text)) >= _FELT for word in _beside(words, first, last)),
    )


def _beside(words: Sequence[_Word], first: int, last: int) -> Iterator[_Word]:
    """The words around others, within their sentence."""
    for index in range(first - 1, max(-1, first - 1 - _BESIDE), -1):
        if words[index].text in _ENDS:
            break
        yield words[index]
    for index in range(last, min(len(words), last + _BESIDE)):
        if words[index].text in _ENDS:
            break
        yield words[index]


def _is_bought(words: Sequence[_Word], first: int) -> bool:
    return any(word.text in _BUYING for word in words[max(0, first - 3) : first])


def _is_noun(words: Sequence[_Word], first: int, last: int) -> bool:
    """Whether a word that may be a verb, too, stands as a noun: behind an article or adjective, or before an "is"."""
    if last - first > 1 or words[first].kinds == "n":
        return True
    before = words[first - 1] if first else None
    following = words[last].text if last < len(words) else ""
    if following in _BE:
        return True
    return before is not None and (before.text in _ARTICLES or "a" in before.kinds)


def _is_thing(word: _Word) -> bool:
    is_noun = "n" in word.kinds and not {"f", "a"} & set(word.kinds)
    return is_noun and len(word.text) > 2 and not _is_general(word)


def _is_pair(before: _Word, word: _Word) -> bool:
    """Whether two words name one thing: "shutter speed", "customer service", but not "great camera"."""
    if (
        "n" not in word.kinds
        or "f" in word.kinds
        or abs(rating(before.text)) >= _FELT
        or word.end - before.start > 40
    ):
        return False
    if (
        word.start != before.end + 1
        or stem(before.text) in _GENERAL - _OPENING
        or stem(word.text) in _GENERAL - _CLOSING
    ):
        return False
    return "n" in before.kinds and "f" not in before.kinds and "r" not in before.kinds


_OPENING = frozenset(("customer", "user", "web", "internet", "home", "life"))
_CLOSING = frozenset(
    ("quality", "life", "mode", "range", "option", "function", "setting", "time", "rate", "technology")
)


def _is_general(word: _Word) -> bool:
    words = {word.text, stem(word.text)}
    return not words.isdisjoint(_GENERAL | _LOOSE) or abs(rating(word.text)) >= _FELT

"""The words that tell what a label in an answer is: a criterion, or a title, a name, a use, an audience. Pure.

The words of each language stand in a data file beside. `small` words and `praising` ones are left out of a label's
key, `filling` ones at its end as well, where others are left: "Great battery life" and "Battery" are one; `asking`
ones are not shown at its end. `technical` words are no names, though no dictionary has them. `none` are labels that
are no criterion; `categories` is found in those that name a group of products, of which `groups` say nothing of a
criterion ("Best value"). `same` has the spellings of a criterion, apart by semicolons, by its label.

Of what is said of a criterion: `good` words praise whatever they stand before, with no word of `between` in the way
(but for `links` at the criterion: "best for comfort") or behind words of `says`; `fitting` ones only what they stand
at, and `self` ones praise as they name ("lightweight"); `shines` opens what a
thing is known for, up to where the sentence `goes_on`. `spoils` is found where something is not, or not quite,
praised; `idioms` are no criterion; `against` is the label of what is told against a thing.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator
from pydantic.dataclasses import dataclass

from apikeys.text.language_files import DEFAULT_LANGUAGE, STRICT, Languages, Pattern, Patterns, Words
from visibility.detection.text.words import parts_of_speech

Key = tuple[str, ...]
"""The stems that make a label what it is, sorted; the same for all of its spellings."""

MAX_WORDS = 6
_MAX_KEPT = 60
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MIN_PLURAL = 4
_PLURALS = (("s", ""), ("es", ""), ("ies", "y"))


def _spellings(value: object) -> object:
    return [part.strip() for part in value.split(";") if part.strip()] if isinstance(value, str) else value


@dataclass(frozen=True, config=STRICT)
class _Words:
    small: Words
    praising: Words
    filling: Words
    asking: Words
    technical: Words
    none: Patterns
    categories: Pattern
    groups: Pattern
    good: Words
    fitting: Words
    self: Words
    shines: Patterns
    goes_on: Pattern
    against: Pattern
    spoils: Patterns
    idioms: Patterns
    between: Words
    says: Words
    links: Words
    same: dict[str, Annotated[tuple[str, ...], BeforeValidator(_spellings)]]


_LANGUAGES = Languages(Path(__file__).parent / "criterion_words", _Words)
_SMALL = frozenset(_LANGUAGES.all_of(lambda words: words.small))
_PRAISING = frozenset(_LANGUAGES.all_of(lambda words: words.praising))
_FILLING = frozenset(_LANGUAGES.all_of(lambda words: words.filling))
_ASKING = frozenset(_LANGUAGES.all_of(lambda words: words.asking))
_TECHNICAL = frozenset(_LANGUAGES.all_of(lambda words: words.technical))
_NONE = re.compile(rf"(?:{_LANGUAGES.any_of(lambda words: words.none)})", re.IGNORECASE)
_GROUPS = re.compile(rf"(?:{_LANGUAGES.any_of(lambda words: [words.groups])})(?: \w+)?", re.IGNORECASE)
_CATEGORIES = re.compile(_LANGUAGES.any_of(lambda words: [words.categories]), re.IGNORECASE)


GOOD = frozenset(_LANGUAGES.all_of(lambda words: words.good))
FITTING = frozenset(_LANGUAGES.all_of(lambda words: words.fitting))
SELF = frozenset(_LANGUAGES.all_of(lambda words: words.self))
BETWEEN = frozenset(_LANGUAGES.all_of(lambda words: words.between))
SAYS = frozenset(_LANGUAGES.all_of(lambda words: words.says))
LINKS = frozenset(_LANGUAGES.all_of(lambda words: words.links))
SHINES = re.compile(_LANGUAGES.any_of(lambda words: words.shines), re.IGNORECASE)
GOES_ON = re.compile(_LANGUAGES.any_of(lambda words: [words.goes_on]), re.IGNORECASE)
AGAINST = re.compile(_LANGUAGES.any_of(lambda words: [words.against]), re.IGNORECASE)
SPOILS = re.compile(_LANGUAGES.any_of(lambda words: words.spoils), re.IGNORECASE)
IDIOMS = re.compile(_LANGUAGES.any_of(lambda words: words.idioms), re.IGNORECASE)


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word in small letters without what an English plural or possessive adds."""
    folded = re.sub(r"['’]s?$", "", word.casefold())
    if not folded.endswith("s") or len(folded) < _MIN_PLURAL or folded.endswith("ss"):
        return folded
    bases = [folded.removesuffix(ending) + base for ending, base in _PLURALS if folded.endswith(ending)]
    singular = next((base for base in bases if parts_of_speech(base)), "")
    return singular or (folded if folded.endswith("us") or parts_of_speech(folded) else folded[:-1])


def stems(text: str) -> list[str]:
    """The stems of all words of a text, in order."""
    return [stem(word) for word in _WORD.findall(text)]


def key_of(label: str, *, abroad: bool = False) -> Key:
    """What tells a label from others; empty where it has no word of substance. `abroad`: it may be in another
    language than English."""
    return _key(label, abroad) if len(label) <= _MAX_KEPT else ()


@lru_cache(maxsize=16_384)
def _key(label: str, abroad: bool) -> Key:
    words = tuple(stems(label))
    same = _same(abroad)
    if canonical := same.get(words):
        return canonical
    kept = [word for word in words if word not in _SMALL]
    while len(kept) > 1 and kept[0] in _PRAISING:
        kept = kept[1:]
        if canonical := same.get(tuple(kept)):
            return canonical
    while len(kept) > 1 and kept[-1] in _FILLING:
        kept = kept[:-1]
    if len(kept) == 1 and (kept[0] in _PRAISING or kept[0] in _FILLING) and len(words) > 1:
        return ()
    return same.get(tuple(kept)) or tuple(sorted(kept))


@cache
def _same(abroad: bool) -> dict[tuple[str, ...], Key]:
    """The key of each listed spelling: that of the label that it stands under, the English one where languages
    share it."""
    keys: dict[tuple[str, ...], Key] = {}
    for key, spelling in listed(abroad=abroad):
        keys.setdefault(tuple(stems(spelling)), key)
    return keys


def label_of_key(key: Key) -> str:
    """The label that a language file gives for it; empty where none does."""
    return key[1] if key[:1] == ("=",) else ""


def is_listed(label: str, *, abroad: bool = False) -> bool:
    """Whether a language file lists this very spelling of a criterion."""
    return tuple(stems(label)) in _same(abroad)


def spellings_of(key: Key) -> Sequence[str]:
    """All spellings that the language files list for it."""
    label = label_of_key(key)
    return [spelling for words in _LANGUAGES.values() for spelling in words.same.get(label, ())]


def is_none(label: str) -> bool:
    """Whether it is one of the titles, uses and requests that are no criterion."""
    return _NONE.fullmatch(label) is not None


def is_category(label: str) -> bool:
    """Whether it names a group of products rather than what they are judged by: "Best for gaming"."""
    return _CATEGORIES.search(label) is not None


def is_mere_group(rest: str) -> bool:
    """Whether what is left of a group's name tells no criterion: "Best value", "Best budget option"."""
    return _GROUPS.fullmatch(rest) is not None


def without_praise(label: str) -> str:
    """The label without the words before it that only say that something is good, and those behind it that only say
    that somebody wants it; as it is where it has no others."""
    words = label.split()
    while len(words) > 1 and stem(words[0]) in _PRAISING | _SMALL:
        words = words[1:]
    while len(words) > 1 and words[-1].casefold() in _ASKING:
        words = words[:-1]
    return " ".join(words)


def is_common(label: str, *, abroad: bool) -> bool:
    """Whether all words are of the language or technical, so that none is a name. `abroad`: in another language than
    English, of which there is no dictionary here."""
    return abroad or all(
        bool(parts_of_speech(word))
        or word in _TECHNICAL
        or (len(word) > 1 and not word.isdigit() and stem(word) in _TECHNICAL)
        for word in map(str.lower, _WORD.findall(label))
    )


def ends_in_noun(label: str) -> bool:
    """Whether an English label ends in a noun, as what is judged by does: "Battery life", but not "Affordable"."""
    words = _WORD.findall(label.lower())
    return bool(words) and (words[-1] in _TECHNICAL or "n" in parts_of_speech(words[-1]))


def listed(*, abroad: bool) -> Sequence[tuple[Key, str]]:
    """Each spelling that the English file lists, and the others, too, where `abroad`; each with its key."""
    return [
        (("=", label), spelling)
        for language, words in _LANGUAGES.items()
        if abroad or language == DEFAULT_LANGUAGE
        for label, spellings in words.same.items()
        for spelling in (label, *spellings)
    ]

"""What a sentence speaks about, in a form in which two sentences can be compared."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain

from visibility.evidence.page_words.page_words import LANGUAGES
from visibility.evidence.positioning.quantities import Quantity, model_numbers, quantities
from visibility.evidence.positioning.stems import stem

NEAR = 6
"""Words on each side of a number that say what it is a number of."""
DENIED = 8
"""Words that a word which denies can deny behind it."""
MIN_WORD = 3
_DASHES = dict.fromkeys(range(0x2010, 0x2013), "-")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_MIXED = re.compile(r"(?=.*\d)(?=.*[^\W\d_])|.*[^\W\d_][A-ZÀ-ÖØ-Þ]")
"""Letters with digits or capitals inside: names of models."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity with the stems of the words around it; `bounded`: it is a bound or an estimate."""

    quantity: Quantity
    near: frozenset[str]
    bounded: bool


@dataclass(frozen=True, slots=True)
class Attributes:
    """`about`: stems of the words that carry what is said; `denied`: those of them behind a word that denies;
    `models`: names and numbers of models in small letters; `named`: stems of words with capitals inside a sentence,
    as names have, and of the entry that it stands below."""

    about: frozenset[str]
    denied: frozenset[str]
    models: frozenset[str]
    named: frozenset[str]
    amounts: tuple[Amount, ...]

    def below(self, entry: "Attributes") -> "Attributes":
        """The same, said below an entry whose name says so much more."""
        return replace(self, models=self.models | entry.models, named=self.named | entry.about)

    def may_differ_from(self, claimed: "Attributes") -> bool:
        """Whether this speaks of nothing but what the claim speaks of: only then can it contradict."""
        return self.models <= claimed.models and self.named <= claimed.about


def attributes(text: str, own: Iterable[str] = ()) -> Attributes:
    """What a text speaks about; `own`: words of the brand's names, in small letters, which say nothing of it."""
    text = text.translate(_DASHES)
    words = list(_WORD.finditer(text))
    kept = [(match, stem(match[0])) for match in words if _tells(match[0], own)]
    denied: set[str] = set()
    for denying in _denying().finditer(text):
        behind = [match for match in words if match.start() >= denying.end()][:DENIED]
        denied |= {stem(match[0]) for match in behind if _tells(match[0], own)}
    amounts = tuple(_amount(text, quantity, kept) for quantity in quantities(text))
    inside = words[1:]
    named = {stem(match[0]) for match in inside if match[0][0].isupper() and _tells(match[0], own)}
    return Attributes(
        frozenset(key for _, key in kept),
        frozenset(denied),
        frozenset(_models(text, words)),
        frozenset(named),
        amounts,
    )


def _models(text: str, words: Sequence[re.Match[str]]) -> Iterator[str]:
    mixed = (match[0].casefold() for match in words if _MIXED.match(match[0]) and not match[0][0].isdecimal())
    return chain(mixed, model_numbers(text))


def _tells(word: str, own: Iterable[str]) -> bool:
    plain = word.casefold()
    return len(plain) >= MIN_WORD and not plain[0].isdecimal() and plain not in _small() and plain not in own


def _amount(text: str, quantity: Quantity, kept: Sequence[tuple[re.Match[str], str]]) -> Amount:
    before = [key for match, key in kept if match.end() <= quantity.start][-NEAR:]
    # What a number counts says what it is about; a unit does not.
    begin = quantity.end if quantity.unit else quantity.start
    behind = [key for match, key in kept if match.start() >= begin][:NEAR]
    bounded = _bounding().search(text[: quantity.start]) is not None or "+" in text[quantity.start : quantity.end]
    return Amount(quantity, frozenset([*before, *behind]), bounded)


@cache
def _denying() -> re.Pattern[str]:
    return re.compile(LANGUAGES.any_of(lambda words: [words.weighing.denying.pattern]), re.IGNORECASE)


@cache
def _bounding() -> re.Pattern[str]:
    return re.compile(LANGUAGES.any_of(lambda words: [words.weighing.bounding.pattern]), re.IGNORECASE)


@cache
def _small() -> frozenset[str]:
    return frozenset(LANGUAGES.all_of(lambda words: words.weighing.small))

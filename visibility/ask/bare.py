"""The words of questions: what they are about, by a few examples. Words that no example has are not guessed."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any

from visibility.ask.resources import About
from visibility.detection import is_function_word
from visibility.topics.pooling import stem

LEAST = 0.4
"""The part of a question's words, by weight, that a subject has to explain to be likely."""
MARGIN = 0.1
"""The nearest example of a subject has to be nearer by so much than that of the next."""
DEFINITIONS: dict[str, str] = tomllib.loads(Path(__file__).with_name("definitions.toml").read_text(encoding="utf-8"))
"""What the words of this service mean."""
_WORD = re.compile(r"[^\W_]+")
_NOT = re.compile(r"n['’]t\b")
_GENITIVE = re.compile(r"['’]s\b")


def words_in(text: str) -> list[str]:
    """The words of a text in small letters, without the s of a plural or a genitive; "don't" is "do not"."""
    return [stem(word) for word in _WORD.findall(_GENITIVE.sub("", _NOT.sub(" not", text)))]


_TEXTS: dict[Any, list[str]] = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
_NOTHING = frozenset(words_in(" ".join(_TEXTS.pop("nothing"))))
_TEXTS["definitions"] += [f"What is a {term}?" for term in DEFINITIONS]
_EXAMPLES: Mapping[About, Sequence[frozenset[str]]] = {
    about: [frozenset(words_in(each)) for each in questions] for about, questions in _TEXTS.items()
}
_HOLDERS = Counter(word for examples in _EXAMPLES.values() for example in examples for word in example)
_KNOWN = {about: frozenset().union(*examples) for about, examples in _EXAMPLES.items()}
_NUMBER = sum(map(len, _EXAMPLES.values()))


def is_usual(word: str) -> bool:
    """Whether a word is common in questions, so that it is taken for no name: "On" is also a maker of shoes."""
    return stem(word) in _HOLDERS or is_function_word(word.lower())


def is_never_measured(word: str) -> bool:
    """Whether only questions that nothing measured answers have the word: of forecasts, places, money."""
    return word in _NOTHING and word not in _HOLDERS


def unusual(words: Collection[str]) -> list[str]:
    """The words that are not common in questions, without numbers and letters."""
    return [word for word in dict.fromkeys(words) if len(word) > 2 and not word.isdecimal() and not is_usual(word)]


def likely_subjects(words: Collection[str]) -> list[About]:
    """The subjects that explain enough of the words, by weight, those that explain most first."""
    part = {about: _weight(known & {*words}) / (_weight(words) or 1) for about, known in _KNOWN.items()}
    return sorted((about for about in part if part[about] >= LEAST), key=lambda about: -part[about])


def subject_of(words: Collection[str]) -> About | None:
    """The subject whose examples together have all of the words, and that clearly has the nearest example, by what
    both have of what either has."""
    asked = frozenset(words)
    near = sorted(
        (max(_weight(asked & each) / _weight(asked | each) for each in _EXAMPLES[about]), about)
        for about, known in _KNOWN.items()
        if asked and asked <= known
    )
    is_clear = near and (len(near) == 1 or near[-1][0] - near[-2][0] >= MARGIN)
    return near[-1][1] if is_clear else None


def _weight(words: Collection[str]) -> float:
    """A word weighs by how few examples have it (Spärck Jones 1972)."""
    return sum(log((1 + _NUMBER) / (_HOLDERS[word] or 0.5)) for word in words)

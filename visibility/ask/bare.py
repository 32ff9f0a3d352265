"""Questions without arguments: what they are about, by a few examples. Words that no example has are not guessed."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log
from pathlib import Path

from visibility.answers.words import Words
from visibility.ask.definitions import DEFINITIONS
from visibility.ask.resources import About
from visibility.detection import is_function_word
from visibility.topics.pooling import stem

LEAST = 0.4
"""The part of a question's words, by weight, that a subject has to explain to be likely."""
MARGIN = 0.1
"""The nearest example of a subject has to be nearer by so much than that of the next."""
_WORD = re.compile(r"[^\W_]+")
_NOT = re.compile(r"n['’]t\b")


def words_in(text: str) -> list[str]:
    """The words of a text in small letters, without the s of a plural; "don't" is "do not"."""
    return [stem(word) for word in _WORD.findall(_NOT.sub(" not", text))]


def _read_examples() -> Mapping[About, Sequence[frozenset[str]]]:
    text = Path(__file__).with_name("examples.toml").read_text(encoding="utf-8")
    examples: dict[About, list[str]] = tomllib.loads(text)  # type: ignore[assignment]
    examples["definitions"] += [f"What is a {term}?" for term in DEFINITIONS]
    return {about: [frozenset(words_in(each)) for each in questions] for about, questions in examples.items()}


_EXAMPLES = _read_examples()
_HOLDERS = Counter(word for examples in _EXAMPLES.values() for example in examples for word in example)
_DEFINING = frozenset(words_in(" ".join(DEFINITIONS.values())))
_NUMBER = sum(map(len, _EXAMPLES.values()))


def is_usual(word: str) -> bool:
    """Whether a word is common in questions, so that it is taken for no name: "On" is also a maker of shoes."""
    return stem(word) in _HOLDERS or is_function_word(word.lower())


def unexplained(words: Collection[str], subjects: Collection[About], shown: Collection[str] = ()) -> list[str]:
    """The words that no example of these subjects, no definition and nothing `shown` has in any form, without
    function words, numbers and letters."""
    known = {word for about in subjects for example in _EXAMPLES[about] for word in example} | _DEFINING | {*shown}

    def is_known(word: str) -> bool:
        [beginning] = Words.of(word).beginnings
        return any(each.startswith(beginning) for each in known)

    asked = [word for word in dict.fromkeys(words) if len(word) > 1 and not word.isdecimal()]
    return [word for word in asked if not (is_function_word(word) or is_known(word))]


def likely_subjects(words: Collection[str]) -> list[About]:
    """The subjects that explain enough of the words, the nearest first."""
    ranked = [(explained, near, about) for about, explained, near in _ranked(words) if explained >= LEAST]
    return [about for *_, about in sorted(ranked, reverse=True)]


def subject_of(words: Collection[str]) -> About | None:
    """The only subject that explains all of the words, or clearly the nearest of those that do."""
    near = sorted(((near, about) for about, explained, near in _ranked(words) if explained == 1.0), reverse=True)
    if not near or (len(near) > 1 and near[0][0] - near[1][0] < MARGIN):
        return None
    return near[0][1]


def _ranked(words: Collection[str]) -> Sequence[tuple[About, float, float]]:
    """Of each subject the part of the words, by weight, that its examples have together, and how near the nearest of
    them is: what both have of what either has. A word weighs by how few examples have it (Spärck Jones 1972)."""
    asked, ranked = frozenset(words), []
    for about, examples in _EXAMPLES.items() if asked else ():
        known = frozenset().union(*examples)
        nearest = max(_weight(asked & example) / _weight(asked | example) for example in examples)
        ranked.append((about, 1.0 if asked <= known else _weight(asked & known) / _weight(asked), nearest))
    return ranked


def _weight(words: Collection[str]) -> float:
    return sum(log((1 + _NUMBER) / (_HOLDERS[word] or 0.5)) for word in words)

"""What a name that also means something else would cost: how often answers have it, and how often it is meant."""

import re
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass

from visibility.detection.text.words import parts_of_speech

MAX_LONGER = 3
USUAL = 0.1
"""The share of the meant places in which a longer name stands that is worth telling."""
_BEFORE = re.compile(r"(?:^|[^\w'-])([^\W\d_][\w'-]*) \Z")
_AFTER = re.compile(r"\A ([^\W\d_][\w'-]*)")


@dataclass(frozen=True, slots=True)
class NameCost:
    """Of `answers` that were looked at: the places with the name's own capitals, and those that mean the subject.

    `longer` are names that hold it where it is meant, the most frequent first.
    """

    name: str
    answers: int
    places: int
    counted: int
    longer: tuple[str, ...]


def spelling_of(name: str) -> re.Pattern[str]:
    """Where the name stands as a word of its own, with its capitals."""
    return re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")


def cost_of(name: str, answers: Iterable[tuple[str, Set[int]]]) -> NameCost:
    """The cost of a name in these answers: each text with the places where the detector found the subject."""
    number = places = counted = 0
    longer: Counter[str] = Counter()
    spelling = spelling_of(name)
    for text, starts in answers:
        number += 1
        matches = list(spelling.finditer(text))
        places += len(matches)
        for match in matches:
            if any(start in starts for start in range(match.start(), match.end())):
                counted += 1
                longer.update(_longer(text, match))
    usual_names = (text for text, count in longer.items() if count >= USUAL * counted)
    ranked = sorted(usual_names, key=lambda text: (-longer[text], text))
    return NameCost(name, number, places, counted, tuple(ranked[:MAX_LONGER]))


def _longer(text: str, match: re.Match[str]) -> Iterable[str]:
    """The name with the word before it, or behind it, where that has a capital and is no plain word."""
    if (before := _BEFORE.search(text[max(0, match.start() - 40) : match.start()])) and _is_name(before[1]):
        yield f"{before[1]} {match[0]}"
    if (after := _AFTER.match(text[match.end() : match.end() + 40])) and _is_name(after[1]):
        yield f"{match[0]} {after[1]}"


def _is_name(word: str) -> bool:
    return word[:1].isupper() and not parts_of_speech(word.lower())

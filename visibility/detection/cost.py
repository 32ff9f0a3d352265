"""What adding an ambiguous name would cost: how often answers contain it, and how often it means the subject."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from visibility.detection.words import parts_of_speech

MOST_LONGER = 3
_USUAL = 0.1
"""The share of the meant places in which a longer name is worth naming."""
_BEFORE = re.compile(r"(?:^|[^\w'-])([^\W\d_][\w'-]{0,40}) \Z")
_AFTER = re.compile(r"\A ([^\W\d_][\w'-]{0,40})")


@dataclass(frozen=True, slots=True)
class NameCost:
    """Of `answers` that were read: `places` with the name's own capitals, and `meant`, those that mean the subject.

    `longer` are names that contain it where it is meant, most frequent first: they may be better ones to add.
    """

    name: str
    answers: int
    places: int
    meant: int
    longer: Sequence[str]


def name_cost(name: str, answers: Iterable[tuple[str, Set[int]]]) -> NameCost:
    """The cost of a name in these answers: each text with the places at which the detector sees the subject."""
    spelling = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")
    number = places = meant = 0
    longer: Counter[str] = Counter()
    for text, starts in answers:
        number += 1
        for match in spelling.finditer(text):
            places += 1
            if any(start in starts for start in range(match.start(), match.end())):
                meant += 1
                longer.update(_longer_names(text, match))
    usual = [longer_name for longer_name, count in longer.most_common() if count >= _USUAL * meant]
    return NameCost(name, number, places, meant, usual[:MOST_LONGER])


def _longer_names(text: str, match: re.Match[str]) -> Iterable[str]:
    """The name with the word before it, or behind it, where that has a capital and is no plain word."""
    before = _BEFORE.search(text[max(0, match.start() - 50) : match.start()])
    after = _AFTER.match(text[match.end() : match.end() + 50])
    if before and _is_name(before[1]):
        yield f"{before[1]} {match[0]}"
    if after and _is_name(after[1]):
        yield f"{match[0]} {after[1]}"


def _is_name(word: str) -> bool:
    return word[:1].isupper() and not parts_of_speech(word.lower())

"""What a name that also means something else would cost: how often answers have it, and how often it is meant."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
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


@dataclass(frozen=True, slots=True)
class LongerName:
    """A longer name that begins with a tracked one: `places` of the tracked one's `mentions` are of it."""

    name: str
    word: str
    places: int
    mentions: int


def longer_names(answers: Iterable[tuple[str, Sequence[int]]], names: Collection[str]) -> list[LongerName]:
    """By which longer names answers may mean somebody else, such as “Arlo Skye” for Arlo, the most frequent first.

    `answers` are texts with the places where a mention begins. A maker's own products stand beside its bare name or
    beside others of its own; somebody else's name stands alone. So only a name counts that is all that an answer says
    of the tracked one, in two answers or more; names that are tracked themselves do not.
    """
    tracked = {name.casefold() for name in names}
    mentions: Counter[str] = Counter()
    alone: dict[tuple[str, str], list[int]] = defaultdict(list)
    for text, starts in answers:
        words: dict[str, list[str]] = defaultdict(list)
        for start in starts:
            if name := max((name for name in names if text.startswith(name, start)), key=len, default=""):
                end = start + len(name)
                after = _AFTER.match(text[end : end + 40])
                words[name].append(after[1] if after and _is_name(after[1]) else "")
        for name, behind in words.items():
            mentions[name] += len(behind)
            if behind[0] and len({*behind}) == 1 and f"{name} {behind[0]}".casefold() not in tracked:
                alone[name, behind[0]].append(len(behind))
    found = [
        LongerName(name, word, sum(places), mentions[name])
        for (name, word), places in alone.items()
        if len(places) > 1
    ]
    usual = [longer for longer in found if longer.places >= USUAL * longer.mentions]
    return sorted(usual, key=lambda longer: (-longer.places, longer.name, longer.word))


def _longer(text: str, match: re.Match[str]) -> Iterable[str]:
    """The name with the word before it, or behind it, where that has a capital and is no plain word."""
    if (before := _BEFORE.search(text[max(0, match.start() - 40) : match.start()])) and _is_name(before[1]):
        yield f"{before[1]} {match[0]}"
    if (after := _AFTER.match(text[match.end() : match.end() + 40])) and _is_name(after[1]):
        yield f"{match[0]} {after[1]}"


def _is_name(word: str) -> bool:
    return word[:1].isupper() and not parts_of_speech(word.lower())

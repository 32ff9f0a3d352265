"""Proposes when a name that also means something else should count, from where its letters stand in answers."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from visibility.detection.names.ambiguity import Kind
from visibility.detection.text.words import parts_of_speech
from visibility.detection.types import Policy

ENOUGH = 5
"""So many lines where the name counted, and as many where it did not, before neighbours are proposed."""
OFTEN = 3
"""A word that stands so often beside the name where it is not meant, and never where it is, forbids it."""
COVERED = 0.9
MAX_WORDS = 8

_WORD = re.compile(r"[\w'-]+")
_SHORTEST = 4
_SPELT: frozenset[Kind] = frozenset({"word", "phrase", "letters", "quantity"})


@dataclass(frozen=True, slots=True)
class SeenName:
    """A place where the letters of a name stand: the words of its line and beside it, and whether it counted."""

    line: frozenset[str]
    beside: frozenset[str]
    counted: bool


def seen_names(text: str, name: str, counted: Collection[int]) -> Iterator[SeenName]:
    """Every place of an answer where the name stands as a word, whatever its capitals; `counted` are the starts of
    those that are mentions, in the raw text."""
    pattern = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", re.IGNORECASE)
    for found in pattern.finditer(text):
        begin = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        before = _words(text[begin : found.start()])
        after = _words(text[found.end() : end if end >= 0 else len(text)])
        yield SeenName(
            frozenset(before + after),
            frozenset(before[-1:] + after[:1]),
            any(found.start() <= at < found.end() for at in counted),
        )


def propose_policy(name: str, kind: Kind, seen: Sequence[SeenName]) -> Policy | None:
    """What would tell the name from its other meaning; None where there is nothing to propose.

    Only these capitals, where capitals tell. Words that stand beside it only where it is not meant. And, where it was
    seen often enough in both meanings, the few words of which nearly every line has one where it is meant and none
    where it is not.
    """
    meant, other = [each for each in seen if each.counted], [each for each in seen if not each.counted]
    policy = Policy(
        case_sensitive=kind in _SPELT and name != name.lower(),
        required_near=_required(name, meant, other),
        forbidden_near=_forbidden(meant, other),
    )
    return policy if policy != Policy() else None


def _forbidden(meant: Sequence[SeenName], other: Sequence[SeenName]) -> tuple[str, ...]:
    allowed = frozenset().union(*(each.beside for each in meant))
    often = Counter(word for each in other for word in each.beside if "f" not in parts_of_speech(word))
    found = (word for word, count in often.items() if count >= OFTEN and word not in allowed)
    return tuple(sorted(found, key=lambda word: (-often[word], word))[:MAX_WORDS])


def _required(name: str, meant: Sequence[SeenName], other: Sequence[SeenName]) -> tuple[str, ...]:
    """The fewest words that cover the lines, chosen one after the other; none where they would leave out too many."""
    if min(len(meant), len(other)) < ENOUGH:
        return ()
    misleading = frozenset().union(*(each.line for each in other)) | set(_words(name))
    left, chosen = list(meant), list[str]()
    while left and len(chosen) < MAX_WORDS:
        words = Counter(word for each in left for word in each.line - misleading if _tells(word))
        if not words:
            break
        best = min(words, key=lambda word: (-words[word], word))
        chosen.append(best)
        left = [each for each in left if best not in each.line]
    return tuple(chosen) if len(left) <= (1 - COVERED) * len(meant) else ()


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and not word.isdigit() and "f" not in parts_of_speech(word)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]

"""Finds all names of a dictionary in a folded text in one pass, and settles which of them are meant."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import ahocorasick

from visibility.detection.folding import fold
from visibility.detection.mapped import MappedText
from visibility.detection.scripts import ends_word, is_word_character, starts_word
from visibility.detection.types import Name

_HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2013](?=\w)")
_PRICE = re.compile(r"[$€£¥₹]\s?\d[\d.,]*\Z")
_PRICE_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Match:
    """A name at `start:end` of a folded text, of one or more subjects, and the rule that let it count."""

    start: int
    end: int
    subjects: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """All names that fold to the same text: whose they are, and how they are written."""

    length: int
    subjects: tuple[str, ...]
    written: frozenset[str]


class Dictionary:
    """The names of all subjects, prepared once. Safe to share between threads."""

    def __init__(self, names: Iterable[Name]) -> None:
        self._automaton = ahocorasick.Automaton()
        entries: dict[str, set[Name]] = {}
        for name in names:
            for form in _forms(name.text):
                entries.setdefault(form, set()).add(name)
        for form, owners in entries.items():
            subjects = tuple(sorted({name.subject for name in owners}))
            self._automaton.add_word(form, _Entry(len(form), subjects, frozenset(name.text for name in owners)))
        self._automaton.make_automaton()
        self._is_empty = not entries

    def occurrences(self, folded: MappedText, source: str) -> Iterator[Match]:
        """Every name that stands as a word in the folded text, overlaps included, by its end.

        `source` is the text that was folded.
        """
        text = folded.text
        if self._is_empty or not text:
            return
        for last, entry in self._automaton.iter(text):
            start, end = last + 1 - entry.length, last + 1
            rule = _rule(text, start, end)
            if rule == "after_price" and source[slice(*folded.source_span(start, end))] not in entry.written:
                continue
            if rule:
                yield Match(start, end, entry.subjects, rule)


def settle(matches: Iterable[Match]) -> list[Match]:
    """The matches that are meant where some overlap: the longest, of equals the first. Sorted by place."""
    starts: list[int] = []
    taken: list[Match] = []
    for match in sorted(matches, key=lambda match: (match.start - match.end, match.start)):
        index = bisect_left(starts, match.start)
        if index and taken[index - 1].end > match.start:
            continue
        if index < len(taken) and starts[index] < match.end:
            continue
        starts.insert(index, match.start)
        taken.insert(index, match)
    return taken


def _forms(name: str) -> set[str]:
    """The folded forms of a name: as it is, and without its hyphens ("Coca-Cola", "CocaCola")."""
    text = name.strip().replace("\0", "\ufffd")
    return {form for written in (text, _HYPHEN.sub("", text)) if (form := fold(written).text.strip())}


def _rule(text: str, start: int, end: int) -> str | None:
    """The rule by which the name at `start:end` stands as a word; None where it is a part of another word."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if after and not ends_word(text[end - 1], after):
        return None
    if not before or starts_word(before, text[start]):
        joined = any(char and is_word_character(char) for char in (before, after))
        return "joined" if joined else "word"
    if before.isdecimal() and _PRICE.search(text, max(0, start - _PRICE_LENGTH), start):
        return "after_price"
    return None

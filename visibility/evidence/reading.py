"""An answer as evidence reads it: its visible text, what it offers, whom it names, its words."""

import datetime
import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from visibility.detection.entries import Entry, entries
from visibility.detection.splitting import Line
from visibility.detection.visible import Visible, read
from visibility.detection.words import FUNCTION, is_plain
from visibility.evidence.resources import Quote
from visibility.evidence.vocabulary import WORD, stem

BRAND = ""
"""The key of the brand among those who are named; competitors have their ids."""
MOST_WORDS = 20_000
LONGEST_QUOTE = 400
_ENGLISH_SHARE = 0.1
_ITEM = 20
_LEAD = 60
_LEADING = re.compile(r"\w[\w'’&+-]*")


class Named(NamedTuple):
    """A tracked name at `start:end`; `subject` is the competitor's id, or BRAND. `is_offered`: the answer offers it
    for choice."""

    start: int
    end: int
    subject: str
    is_offered: bool = True


class Token(NamedTuple):
    """A word of the visible text."""

    stem: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The first words of a text."""
    return [Token(stem(word[0]), *word.span()) for word in islice(WORD.finditer(text), MOST_WORDS)]


class TermFinder:
    """Finds the terms of criteria among the words of a text, in time linear in it."""

    def __init__(self, terms: Mapping[str, Collection[tuple[str, ...]]]) -> None:
        self._keys: dict[tuple[str, ...], str] = {}
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for key in sorted(terms):
            for term in terms[key]:
                self._keys.setdefault(term, key)
                self._lengths[term[0]].add(len(term))

    def places(self, tokens: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
        """The key of each term, and where it starts and ends in the text; the longest at each place."""
        stems = tuple(token.stem for token in tokens)
        behind = 0
        for first, word in enumerate(stems):
            for length in sorted(self._lengths.get(word, ()), reverse=True):
                term = stems[first : first + length]
                if first >= behind and term in self._keys:
                    behind = first + len(term)
                    yield self._keys[term], tokens[first].start, tokens[behind - 1].end


@dataclass(frozen=True)
class AnswerText:
    """An answer, with the places of tracked names in its raw text. `prompt` is the prompt's id, `question` its
    words."""

    id: int
    text: str
    engine: str
    day: datetime.date
    prompt: str
    question: str
    named: Sequence[Named] = ()
    untracked: Sequence[str] = ()

    @cached_property
    def seen(self) -> Visible:
        """What a reader sees. Its places are stored compactly, as a topic has many answers."""
        seen = read(self.text)
        seen.at = array("I", seen.at)
        if isinstance(seen.places, list):
            seen.places = array("I", seen.places)
        return seen

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """What it offers."""
        return entries(self.seen)

    def is_offered_at(self, start: int, end: int) -> bool:
        """Whether a stretch of the visible text touches a name of what it offers, or a product card."""
        return self._offered.find(1, start, end) >= 0

    @cached_property
    def _offered(self) -> bytearray:
        """1 for each character of these."""
        marked = bytearray(len(self.seen.text) + 1)
        names = (place for entry in self.entries for place in entry.names)
        cards = ((line.start, line.end) for line in self.seen.lines if line.kind == "card")
        for start, end in (*names, *cards):
            marked[start:end] = b"\1" * (end - start)
        return marked

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """Its words."""
        return tokens_of(self.seen.text)

    @cached_property
    def names(self) -> Sequence[Named]:
        """The tracked names, by their places in the visible text."""
        at = self.seen.at
        places = (
            name._replace(start=bisect_left(at, name.start), end=bisect_left(at, name.end)) for name in self.named
        )
        return sorted(place for place in places if place.start < place.end)

    @cached_property
    def offered(self) -> frozenset[str]:
        """The tracked subjects among what it offers, whom it may praise; others are a part, or a shop."""
        return frozenset(name.subject for name in self.named if name.is_offered)

    @cached_property
    def is_english(self) -> bool:
        """Whether enough of its words are small words of English."""
        return sum(token.stem in FUNCTION for token in self.tokens) >= _ENGLISH_SHARE * len(self.tokens)

    @cached_property
    def owners(self) -> Sequence[Entry | None]:
        """For each line, the entry that it belongs to: the one that it offers, or the one above it, up to a line
        that another name leads."""
        offered: dict[int, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            for start, _ in entry.names:
                offered[self.seen.index_at(start)].append(entry)
        owners: list[Entry | None] = []
        owner, depth, end = None, 0, 0
        for number, line in enumerate(self.seen.lines):
            if number in offered:
                is_one = len({entry.number for entry in offered[number]}) == 1
                owner, depth = offered[number][-1] if is_one else None, _depth(line)
            else:
                if depth >= _ITEM and line.start > end if line.kind == "text" else _depth(line) <= depth:
                    owner = None  # no further in, or a paragraph behind a list
                lead = self._lead(line.body)
                if (owner or line.kind != "text") and lead in self._leads and lead not in self._leads_of(owner):
                    owner, depth = self._leads[lead], _depth(line)
            end = line.end
            owners.append(owner)
        return owners

    @cached_property
    def _leads(self) -> Mapping[str, Entry]:
        """The entries by what their names begin with."""
        return {lead: entry for entry in reversed(self.entries) for lead in self._leads_of(entry)}

    def _leads_of(self, entry: Entry | None) -> Collection[str]:
        return {self._lead(start) for start, _ in entry.names} if entry else ()

    def _lead(self, start: int) -> str:
        """The word at a place, or two where the first is one of the language."""
        first, *others = [*_LEADING.findall(self.seen.text[start : start + _LEAD]), "", ""][:2]
        return (f"{first} {others[0]}" if is_plain(first) else first).casefold()

    @cached_property
    def _name_starts(self) -> Sequence[int]:
        return [name.start for name in self.names]

    def named_in(self, start: int, end: int) -> Sequence[Named]:
        """The tracked names that begin in a stretch of the visible text."""
        return self.names[bisect_left(self._name_starts, start) : bisect_left(self._name_starts, end)]

    def subject_of(self, line: int) -> str | None:
        """The one subject whose name the entry of a line begins with; None for none, or an entry of others."""
        owner = self.owners[line]
        named = {name.subject for place in owner.names for name in self.named_in(*place)} if owner else set()
        return named.pop() if len(named) == 1 else None


def _depth(line: Line) -> int:
    """How far a line is indented: lines below that are further in belong to it."""
    depths = {"heading": line.level, "title": 10, "bold": 11}
    return depths.get(line.kind, _ITEM + 10 * (line.level > 1) + (line.kind == "item" and not line.is_numbered))


def quote_of(answer: AnswerText, start: int, end: int) -> Quote:
    """A stretch of the visible text as it is written in the raw one, cut at a word."""
    shown = answer.seen.text[start : min(end, start + LONGEST_QUOTE)]
    if start + len(shown) < end and " " in shown and answer.seen.text[start + len(shown)].isalnum():
        shown = shown[: shown.rindex(" ")]
    first, last = answer.seen.raw_span(start, start + max(len(shown.rstrip(" \0\xa0\n|")), 1))
    return Quote(
        text=answer.text[first:last], start=first, end=last, answer_id=answer.id, engine=answer.engine, day=answer.day
    )

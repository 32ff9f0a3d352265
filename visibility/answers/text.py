"""An answer as a reader sees it: its visible text, what it offers, whom it names, and whose a line is."""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from visibility.detection.entries import Entry, entries
from visibility.detection.splitting import Line
from visibility.detection.visible import Visible, read
from visibility.detection.words import is_plain

_ITEM = 20
_LEAD = 60
_LEADING = re.compile(r"\w[\w'’&+-]*")


class Named(NamedTuple):
    """The name of a subject at `start:end`. `is_offered`: the answer offers it for choice."""

    start: int
    end: int
    subject: str
    is_offered: bool = True


@dataclass(frozen=True)
class AnswerText:
    """An answer, with the places of names in its raw text."""

    text: str
    named: Sequence[Named] = ()

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
    def names(self) -> Sequence[Named]:
        """The names by their places in the visible text."""
        at = self.seen.at
        places = (
            name._replace(start=bisect_left(at, name.start), end=bisect_left(at, name.end)) for name in self.named
        )
        return sorted(place for place in places if place.start < place.end)

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
        """The names that begin in a stretch of the visible text."""
        return self.names[bisect_left(self._name_starts, start) : bisect_left(self._name_starts, end)]


def _depth(line: Line) -> int:
    """How far a line is indented: lines below that are further in belong to it."""
    depths = {"heading": line.level, "title": 10, "bold": 11}
    return depths.get(line.kind, _ITEM + 10 * (line.level > 1) + (line.kind == "item" and not line.is_numbered))

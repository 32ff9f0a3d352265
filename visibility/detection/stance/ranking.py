"""The place of each subject in an answer: its ordinal in the main list of recommendations, else its order.

The main list is the kind of head (list items, headings, lines that begin in bold, table rows or columns) that names
the most subjects; of equals the first. Untracked entries count. What the answer names elsewhere ranks behind them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from visibility.detection.names.matching import Match
from visibility.detection.text.lines import Line, Lines
from visibility.detection.text.spans import Spans
from visibility.detection.text.words import word_set

_PARTS = re.compile(r"[:\uff1a]|\s[\u2013\u2014-]\s")
_BREAKS = re.compile(r"[.;!?]\s|[,(\[\uff08\u3002\u3001\uff0c]")
_NUMBERED = re.compile(r"\s*(?:#\s?)?\d{1,3}[.):]?\s")
_LEADING_WORDS = word_set("the a an our my best top try consider use get our pick overall runner up")
_MAX_LEAD_LENGTH = 6
_NO_ENTRY = re.compile(
    r"\W*(?:overview|summary|conclusions?|introduction|intro|verdict|final|bottom\ line|faqs?|how|what|why|when|who"
    r"|where|tips?|notes?|comparison|quick|short|long|key|pros|cons|other|others|honou?rable|sources|next|which"
    r"|recommend\w*"
    r"|my\ |our\ |in\ short|in\ summary|things|things\ to|before|after|also|general|background|methodology|disclaimer"
    r"|fazit|\u00fcberblick|zusammenfassung|r\u00e9sum\u00e9|conclusi\u00f3n|resumen|\u307e\u3068\u3081"
    r"|\u603b\u7ed3)\b",
    re.IGNORECASE | re.VERBOSE,
)


class Rank(NamedTuple):
    """1 for the first, and the rule: "list", "heading", "bold", "row", "column", "order" or "outside"."""

    number: int
    rule: str


@dataclass(frozen=True, slots=True)
class _Head:
    """A match at the head of an entry: the kind of list that the entry belongs to, and the entry's line."""

    rule: str
    family: tuple[str, int]
    entry: int
    match: Match


def rank(matches: Sequence[Match], lines: Lines, bold: Spans) -> Mapping[str, Rank]:
    """The rank of each subject of `matches`, which are sorted by place."""
    subjects = list(dict.fromkeys(subject for match in matches for subject in match.subjects))
    heads = [head for match in matches if (head := _head(match, lines, bold))]
    main = _main_list(heads)
    if not main:
        return {subject: Rank(place, "order") for place, subject in enumerate(subjects, 1)}
    ordinals = _ordinals(main, lines, bold)
    ranks: dict[str, Rank] = {}
    for head in main:
        for subject in head.match.subjects:
            if head.entry in ordinals:
                ranks.setdefault(subject, Rank(ordinals[head.entry], head.rule))
    behind = max(ordinals.values(), default=0)
    for subject in subjects:
        if subject not in ranks:
            behind += 1
            ranks[subject] = Rank(behind, "outside" if main else "order")
    return ranks


def _head(match: Match, lines: Lines, bold: Spans) -> _Head | None:
    index = lines.index_at(match.start)
    line = lines[index]
    place = line.place
    if place.kind == "cell":
        if place.ordinal == 0:
            return _Head("column", ("column", place.group), index, match) if _leads(line, match) else None
        return _Head("row", (f"row {place.column}", place.group), index, match) if _leads(line, match) else None
    if place.kind == "heading" and _leads(line, match):
        return _Head("heading", ("heading", place.level), index, match)
    if place.kind == "item" and place.level == 1 and place.leads and index == lines.first_of(index):
        return _Head("list", ("list", 1), index, match) if _leads(line, match) else None
    if place.kind == "text" and bold.touches(line.body, line.body + 1):
        held = bold.holding(line.body, line.body + 1)
        if held and match.end <= held[1] and _leads(line, match):
            return _Head("bold", ("bold", 0), index, match)
    return None


def _leads(line: Line, match: Match) -> bool:
    """Whether the name is what the entry is about: at its start, behind a label ("Best overall: Vessi") at most."""
    before = line.text[line.body - line.start : match.start - line.start]
    numbered = _NUMBERED.match(before + " ")
    if numbered:
        before = before[numbered.end() :]
    if _BREAKS.search(before):
        return False
    parts = _PARTS.split(before)
    words = parts[-1].split()
    plain = [word for word in words if word[:1].islower() and word.lower() not in _LEADING_WORDS]
    return len(parts) <= 2 and not plain and len(words) <= _MAX_LEAD_LENGTH


def _main_list(heads: Sequence[_Head]) -> list[_Head]:
    families: dict[tuple[str, int], list[_Head]] = {}
    for head in heads:
        families.setdefault(head.family, []).append(head)
    named = {
        family: {subject for head in held for subject in head.match.subjects} for family, held in families.items()
    }
    # A column or a row of headings that names one subject alone compares nothing.
    usable = [family for family in families if family[0] != "column" or len(named[family]) > 1]
    best = max(usable, key=lambda family: (len(named[family]), -families[family][0].entry), default=None)
    return families[best] if best else []


def _ordinals(main: Sequence[_Head], lines: Lines, bold: Spans) -> dict[int, int]:
    """The number of each entry of the main list, by its line."""
    rule, (_, number) = main[0].rule, main[0].family
    entries = [head.entry for head in main]
    known = frozenset(entries)
    if rule == "row":
        return {entry: lines[entry].place.ordinal for entry in entries}
    if rule == "column":
        return {entry: place for place, entry in enumerate(dict.fromkeys(entries), 1)}
    groups = {lines[entry].place.group for entry in entries}
    candidates = [
        index
        for index in _entries(rule, number, lines, bold)
        if rule != "list" or lines[index].place.group in groups or entries[0] < index < entries[-1]
    ]
    if rule in ("heading", "bold"):
        numbered = [index for index in candidates if _NUMBERED.match(lines[index].text)]
        if not known.isdisjoint(numbered):
            candidates = numbered
        else:
            candidates = [index for index in candidates if index in known or not _NO_ENTRY.match(lines[index].text)]
    return {index: place for place, index in enumerate(candidates, 1)}


def _entries(rule: str, level: int, lines: Lines, bold: Spans) -> Iterator[int]:
    """The lines that are entries of a kind of list."""
    for index in range(len(lines)):
        line = lines[index]
        place = line.place
        if rule == "heading":
            matches = place.kind == "heading" and place.level == level
        elif rule == "list":
            matches = place.kind == "item" and place.level == 1 and place.leads and index == lines.first_of(index)
        else:
            matches = place.kind == "text" and bold.touches(line.body, line.body + 1)
        if matches and line.text.strip():
            yield index

"""How the lines of an answer belong together: entries of names, the labels in them, rows of tables below a header."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from visibility.detection.splitting import Line
from visibility.detection.visible import Span, Visible

LABELLED = 3
"""Names below which the same label begins a line."""
LONGEST_LABEL = 4
"""Words."""
_LOOKED_AT = 20
_ARTICLE = 4
"""Characters before a name that still begins its line."""
_COLON = re.compile(r"[^:\uff1a\n\0]{1,40}[:\uff1a]")
_WORD = re.compile(r"[^\W\d_]{2}")
_DEPTHS = {"title": 10, "bold": 11, "text": 15, "item": 20, "point": 25, "card": 25, "cell": 30}
"""How far in a line is, above that of headings: lines below it that are further in belong to it."""


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A name at `start:end` of the visible text: as subjects are listed, or of somebody who is not tracked."""

    start: int
    end: int
    name: str
    is_tracked: bool = True


def labels_of(seen: Visible, places: Sequence[NamePlace]) -> set[int]:
    """The starts of lines with a label that begins lines below many names, thus a part of each entry: "Cons:"."""
    heads = {line.start: _head(seen, line) for line in seen.lines}
    number = Counter(heads.values())
    names: dict[int, list[NamePlace]] = defaultdict(list)
    for place in places:
        names[seen.line_at(place.start).start].append(place)
    owners: dict[str, set[str]] = defaultdict(set)
    entries: list[tuple[int, str]] = []
    for start, head in heads.items():
        inside = names.get(start, [])
        if head and all(not each.is_tracked and each.name.casefold() == head for each in inside):
            owner = next((name for times, name in reversed(entries[-_LOOKED_AT:]) if times < number[head]), "")
            owners[head].update([owner] if owner else [])
        if inside:
            entries.append((number[head] if head else 0, inside[0].name))
    return {start for start, head in heads.items() if len(owners[head]) >= LABELLED}


def is_label(seen: Visible, place: NamePlace, labels: Collection[int]) -> bool:
    """Whether a name is one of these labels: "Cons" is offered by nobody."""
    line = seen.line_at(place.start)
    return line.start in labels and not place.is_tracked and place.name.casefold() == _head(seen, line)


def _head(seen: Visible, line: Line) -> str:
    """The label that a line begins with, without capitals; empty where it has none."""
    words = seen.text[line.body : line.end]
    found = _COLON.match(words)
    head = (found[0] if found else seen.text[line.body : line.head]).strip(" :\uff1a\n").casefold()
    is_label = line.kind not in ("card", "cell") and len(head.split()) <= LONGEST_LABEL
    return head if is_label and not any(letter.isdigit() for letter in head) else ""


def row_of(lines: Sequence[Line], number: int) -> Span:
    """The row of a table with a cell."""
    first = number - lines[number].column
    last = next((at for at in range(number + 1, len(lines)) if not lines[at].column), len(lines))
    return lines[first].start, lines[last - 1].end


def header_of(seen: Visible, place: int) -> Span | None:
    """The names of the columns of a table that has rows and this place."""
    number = seen.index_at(place)
    lines = seen.lines
    if lines[number].kind != "cell":
        return None
    while lines[number].row or lines[number].column:
        number -= 1
    start, end = row_of(lines, number)
    below = seen.line_at(end)
    return (start, end) if below.kind == "cell" and below.row else None


def continues(seen: Visible, before: Line, line: Line) -> bool:
    """Whether a line is of the same paragraph or shop's tile as the one before it: no words but a price or stars."""
    words = seen.text[line.start : line.end]
    if line.kind != "heading" and not _WORD.search(words):
        return True
    is_next = line.start <= before.end
    return is_next and (line.kind == "text" or (line.kind == "title" and seen.text[before.end - 1] == "\n"))


def depth_of(line: Line) -> int:
    """How far in a line is: lines below it that are further in belong to it."""
    if line.kind == "heading":
        return line.level
    return _DEPTHS[line.kind] + (line.kind == "item") * (10 * (line.level > 1) + (not line.is_numbered))


def leads(seen: Visible, place: NamePlace) -> bool:
    """Whether a name begins its line, or follows its label: "Best for rain: Zentra"."""
    line = seen.line_at(place.start)
    before = seen.text[line.body : place.start].rstrip()
    return len(before) <= _ARTICLE or before.endswith((":", "\uff1a", "–", "—"))


def name_above(seen: Visible, names: Sequence[NamePlace], start: int) -> NamePlace | None:
    """The name that words at a place without one are on: the last before them, unless that is in passing, in a point
    on the name above: "heavier than Zentra" below Kryton."""
    before = [each for each in names if each.end <= start]
    if not before:
        return None
    last, number = before[-1], seen.index_at(start)
    own = seen.line_at(last.start)
    if depth_of(seen.lines[number]) > depth_of(own) or leads(seen, last):
        return last
    above = (
        each for each in reversed(before) if leads(seen, each) or depth_of(seen.line_at(each.start)) < depth_of(own)
    )
    entry = next(above, last)
    first = seen.index_at(entry.start)
    is_below = all(depth_of(line) > depth_of(seen.lines[first]) for line in seen.lines[first + 1 : number + 1])
    is_entry = seen.lines[first].kind != "text" and own is not seen.lines[number]
    return entry if is_entry and is_below else last

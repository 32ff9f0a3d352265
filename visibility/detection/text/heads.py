"""The heads of an answer: what its titles, list items, bold lines, rows and, in flat text, colons say first."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from visibility.detection.text.lines import Line, Lines
from visibility.detection.text.visible import VisibleText

_MAX_LENGTH = 110
_MAX_INTRODUCTION = 300
_MAX_FLAT = 60_000
_NESTED = 4
_ARROW = "\u2192"
_COLON = re.compile(rf"[:\uff1a](?!//)(?!\d\d\b)|\s{_ARROW}(?=\s)")
# Where the words before a head end, in text that lost its line ends: "for workouts.Jabra Elite 7", "(2k+)Others",
# "more expensive.eero: …".
_BOUNDARY = re.compile(
    r"""(?<![\s.][A-Z])(?<!\b(?:vs|Dr|St|Mr|No|qt|in|oz|lb|ft))[.!?\u2026]["\u201d'\u2019)]*(?:\s+|(?=[A-Z]|\d\w*[A-Z]|\d{3,4}\s[A-Z]))
      | (?<=[a-z]{3})\.(?=[a-z]{4,}\w*(?:\s[A-Z\d][\w+-]*){0,3}(?::|\Z))
      | [\xa0\0]\s* | \s{2,} | \)(?=[A-Z]) | \$[\d,]+(?:\.\d\d)?(?=[A-Z]) | \bSee\ more(?=[A-Z])
      | \s[-\u2022*]\s+ | \]\s?(?=[A-Z])""",
    re.VERBOSE,
)
_FLAT_ITEM = re.compile(r"(?P<gap>\A|\s{1,200})(?P<sign>[-\u2022*]|\#{1,6}|\d{1,2}[.)])\s{1,4}(?=\S)")
_BULLET = re.compile(r"[^\w\"'\u201c$]*(?:(?:#\s?)?\d{1,3}(?:[.):]|\ufe0f?\u20e3)\s+)?[^\w\"'\u201c$]*")


class Head(NamedTuple):
    """The words at `start:end` of the visible text that an entry, or a title above entries, begins with.

    `rule` is what it stands in: list, nested, heading, bold, row, column or flat. `stop` is where what belongs to it
    in its line ends. `level` is that of headings and lists, and the number of the column of cells.
    """

    rule: str
    start: int
    end: int
    stop: int
    level: int = 0


def heads(seen: VisibleText, lines: Lines) -> Iterator[Head]:
    """All heads in reading order."""
    for index in range(len(lines)):
        if lines[index].text.strip():
            yield from _of_line(seen, lines, index)


def _of_line(seen: VisibleText, lines: Lines, index: int) -> Iterator[Head]:
    line, place = lines[index], lines[index].place
    start = _begin(seen, line.body, line.end)
    bold = seen.bold.holding(start, start + 1) if start < line.end else None
    end = min(line.end, bold[1]) if bold else line.end
    match place.kind:
        case "heading":
            yield Head("heading", start, line.end, line.end, place.level)
        case "cell":
            yield Head("row" if place.ordinal else "column", start, line.end, line.end, place.column)
        case "item" if place.leads and lines.opens_block(index):
            if len(line.text) > 4 * _MAX_LENGTH and _FLAT_ITEM.search(line.text, _MAX_LENGTH):
                yield from _flat(seen, line, line.start)
            else:
                yield Head("list" if place.level == 1 else "nested", start, end, line.end, place.level)
        case "text" if bold and bold[1] <= line.end + 1:
            yield Head("bold", start, end, line.end)
            if line.end - bold[1] > _MAX_LENGTH:
                yield from _flat(seen, line, bold[1])
        case "text":
            yield from _flat(seen, line, line.start)


def _begin(seen: VisibleText, start: int, end: int) -> int:
    """Where the words begin, behind signs and a number."""
    found = _BULLET.match(seen.prose.text, start, end)
    return found.end() if found else start


def _flat(seen: VisibleText, line: Line, first: int) -> Iterator[Head]:
    """The heads within a line: the words before a colon, from the end of the sentence before, what stands behind an
    arrow, and behind the sign of an item or heading in the middle of it."""
    shown, last = seen.prose.text, min(line.end, first + _MAX_FLAT)
    kinds = {item.end(): _kind(item) for item in _FLAT_ITEM.finditer(shown, first, last)}
    ends = dict(_before_colons(shown, first, last))
    starts = sorted(ends)
    for item in sorted({*kinds, *_behind_arrows(shown, first, last)}):
        nearest = bisect_right(starts, item) - 1
        if nearest >= 0 and item <= ends[starts[nearest]]:
            kinds.setdefault(starts[nearest], kinds.get(item, ("flat", 0)))
        else:
            high = min(last, item + _MAX_LENGTH)
            boundary = _BOUNDARY.search(shown, item, high)
            ends[item] = boundary.start() if boundary else high
    for start, following in pairwise([*sorted(ends), line.end]):
        words = _begin(seen, start, ends[start])
        if words < ends[start]:
            rule, level = kinds.get(start, ("flat", 0))
            yield Head(rule, words, ends[start], max(ends[start], following), level)


def _before_colons(shown: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Where the words before each colon begin, and the colon; not those that are a sentence of their own."""
    done = first
    for colon in _COLON.finditer(shown, first, last):
        if _ARROW in colon[0]:
            continue
        low = start = max(done, colon.start() - _MAX_INTRODUCTION)
        for boundary in _BOUNDARY.finditer(shown, low, colon.start()):
            start = boundary.end()
        if (start > low or low == done) and shown[colon.start() - 1 : colon.start()] not in (".", "!", "?"):
            yield start, colon.start()
        done = colon.end()


def _behind_arrows(shown: str, first: int, last: int) -> Iterator[int]:
    for found in _COLON.finditer(shown, first, last):
        if _ARROW in found[0]:
            yield found.end() + 1


def _kind(item: re.Match[str]) -> tuple[str, int]:
    """What a sign in the middle of a line was when the line ends were still there."""
    if item["sign"].startswith("#"):
        return "heading", len(item["sign"])
    if len(item["gap"]) >= _NESTED:
        return "nested", 2
    return ("list", 1) if item["sign"][0].isdigit() else ("flat", 0)

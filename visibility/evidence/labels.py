"""The labels of an answer that may be what it judges by: heads of columns, bold leads, bullets, headings."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from visibility.detection.text.entries import Entry
from visibility.detection.text.entry_labels import introduces, is_end, is_neutral_title
from visibility.detection.text.heads import Head, heads
from visibility.detection.text.languages import is_foreign
from visibility.detection.text.reading import Reading
from visibility.detection.text.spans import Spans
from visibility.evidence.vocabulary import (
    MAX_WORDS,
    Key,
    ends_in_noun,
    is_category,
    is_common,
    is_listed,
    is_mere_group,
    is_none,
    key_of,
    label_of_key,
    stem,
)

MAX_HEADS = 3_000
_MAX_LETTERS = 60
_MAX_SIGNS = 4
_BEGINNING = 600
_CUT = re.compile(r"[:\uff1a]|\s[\u2013\u2014-]\s|\s?[(\[\uff08]|\s?\u2192|[.!?]\s|\s=\s")
_BEST = re.compile(r"(?:the\s)?(?:best|top|great|good|ideal|perfect)?\s?(?:for\s|in\s)?(?P<rest>\S.*)", re.IGNORECASE)
_JOINT = re.compile(r"\s?[/&+,]\s?|\s(?:and|und|et|y)\s")
_SIGNS = " \t\n\0\xa0*_#:|\"'\u201c\u201d\u2022\u2013\u2014.,;!"
_DIGIT = re.compile(r"[\d\u00ae\u2122]")


class Label(NamedTuple):
    """A label, where in the visible text its words stand, and up to where its line speaks of it.

    `keys` are those of what it names, several for "Fit and comfort". `is_certain` where its place shows that it is a
    label, as a colon or bold type does; else it counts where others show that it is one. `is_group` where it names
    whom or what a group of products is for: "Best for battery life". `is_offered`: the answer offers it, so that it
    is somebody's name here.
    """

    text: str
    start: int
    end: int
    stop: int
    keys: Sequence[tuple[Key, str]]
    is_certain: bool
    is_group: bool
    is_offered: bool


def labels_of(reading: Reading, entries: Sequence[Entry], named: Spans) -> Iterator[Label]:
    """The labels of an answer, in order; `entries` are what it offers, `named` where in the raw text it names anybody
    who is tracked."""
    abroad = is_foreign(reading.seen.prose.text[:_BEGINNING])
    offered = Spans(name for entry in entries for name in entry.names)
    for head in islice(heads(reading.seen, reading.lines), MAX_HEADS):
        label = _label(reading, head, abroad=abroad)
        if label is None:
            continue
        start, end = reading.seen.prose.source_span(label.start, label.end)
        opening = reading.text[max(0, start - _MAX_SIGNS) : start].rstrip("*_")
        if not opening.endswith("[") and not named.touches(start, end):  # what is linked is a product or a source
            yield label._replace(is_offered=offered.touches(label.start, label.end))


def _label(reading: Reading, head: Head, *, abroad: bool) -> Label | None:
    if head.rule in ("row", "column") and not _is_measure(head):
        return None
    prose = reading.seen.prose.text
    cut = _CUT.search(prose, head.start, head.end)
    end = cut.start() if cut else head.end
    words = prose[head.start : end]
    text = words.strip(_SIGNS)
    start = head.start + len(words) - len(words.lstrip(_SIGNS))
    if (
        not 2 < len(text) <= _MAX_LETTERS
        or _DIGIT.search(text)
        or not (is_listed(text, abroad=abroad) or is_common(text, abroad=abroad))
    ):
        return None
    is_group = is_category(text) and not is_listed(text, abroad=abroad)
    group = _BEST.fullmatch(text) if is_group else None
    named = group["rest"] if group else text
    keys = [row for row in _keys(named, abroad=abroad) if not (is_group and is_mere_group(row[1]))]
    if not keys:
        return None
    return Label(
        text=text,
        start=start,
        end=start + len(text),
        stop=head.stop,
        keys=keys,
        is_certain=not is_group and (bool(cut and cut[0] != ". ") or _is_marked(reading, head)),
        is_group=is_group,
        is_offered=False,
    )


def _is_measure(head: Head) -> bool:
    """Whether a cell is the head of a column, but the first, or the first of a row: others hold what is measured."""
    return (head.rule == "column") == (head.level > 0)


def _is_marked(reading: Reading, head: Head) -> bool:
    if head.rule in ("flat", "heading", "column", "row"):
        return True
    bold = reading.seen.bold.holding(head.start, head.start + 1)
    return bold is not None and bold[1] <= head.end + 1


def _keys(text: str, *, abroad: bool) -> Iterator[tuple[Key, str]]:
    """The key and the words of each criterion that a label names."""
    if label_of_key(key_of(text, abroad=abroad)):
        yield key_of(text, abroad=abroad), text
        return
    for part in _parts(text):
        key = key_of(part, abroad=abroad)
        if (
            key
            and len(part.split()) <= MAX_WORDS
            and (is_listed(part, abroad=abroad) or _is_judged(part, key, abroad=abroad))
        ):
            yield key, part


def _is_judged(part: str, key: Key, *, abroad: bool) -> bool:
    """Whether a label may name what is judged by: a noun, and no title of an answer's parts."""
    if is_none(part):
        return False
    if label_of_key(key):
        return True
    is_title = is_end(part) or is_neutral_title(part) or introduces(part)
    return not is_title and (abroad or ends_in_noun(part))


def _parts(text: str) -> Sequence[str]:
    """What "and" joins, each with what both share: "Ease of use and cleaning"."""
    parts = [part for part in _JOINT.split(text) if part]
    if len(parts) < 2:
        return parts
    first = parts[0]
    if " of " in first:
        opening = first[: first.index(" of ") + 4]
        return [first, *(part if " " in part else opening + part for part in parts[1:])]
    return parts


def is_kind(text: str, question_stems: frozenset[str]) -> bool:
    """Whether a label names a kind of the products that the question asks for: "Laser printers"."""
    words = text.split()
    last = words[-1].casefold()
    return stem(last) in question_stems and stem(last) != last

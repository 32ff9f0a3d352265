"""The entries of an answer: the things that it offers for choice, found by its structure and its capitals alone.

An entry is the head of a list item, heading, bold line or row of a table that is a name, or a name before a colon in
flat text ("Best overall: Vessi Weekend: it is …"). Who is tracked plays no part. Distinct entries are numbered in
reading order; one that comes again keeps its number. Labels ("Pros:"), advice on choosing, shops and sources are
none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile

from visibility.detection.text.cards import cards
from visibility.detection.text.entry_labels import (
    introduces,
    is_attribute,
    is_end,
    is_neutral_title,
    is_offer,
    is_plain,
)
from visibility.detection.text.entry_names import Span, end_of_names, is_name, name_words, names_at
from visibility.detection.text.heads import Head, heads
from visibility.detection.text.lines import Lines
from visibility.detection.text.visible import VisibleText

MAX_ENTRIES = 300
"""So many entries of one answer are told, those that come again among them; who lists more recommends nobody."""

_MAX_HEADS = 3_000
_ENOUGH_NAMES = 2
_ENOUGH_UNTITLED = 3
_MAX_BEHIND = 160
_MAX_LABEL = 16
_MAX_BARE_NAME = 6
_TITLED = ("heading", "bold")
_COLON = re.compile(r"[:\uff1a]")
_LABEL = re.compile(r"[^:\uff1a]{1,80}[:\uff1a]\W{0,6}(?=\w)")
_DASH = re.compile(r"\s[\u2013\u2014-]\s")
_SENTENCE_END = re.compile(r"\.(?:\s|(?=[A-Z])|\Z)|\s{2,}|\s-\s|[\n\0\xa0]")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: its number from 1, what it was found by, where in the visible text its names stand, and up to where
    it is spoken of."""

    number: int
    rule: str
    names: Sequence[Span]
    stop: int


@dataclass(frozen=True, slots=True)
class _Found:
    """Names that share an entry, and the words of the first; `is_certain` where one is no word of the language."""

    rule: str
    names: Sequence[Span]
    stop: int
    words: frozenset[str]
    is_certain: bool


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A head with its label: its words up to what is said there. `is_told_often`: it comes again among its like;
    `is_bare`: nothing stands between it and the next head, which is no point of one thing."""

    head: Head
    label: str
    is_plain: bool
    is_told_often: bool
    is_bare: bool


def entries(seen: VisibleText, lines: Lines, *, asked: bool | None) -> Sequence[Entry]:
    """All entries in reading order, and the product cards that show them again. `asked`: whether the question asks
    for things to choose, None where it may; unless it does, the answer itself has to show that it lists such things.
    In time linear in the text."""
    shown, listed = seen.prose.text, list(islice(heads(seen, lines), _MAX_HEADS))
    found = _Reader(shown, listed, asked=asked is True).read()
    if not asked and (found or asked is None):
        every = _Reader(shown, listed, asked=True).read()
        if _is_same_list(found, every) if found else _are_things(every, shown):
            found = every
    return list(_numbered(found, shown)) if found else []


def _are_advice(found: Sequence[_Found]) -> bool:
    """Whether so many stand together and few are names for certain: "It should be: - Oil-free - Light"."""
    return len(found) >= _ENOUGH_UNTITLED and 2 * sum(each.is_certain for each in found) < len(found)


def _is_same_list(found: Sequence[_Found], every: Sequence[_Found]) -> bool:
    """Whether what stands above the title of a list is offered below it, too: the answer begins with it then."""
    return {each.words for each in every} == {each.words for each in found}


def _are_things(every: Sequence[_Found], shown: str) -> bool:
    """Whether entries that no title introduces are things to choose all the same: nothing but names, and in flat
    text, where what is said of one thing looks alike, names that a product card shows again."""
    if len({each.words for each in every}) < _ENOUGH_UNTITLED or not all(each.is_certain for each in every):
        return False
    on_cards = [name_words(shown[slice(*card)]) for card in cards(shown)]
    return all(each.rule != "flat" for each in every) or any(
        each.words <= words for each in every for words in on_cards
    )


def _numbered(found: Sequence[_Found], shown: str) -> Iterator[Entry]:
    """The entries with their numbers. Plain words are names only where they stand among names, or nothing else."""
    certain = Counter(each.rule for each in found if each.is_certain)
    every = Counter(each.rule for each in found)
    numbers: list[tuple[frozenset[str], str, int]] = []
    for each in found:
        flat, known = each.rule == "flat", certain[each.rule]
        among_names = 3 * known >= every[each.rule] or (not flat and known >= _ENOUGH_NAMES)
        if not each.is_certain and not among_names and (flat or known):
            continue
        number = next((number for words, rule, number in numbers if _same(words, each.words, rule == each.rule)), 0)
        if not number:
            number = 1 + max((number for *_, number in numbers), default=0)
        numbers.append((each.words, each.rule, number))
        yield Entry(number, each.rule, each.names, each.stop)
    for start, end in cards(shown):
        words = name_words(shown[start:end])
        if number := next((number for held, _, number in numbers if held <= words), 0):
            yield Entry(number, "card", [(start, end)], end)


def _same(one: frozenset[str], other: frozenset[str], is_same_kind: bool) -> bool:
    """Whether two entries are one thing: of one list by the same words, elsewhere also by a part of them."""
    return one == other if is_same_kind else one <= other or other <= one


class _Reader:
    """Goes through the heads of an answer. `_is_open` where things to choose may stand, `_says_so` where a title says
    that they do; the first such title has so many entries `_above`. `_inside` is the head that what follows belongs
    to."""

    def __init__(self, shown: str, found: Sequence[Head], *, asked: bool) -> None:
        self._shown = shown
        self._asked = self._is_open = asked
        self._says_so = False
        self._above = 0
        self._inside: Head | None = None
        self._found: list[_Found] = []
        self._heads = self._labelled(found)
        self._named = Counter((each.head.rule, each.head.level) for each in self._heads if not each.is_plain)

    def read(self) -> Sequence[_Found]:
        """What is found, in reading order, not yet numbered."""
        for each in self._heads:
            if len(self._found) < MAX_ENTRIES and not self._is_detail(each):
                self._take(each)
        above, below = self._found[: self._above], self._found[self._above :]
        return below if _are_advice(above) and not _are_advice(below) else self._found

    def _labelled(self, found: Sequence[Head]) -> Sequence[_Labelled]:
        labels = [self._label_of(head) for head in found]
        kinds = [(head.rule, head.level, label.lower()) for head, label in zip(found, labels, strict=True)]
        often = Counter(kinds)
        bare = [
            not any(map(str.isalnum, self._shown[head.end : following.start]))
            and not is_attribute(label)
            and not (head.rule == "flat" and _DASH.search(self._shown, head.start, head.end))
            for (head, following), label in zip(pairwise(found), labels[1:], strict=True)
        ]
        return [
            _Labelled(head, label, is_plain(label), often[kind] > 1, is_bare)
            for head, label, kind, is_bare in zip(found, labels, kinds, [*bare, False], strict=False)
        ]

    def _label_of(self, head: Head) -> str:
        is_sentence = head.rule == "flat" and not _DASH.search(self._shown, head.start, head.end)
        end = head.end if is_sentence else self._end_of_names(head, head.start, head.end)
        return _COLON.split(self._shown[head.start : end], maxsplit=1)[0].strip(" *_\xa0\n")

    def _is_detail(self, each: _Labelled) -> bool:
        """Whether a head is a point of the entry above it, or one that is told of each entry."""
        head, above = each.head, self._inside
        if is_attribute(each.label) or (each.is_plain and each.is_told_often):
            return True
        if head.rule == "nested" or (head.rule in ("row", "column") and head.level > 0):
            return True
        return above is not None and (
            head.rule == "list" or (head.rule == "heading" == above.rule and head.level > above.level)
        )

    def _take(self, each: _Labelled) -> None:
        behind = self._behind(each)
        if self._closes(each):
            if each.head.rule in _TITLED or (each.head.rule == "flat" and (" " in each.label or each.is_bare)):
                self._is_open, self._says_so, self._inside = False, False, None
        elif behind and self._asked and is_offer(each.label) and self._offers(each, behind):
            self._is_open = True
            self._enter(each.head)
        elif self._opens(each) and behind and self._only_names(each, *behind):
            pass
        elif self._is_title(each):
            self._inside = None
            self._says_so = self._says_so or (self._is_open and is_offer(each.label))
        elif self._is_open and self._add(each.head, each.head.start, each.head.end):
            self._enter(each.head)

    def _closes(self, each: _Labelled) -> bool:
        """Whether what follows is no list of things to choose, such as advice on choosing."""
        is_no_name = each.is_plain or each.head.rule in _TITLED or not is_name(each.label.split())
        return is_no_name and is_end(each.label)

    def _opens(self, each: _Labelled) -> bool:
        """Whether things to choose may stand here; a label that introduces them says so for what follows."""
        if introduces(each.label) and (each.is_plain or not is_name(each.label.split())):
            self._above = self._above if self._says_so else len(self._found)
            self._is_open = self._says_so = True
        return self._is_open

    def _enter(self, head: Head) -> None:
        if head.rule in _TITLED:
            self._inside = head

    def _is_title(self, each: _Labelled) -> bool:
        """Whether entries stand below or behind it: a plain label, or one with nothing behind before the next."""
        label, head = each.label, each.head
        if head.rule == "column" or is_neutral_title(label) or (each.is_plain and is_offer(label)):
            return True
        if head.rule == "flat":
            return each.is_bare or len(label.split()) > _MAX_LABEL
        if not each.is_plain:
            return is_offer(label) and (introduces(label) or (each.is_bare and is_offer(_plain_start(label))))
        return head.rule in _TITLED and not self._named[head.rule, head.level]

    def _behind(self, each: _Labelled) -> Span | None:
        """What stands behind a label, in its head or its line: "Vessi" in "Best overall: Vessi"."""
        head = each.head
        stop = min(head.stop, head.end + _MAX_BEHIND)
        found = _LABEL.match(self._shown, head.start, stop)
        return (found.end(), stop) if found and found.end() < stop else None

    def _offers(self, each: _Labelled, behind: Span) -> bool:
        return self._only_names(each, *behind) or self._add(each.head, *behind)

    def _only_names(self, each: _Labelled, start: int, stop: int) -> bool:
        """Take a short sentence of nothing but names ("Mubi, Kanopy."), which share an entry; False for any other.
        Plain words are none behind a name: "Vessi: Light."."""
        head = each.head
        sentence = _SENTENCE_END.search(self._shown, start, stop)
        end = sentence.start() if sentence else stop
        last = self._end_of_names(head, start, end)
        said = self._shown[last:end].strip()
        names, is_all = names_at(self._shown, start, last)
        if not is_all or (said and not (said[0] == "(" and said[-1] == ")")):
            return False
        if not each.is_plain and all(is_plain(self._shown[slice(*name)]) for name in names):
            return False
        if len(self._shown[slice(*names[0])].split()) > _MAX_BARE_NAME:
            return False
        self._keep(head, names)
        return True

    def _add(self, head: Head, start: int, end: int) -> bool:
        """Take the names at this place, one entry each, or one for those that a slash joins; False for none."""
        names, _ = names_at(self._shown, start, self._end_of_names(head, start, end))
        if any("/" in self._shown[one[1] : other[0]] for one, other in pairwise(names)):
            self._keep(head, names)
        else:
            for name in names:
                self._keep(head, [name])
        return bool(names)

    def _keep(self, head: Head, names: Sequence[Span]) -> None:
        words = name_words(self._shown[slice(*names[0])])
        is_certain = any(not is_plain(self._shown[slice(*name)]) for name in names)
        if words and (is_certain or self._says_so or head.rule != "flat"):
            self._found.append(_Found(head.rule, names, head.stop, words, is_certain))

    def _end_of_names(self, head: Head, start: int, end: int) -> int:
        return end_of_names(self._shown, start, end, verbs=head.rule != "flat")


def _plain_start(label: str) -> str:
    """The words of the language that a label begins with: "Best" of "Best Garmin Watches"."""
    return " ".join(takewhile(is_plain, label.split()))

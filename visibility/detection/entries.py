"""The entries of an answer: the things that it offers for choice, recognised by its lines and capitals alone.

Lines form a tree: a heading or title is above the items and points behind it. The tracked names play no part, so
tracking more names changes nobody's rank. Distinct entries are numbered in reading order; a repeated one has the same
number. Labels ("Pros:"), advice on choosing, shops and sources are no entries.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise, takewhile

from visibility.detection.naming import Shape, Shapes, end_of_names, is_name, key_of, names_at, shapes_of
from visibility.detection.splitting import Kind, Line
from visibility.detection.titles import ends, goes_on, introduces, is_offer
from visibility.detection.visible import Span, Visible
from visibility.detection.words import is_order, is_plain, words_in

MAX_ENTRIES = 300
"""An answer that lists more recommends nothing; the rest is not read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing on offer: its number from 1, the kind of line it is in (`rule`), the places of its names, and where the
    text about it ends."""

    number: int
    rule: str
    names: Sequence[Span]
    stop: int


@dataclass(slots=True)
class _Node:
    """A line that may head something, with the lines below it."""

    line: Line
    label: str
    stop: int
    shape: Shape
    is_plain: bool
    is_bare: bool
    children: list["_Node"] = field(default_factory=list)

    @property
    def is_named(self) -> bool:
        """Whether its label is surely a name by its shape."""
        return self.shape is Shape.NAME


@dataclass(frozen=True, slots=True)
class _Found:
    """Names that share an entry: the words of the first, the best of their shapes, and the list (`group`) that they
    are in. `is_introduced`: the answer says that it offers them."""

    rule: str
    names: Sequence[Span]
    stop: int
    key: frozenset[str]
    is_introduced: bool
    shape: Shape
    group: int


_DEPTHS: dict[Kind, int] = {"title": 10, "bold": 11, "point": 20, "cell": 20, "item": 20}
_RULES = {"item": "list", "cell": "row", "point": "flat"}
_TITLED = ("heading", "bold", "title")
_LABEL_END = re.compile(r"[:：]")
_BEHIND = re.compile(r"[^:：\n]{1,80}[:：]\W{0,6}(?=\w)|[^–—\n]{1,60}\s[–—]\s(?=\w)")
_SENTENCE_END = re.compile(r"\.(?:\s|(?=[A-Z])|\Z)|\s{2,}|\s-\s|[\n\0\xa0]")
_ORDINAL = re.compile(r"\W*\d{1,4}\W?[^\W\d]{0,3}\W*")
_NAME_COLUMNS = 3
"""Columns of a table in which its names may stand."""
_ENOUGH = 2
"""So many points in a row show by themselves whether they are names."""
_FEWEST, _FEWEST_SET_OUT = 3, 2
"""Different names in running text, and in items, headings or rows, that an answer that does not say so offers."""
_MAX_LINES = 3_000
_FIRST_WORD = 30
"""Characters behind a label in which its description begins."""
_MAX_BEHIND = 160
_MAX_BARE_NAME = 6
_MAX_LABEL_WORDS = 16


def entries(seen: Visible) -> Sequence[Entry]:
    """All entries in reading order, and the product cards that repeat them."""
    shapes = shapes_of(seen.text)
    root = _tree(seen, shapes)
    reader = _Reader(seen.text, shapes)
    reader.count_names(root)
    reader.read(root)
    return list(_numbered(_offered(reader.found), seen))


def _offered(found: Sequence[_Found]) -> list[_Found]:
    """Those in lists of names, where the answer says that it offers them, sets out two, or has three in all."""
    shapes: dict[int, list[Shape]] = defaultdict(list)
    for each in found:
        shapes[each.group].append(Shape.NAME if each.is_introduced else each.shape)
    listed = [each for each in found if _are_names(shapes[each.group])]
    in_all = {each.key for each in listed}
    set_out = {each.key for each in listed if each.rule != "flat"}
    is_said = any(each.is_introduced for each in listed)
    return listed if is_said or len(in_all) >= _FEWEST or len(set_out) >= _FEWEST_SET_OUT else []


def _are_names(shapes: Sequence[Shape]) -> bool:
    """Whether half of a list or more are names by shape; fewer than three need one that surely is."""
    return sum(shapes) >= len(shapes) and (len(shapes) >= _FEWEST or Shape.NAME in shapes)


def _depth(line: Line) -> int:
    if line.kind == "heading":
        return line.level
    nested = 10 * (line.level > 1)
    return _DEPTHS[line.kind] + nested + (line.kind == "item" and not line.is_numbered)


def _tree(seen: Visible, shapes: Shapes) -> _Node:
    """The lines that may head something, each below the nearest line before that is further out."""
    shown = seen.text
    root = _Node(Line("heading", 0, 0, 0, 0), "", len(shown), Shape.NAME, False, False)
    path = [root]
    named_by = _name_columns(seen, shapes)
    lines = [
        line
        for line in seen.lines[:_MAX_LINES]
        if line.body < line.end
        and line.kind not in ("text", "card")
        and (line.kind != "cell" or named_by.get(line.start) == line.column)
    ]
    stops = [line.start for line in lines[1:]] + [len(shown)]
    for line, stop in zip(lines, stops, strict=False):
        if not any(map(str.isalnum, shown[line.body : line.head])):
            continue
        is_bare = not any(map(str.isalnum, shown[line.head : stop]))
        label = _label(shown, line)
        node = _Node(line, label, stop, shapes.of(label), shapes.is_plain(label), is_bare)
        while len(path) > 1 and _depth(path[-1].line) >= _depth(line):
            path.pop()
        path[-1].children.append(node)
        path.append(node)
    return root


def _name_columns(seen: Visible, shapes: Shapes) -> dict[int, int]:
    """By the start of each cell the column of its table that has the names: the leftmost of the first three with
    more names than other labels, else with no fewer; numbers, ranks and kinds are none."""
    columns: dict[int, int] = {}
    tables = groupby(seen.lines[:_MAX_LINES], key=lambda line: line.kind == "cell")
    for cells in (list(lines) for is_table, lines in tables if is_table):
        rows = len({cell.row for cell in cells} - {0})
        named: Counter[int] = Counter()
        for cell in cells:
            label = _label(seen.text, cell)
            if cell.row and cell.column < _NAME_COLUMNS and not _ORDINAL.fullmatch(label):
                named[cell.column] += shapes.of(label)
        ranked = ((number <= rows, column) for column, number in named.items() if number >= rows)
        columns |= dict.fromkeys((cell.start for cell in cells), min(ranked, default=(True, 0))[1])
    return columns


def _label(shown: str, line: Line) -> str:
    """The first words of a line, without its description."""
    is_point = line.kind == "point" or (line.kind == "title" and not line.is_numbered)
    end = line.head if is_point else end_of_names(shown, line.body, line.head, verbs=True)
    return _LABEL_END.split(shown[line.body : end], maxsplit=1)[0].strip(" *_\xa0\0\n")


class _Reader:
    """Goes through the tree. `is_open`: things to choose may come here; `says_so`: a title says that they do."""

    def __init__(self, shown: str, shapes: Shapes) -> None:
        self._shown = shown
        self._shapes = shapes
        self._is_open = True
        self._says_so = False
        self._named: Counter[tuple[str, int, bool]] = Counter()
        self._parents: Counter[str] = Counter()
        self._group = 0
        self._advice: set[int] = set()
        self.found: list[_Found] = []

    def count_names(self, parent: _Node) -> None:
        """Count the names of each kind and level of lines in this answer, and the titles that each label is below."""
        self._parents.update({node.label.lower() for node in parent.children})
        for node in parent.children:
            self._named[node.line.kind, node.line.level, node.line.is_numbered] += node.is_named
            self.count_names(node)

    def read(self, parent: _Node) -> None:
        """Add the entries among the lines below this one."""
        often = Counter(node.label.lower() for node in parent.children)
        self._advice |= self._advising(parent.children)
        kinds = self._categories([node for node in parent.children if node.line.kind not in _TITLED])
        for node in parent.children:
            is_detail = often[node.label.lower()] > 1 and not node.is_named and not is_offer(node.label)
            if len(self.found) >= MAX_ENTRIES or node.line.start in self._advice or is_detail or goes_on(node.label):
                continue
            self._group = hash((id(parent), node.line.kind, node.line.level))
            if node in kinds:
                self._add(node, *self._behind(node))
            else:
                self._take(node)

    def _advising(self, nodes: Sequence[_Node]) -> set[int]:
        """Where the labels of plain words begin, if a third or more of them have an order behind: "Weight: Consider
        how often you travel"."""
        plain = [node for node in nodes if node.is_plain and node.line.kind in ("point", "item", "bold")]
        behind = (words_in(self._shown[node.line.head : node.line.head + _FIRST_WORD])[:1] for node in plain)
        orders = sum(is_order(word) for words in behind for word in words)
        return {node.line.start for node in plain} if 3 * orders >= len(plain) else set()

    def _take(self, node: _Node) -> None:
        if self._closes(node):
            if node.line.kind in _TITLED or (" " in node.label and node.line.kind == "point"):
                self._is_open = self._says_so = False
            return
        if introduces(node.label) and (node.is_plain or not is_name(node.label.split())):
            self._is_open = self._says_so = True
        if self._is_open and self._offers_behind(node):
            return
        if self._is_title(node):
            self._says_so = self._says_so or (self._is_open and is_offer(node.label))
            was_open, said_so = self._is_open, self._says_so
            self.read(node)
            if was_open and not self._is_open:  # what closes a list below one title says nothing of the next
                self._is_open, self._says_so = was_open, said_so
        elif self._is_open and not self._asks(node) and not self._add(node, node.line.body, node.line.head):
            self.read(node)

    def _asks(self, node: _Node) -> bool:
        """Whether the line asks the reader back."""
        return self._shown[node.line.body : node.line.end].rstrip("\xa0\0\n *_").endswith("?")

    def _closes(self, node: _Node) -> bool:
        """Whether what follows is no list of things to choose, such as advice on choosing."""
        is_no_name = node.is_plain or node.line.kind in _TITLED or not is_name(node.label.split())
        return is_no_name and ends(node.label)

    def _is_title(self, node: _Node) -> bool:
        """Whether its entries come below or behind it: a plain label, or one with nothing behind before the next."""
        kind, label = node.line.kind, node.label
        if self._is_over_names(node):
            return True
        if kind == "title" and node.line.is_numbered and self._named[kind, node.line.level, True]:
            return False
        if kind == "title" or (node.is_plain and is_offer(label)):
            return True
        if kind == "cell":
            return node.line.row == 0
        if kind == "point":
            return len(label.split()) > _MAX_LABEL_WORDS
        if kind in _TITLED and is_offer(_plain_start(label)) and (node.is_bare or node.children):
            return True
        if not node.is_plain:
            return is_offer(label) and introduces(label) and not is_name(label.split())
        return (
            kind in _TITLED
            and bool(node.children)
            and not (self._named[kind, node.line.level, True] or self._named[kind, node.line.level, False])
        )

    def _is_over_names(self, node: _Node) -> bool:
        """Whether most lines below it are names and no points of one thing, which come below others, too."""
        may_be = node.line.kind in _TITLED or (node.line.kind == "item" and not node.is_named)
        if not may_be or len(node.children) < _ENOUGH:
            return False
        own = [each for each in node.children if each.is_named or self._parents[each.label.lower()] == 1]
        may_be_names = len(own) == len(node.children) and all(each.shape for each in own)
        return len(own) >= _ENOUGH and (may_be_names or sum(each.shape for each in own) > len(node.children))

    def _categories(self, points: Sequence[_Node]) -> list[_Node]:
        """The points that are no names and have nothing but several names behind them: "Luxury: A, B"."""
        found = [node for node in points if not node.is_named and self._parents[node.label.lower()] == 1]
        found = [node for node in found if len(self._names_behind(node)) > 1]
        return found if len(found) >= _ENOUGH and 2 * len(found) >= len(points) else []

    def _behind(self, node: _Node) -> Span:
        """What stands behind the label of a line, empty without any."""
        stop = min(max(node.line.end, node.line.head), node.line.head + _MAX_BEHIND)
        behind = _BEHIND.match(self._shown, node.line.body, stop)
        return (behind.end(), stop) if behind else (stop, stop)

    def _names_behind(self, node: _Node) -> Sequence[Span]:
        """The names behind a label that has nothing else behind it."""
        start, end = self._behind(node)
        names, is_all = names_at(self._shown, start, end)
        return names if is_all else []

    def _offers_behind(self, node: _Node) -> bool:
        """Add what a label offers behind it: "Best overall: Vessi Weekend"."""
        line = node.line
        is_label = node.is_plain or not is_name(node.label.split()) or is_offer(_plain_start(node.label))
        if not is_offer(node.label) or not is_label:
            return False
        start, stop = self._behind(node)
        if start >= stop:
            return False
        sentence = _SENTENCE_END.search(self._shown, start, stop)
        end = sentence.start() if sentence else stop
        if line.kind in ("point", "item") and not self._is_bare_name(start, end):
            return False
        return self._add(node, start, end, is_introduced=True)

    def _is_bare_name(self, start: int, end: int) -> bool:
        """Whether there are only names here, or a name with a description behind a dash or bracket."""
        last = end_of_names(self._shown, start, end, verbs=True)
        names, is_all = names_at(self._shown, start, last)
        return is_all and all(len(self._shown[slice(*name)].split()) <= _MAX_BARE_NAME + 2 for name in names)

    def _add(self, node: _Node, start: int, end: int, *, is_introduced: bool = False) -> bool:
        """Add the names at this place, one entry each, or one for those joined by a slash; False for none."""
        last = end_of_names(self._shown, start, end, verbs=node.line.kind != "point")
        names, _ = names_at(self._shown, start, last)
        is_joint = any("/" in self._shown[one[1] : other[0]] for one, other in pairwise(names))
        rule = _RULES.get(node.line.kind, node.line.kind)
        for group in [names] if is_joint else [[name] for name in names]:
            if key := key_of(self._shown[slice(*group[0])]):
                shape = max(self._shapes.of(self._shown[slice(*name)]) for name in group)
                is_offered = is_introduced or self._says_so
                self.found.append(_Found(rule, group, node.stop, key, is_offered, shape, self._group))
        return bool(names)


def _plain_start(label: str) -> str:
    """The words of the language that a label begins with: "Best" of "Best Softside Carry-On"."""
    return " ".join(takewhile(is_plain, label.split()))


def _numbered(found: Sequence[_Found], seen: Visible) -> Iterator[Entry]:
    """The entries with their numbers, and the cards that repeat them."""
    numbers: list[tuple[frozenset[str], str, int]] = []
    for each in found:
        number = next((number for key, rule, number in numbers if _is_same(key, each.key, rule == each.rule)), 0)
        number = number or 1 + max((number for *_, number in numbers), default=0)
        numbers.append((each.key, each.rule, number))
        yield Entry(number, each.rule, each.names, each.stop)
    for line in seen.lines:
        if line.kind == "card":
            key = key_of(seen.text[line.body : line.head])
            if number := next((number for known, _, number in numbers if known <= key), 0):
                yield Entry(number, "card", [(line.body, line.head)], line.end)


def _is_same(one: frozenset[str], other: frozenset[str], is_same_kind: bool) -> bool:
    """Whether two entries are one thing: of one list by the same words, elsewhere also by a part of them."""
    return one == other if is_same_kind else one <= other or other <= one


class Ranking:
    """Which entry of an answer a name belongs to."""

    def __init__(self, found: Sequence[Entry], shown: str) -> None:
        places = ((start, end, entry) for entry in found for start, end in entry.names)
        self._places = sorted(places, key=lambda place: place[:2])
        self._starts = [start for start, _, _ in self._places]
        self._shown = shown
        self.picks = max((entry.number for entry in found), default=0)

    def entry_of(self, start: int, end: int) -> Entry | None:
        """The entry that offers the name at `start:end`, among its first words or behind "by"; None without one."""
        index = bisect_right(self._starts, end - 1) - 1
        if index < 0 or start >= self._places[index][1]:
            return None
        before = self._shown[self._starts[index] : start].split()
        is_first = len(before) <= 2 or before[-1].lower() == "by"
        return self._places[index][2] if is_first else None

    def next_entry(self, start: int) -> int:
        """Where the next entry begins behind this place; the end of the text without one."""
        index = bisect_right(self._starts, start)
        return self._starts[index] if index < len(self._starts) else len(self._shown)

    def bounds_of(self, start: int, line: Line) -> Span:
        """The stretch of a line that speaks of the entry around `start`, up to the next entry."""
        index = bisect_right(self._starts, start)
        high = min(line.end, self._starts[index]) if index < len(self._starts) else line.end
        low = max(line.start, self._starts[index - 1]) if index else line.start
        return min(low, start), max(high, start)

"""What answers judge by: the labels that several of them put before what they say of things."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from visibility.detection.splitting import Line
from visibility.detection.titles import advises, ends, introduces, is_offer, repeats
from visibility.detection.visible import Span
from visibility.detection.words import FUNCTION, is_plain, parts_of_speech
from visibility.evidence.reading import AnswerText, TermFinder
from visibility.evidence.vocabulary import (
    MOST_WORDS,
    is_listed,
    key_of,
    spellings,
    stem,
    stems,
    without_praise,
    words,
)

LEAST_ANSWERS = 3
LEAST_ENGINES = 2
LEAST_PROMPTS = 3
"""A criterion is a label in three answers or more: of two engines, or to three prompts."""
_IN_NAMES = 3
"""A word in the names of so many things on offer is a part of names."""
_OF_THINGS = 0.15
"""In this part of the answers that speak of it, a criterion has to be said of something on offer: else it is about
the buyer ("Home size")."""
_LONGEST = 60
_MOST_LABELS = 2_000
NOTHING_DECIDED: Mapping[str, str] = {}
_CUT = re.compile(r"[:：]|\s[–—-]\s|\s?[(（\[]|\s→|[.!?](?:\s|$)|\s=\s|\0|\xa0")
_BEHIND = re.compile(r"[\s*_]{0,4}(?:[:：–—\n\0\xa0-]|$)")
_JOINT = re.compile(r"\s?[/&+,]\s?|\s(?:and|und|et|y)\s", re.IGNORECASE)
_SIGNS = " \t\n\0\xa0*_#:|\"'“”•–—.,;!"


class Use(NamedTuple):
    """That an answer has a criterion as a label: its place in the visible text, its words, and up to where it says
    something by it. `is_offered`: the answer offers what is called so, so that it is a name there."""

    answer: AnswerText
    words: str
    start: int
    end: int
    stop: int
    is_offered: bool


@dataclass(frozen=True, slots=True)
class TopicCriterion:
    """A criterion of a topic with the answers that use it as a label, and those that speak of it at all."""

    key: str
    label: str
    uses: Sequence[Use]
    mentioned: int
    terms: frozenset[tuple[str, ...]]

    @property
    def labelled(self) -> int:
        """Answers that use it as a label."""
        return len({use.answer.id for use in self.uses})


def find_criteria(
    answers: Sequence[AnswerText], names: Iterable[str], same: Mapping[str, str] = NOTHING_DECIDED
) -> list[TopicCriterion]:
    """The criteria of the answers on a topic, weightiest first. `names` are those of all who are tracked; those that
    nobody tracks come with the answers. `same`: by key the one that it is counted as, "" for none. In time linear in
    the texts, whatever they hold."""
    uses: dict[str, list[Use]] = defaultdict(list)
    asked = frozenset(part for question in {answer.question for answer in answers} for part in stems(question))
    for answer in answers:
        for key, use in _uses(answer, asked):
            if counted_as := same.get(key, key):
                uses[counted_as].append(use)
    is_name = _Names(names, answers)
    usual = _merged({key: rows for key, rows in uses.items() if _is_usual(key, rows) and not is_name(key, rows)})
    terms = {key: _terms(key, rows) for key, rows in usual.items()}
    mentioned, of_things = _mentioned(answers, terms)
    criteria = [
        TopicCriterion(
            key, _label(key, rows), rows, len(mentioned[key] | {row.answer.id for row in rows}), terms[key]
        )
        for key, rows in usual.items()
        if is_listed(key) or len(of_things[key]) >= _OF_THINGS * len(mentioned[key])
    ]
    return sorted(criteria, key=lambda each: (-each.labelled, -each.mentioned, each.label))


def _uses(answer: AnswerText, asked: frozenset[str]) -> Iterator[tuple[str, Use]]:
    """The labels of an answer that may be criteria."""
    shown, number = answer.seen.text, 0
    for line in answer.seen.lines:
        place = _label_at(shown, line)
        if place is None or answer.named_in(*place):
            continue
        number += 1
        if number > _MOST_LABELS:
            return
        text = shown[slice(*place)]
        for part in _parts(text):
            key = key_of(part)
            if key and (is_listed(key) or _may_be_judged_by(part, asked, is_english=answer.is_english)):
                yield key, Use(answer, part, *place, line.end, answer.is_offered_at(*place))


def _label_at(shown: str, line: Line) -> Span | None:
    """Where a line has its label: a heading, words before a colon, bold ones, the first cell of a row or column."""
    if line.kind in ("text", "card") or (line.kind == "cell" and line.row and line.column):
        return None
    stop = min(line.end, line.body + _LONGEST + 2)
    cut = _CUT.search(shown, line.body, stop)
    end = min(cut.start() if cut else stop, line.head)
    is_cut = cut is not None and cut.start() <= line.head and cut[0][-1:] in ":：–—-"
    is_set_apart = line.kind in ("heading", "title", "cell", "point") or (
        line.head < line.end - 1 and _BEHIND.match(shown, line.head)
    )
    if not (is_cut or is_set_apart):
        return None
    text = shown[line.body : end]
    start = line.body + len(text) - len(text.lstrip(_SIGNS))
    end = line.body + len(text.rstrip(_SIGNS))
    return (start, end) if 2 < end - start <= _LONGEST else None


def _parts(text: str) -> Sequence[str]:
    """What "and" or a slash joins, each with what both share: "Ease of use and cleaning"."""
    if is_listed(key_of(text)):
        return [text]
    parts = [part for part in _JOINT.split(text) if part]
    if len(parts) > 1 and " of " in parts[0]:
        opening = parts[0][: parts[0].index(" of ") + 4]
        return [parts[0], *(part if " " in part else opening + part for part in parts[1:])]
    return parts


def _may_be_judged_by(label: str, asked: frozenset[str], *, is_english: bool) -> bool:
    """Whether a label that is not listed may name what is judged by: a noun, no title of an answer's part, and no
    kind of what was asked for ("Laser printers")."""
    written = label.split()
    parts = stems(label)
    if not parts or len(written) > MOST_WORDS or any(map(str.isdigit, label)) or parts[-1] in words("parts"):
        return False
    if is_offer(without_praise(label)) or introduces(label) or ends(label) or repeats(label) or advises(label):
        return False
    if asked.issuperset(parts) or (parts[-1] in asked and parts[-1] != written[-1].lower()):
        return False
    if not is_english:
        return True
    if any(part in FUNCTION and part != "of" for part in parts):
        return False
    last = parts_of_speech(written[-1].lower())
    first = parts_of_speech(written[0].lower())
    return (not last or "n" in last) and not (len(written) > 1 and set(first) == {"v"})


def _is_usual(key: str, uses: Sequence[Use]) -> bool:
    prompts: dict[str, set[str]] = defaultdict(set)
    for use in uses:
        prompts[use.answer.engine].add(use.answer.prompt)
    if len({use.answer.id for use in uses}) < LEAST_ANSWERS:
        return False
    if not is_listed(key) and 2 * sum(use.is_offered for use in uses) >= len(uses):
        return False
    return len(prompts) >= LEAST_ENGINES or max(map(len, prompts.values())) >= LEAST_PROMPTS


def _merged(uses: Mapping[str, Sequence[Use]]) -> dict[str, list[Use]]:
    """With what only narrows another criterion, or is cut short from it, counted there: "Lifetime warranty" as
    "Warranty", "Integration" as "Smart home integration"; the more usual of both stays."""
    merged: dict[str, list[Use]] = {}
    whole: dict[Sequence[str], str] = {}
    endings: dict[Sequence[str], str] = {}
    for key in sorted(uses, key=lambda key: (-len(uses[key]), key)):
        parts = tuple(key.casefold().split())
        shorter = [parts[start:] for start in range(1, len(parts))]
        others = (endings.get(parts), *(whole.get(ending) for ending in shorter))
        same = next(filter(None, others), key) if not is_listed(key) else key
        merged.setdefault(same, []).extend(uses[key])
        if same == key:
            whole[parts] = key
            endings |= {ending: endings.get(ending, key) for ending in shorter}
    return merged


class _Names:
    """Tells whether a key stands in names: of somebody tracked, of a maker, or of several things on offer."""

    def __init__(self, tracked: Iterable[str], answers: Sequence[AnswerText]) -> None:
        leads = {name.split()[0] for answer in answers for name in answer.untracked}
        self._names = {stem(word) for name in [*tracked, *leads] for word in name.split() if not is_plain(word)}
        self._whole = {stems(name) for name in tracked}
        texts = {text for answer in answers for text in answer.offered}
        offered = {stems(text) for text in texts if not is_plain(text)}
        self._names_with: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for name in offered:
            for part in name:
                self._names_with[part].add(name)

    def __call__(self, key: str, uses: Sequence[Use]) -> bool:
        if is_listed(key):
            return False
        parts = key.split()
        if tuple(parts) in self._whole or not self._names.isdisjoint(parts):
            return True
        number = len(set.intersection(*(self._names_with.get(part, set()) for part in parts)))
        return number >= max(_IN_NAMES, len({use.answer.id for use in uses}))


def _terms(key: str, uses: Sequence[Use]) -> frozenset[tuple[str, ...]]:
    """The ways of writing a criterion, as stems."""
    written = {stems(without_praise(use.words)) for use in uses}
    return frozenset(written | spellings().get(key, frozenset())) - {()}


def _mentioned(
    answers: Sequence[AnswerText], terms: Mapping[str, Collection[tuple[str, ...]]]
) -> tuple[Mapping[str, set[int]], Mapping[str, set[int]]]:
    """By criterion the answers that have one of its terms, and those of them that have one where they speak of
    somebody or of something on offer."""
    finder = TermFinder(terms)
    found: dict[str, set[int]] = {key: set() for key in terms}
    of_things: dict[str, set[int]] = {key: set() for key in terms}
    for answer in answers:
        named = {answer.seen.index_at(name.start) for name in answer.names}
        for key, first, _ in finder.places(answer.tokens):
            found[key].add(answer.id)
            line = answer.seen.index_at(answer.tokens[first].start)
            if line in named or answer.owners[line]:
                of_things[key].add(answer.id)
    return found, of_things


def _label(key: str, uses: Sequence[Use]) -> str:
    """As it is listed, else its most usual spelling: one that has the same key."""
    if is_listed(key):
        return key
    spelt = [without_praise(use.words) for use in uses]
    counted = Counter([words for words in spelt if key_of(words) == key] or spelt)
    return min(counted, key=lambda written: (-counted[written], len(written), written))

"""What answers judge by: labels that several of them use before they describe things."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from visibility.detection.splitting import Line
from visibility.detection.titles import introduces, is_offer
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
_OF_THINGS = 0.15
"""So large a part of the answers that mention a criterion has to apply it to something on offer; else it is about the
buyer ("Home size")."""
_LONGEST = 60
_CUT = re.compile(r"[:：]|\s[–—-]\s|\s?[(（\[]|\s→|[.!?](?:\s|$)|\s=\s|\0|\xa0")
_BEHIND = re.compile(r"[\s*_]{0,4}(?:[:：–—\n\0\xa0-]|$)")
_JOINT = re.compile(r"\s?[/&+,]\s?|\s(?:and|und|et|y)\s", re.IGNORECASE)
_SIGNS = " \t\n\0\xa0*_#:|\"'“”•–—.,;!"


class Use(NamedTuple):
    """A label in an answer: its words, its place in the visible text, and where what it introduces ends."""

    answer: AnswerText
    words: str
    start: int
    end: int
    stop: int


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
    answers: Sequence[AnswerText], same: Mapping[str, str] = MappingProxyType({})
) -> list[TopicCriterion]:
    """The criteria of the answers on a topic, weightiest first. `same`: by key, the key that it is counted as ("":
    none). In time linear in the texts."""
    uses: dict[str, list[Use]] = defaultdict(list)
    asked = frozenset(part for question in {answer.question for answer in answers} for part in stems(question))
    for answer in answers:
        for key, use in _uses(answer, asked):
            if counted_as := same.get(key, key):
                uses[counted_as].append(use)
    leads = {name.split()[0] for answer in answers for name in answer.untracked}
    untracked = {stem(word) for word in leads if not is_plain(word)}
    usual = _merged(
        {
            key: rows
            for key, rows in uses.items()
            if _is_usual(rows) and (is_listed(key) or (_is_no_name(rows) and untracked.isdisjoint(key.split())))
        }
    )
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


def finder_of(criteria: Iterable[TopicCriterion]) -> TermFinder:
    """Finds where a text speaks of these."""
    return TermFinder({criterion.key: criterion.terms for criterion in criteria})


def _uses(answer: AnswerText, asked: frozenset[str]) -> Iterator[tuple[str, Use]]:
    """The labels of an answer that may be criteria."""
    for line in answer.seen.lines:
        place = _label_at(answer.seen.text, line)
        if place is None or answer.named_in(*place):
            continue
        for part in _parts(answer.seen.text[slice(*place)]):
            key = key_of(part)
            if key and (is_listed(key) or _may_be_judged_by(part, asked, is_english=answer.is_english)):
                yield key, Use(answer, part, *place, line.end)


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
    """What "and" or a slash joins."""
    return [text] if is_listed(key_of(text)) else [part for part in _JOINT.split(text) if part]


def _may_be_judged_by(label: str, asked: frozenset[str], *, is_english: bool) -> bool:
    """Whether a label that is not listed may name what is judged by: a noun, no title of an answer's part, and no
    kind of what was asked for ("Laser printers")."""
    written = label.split()
    parts = stems(label)
    if not parts or len(written) > MOST_WORDS or parts[-1] in words("parts"):
        return False
    if is_offer(label) or introduces(label):
        return False
    if parts[-1] in asked:
        return False
    if not is_english:
        return True
    if any(part in FUNCTION and part != "of" for part in parts):
        return False
    last = parts_of_speech(written[-1].lower())
    return not last or "n" in last


def _is_usual(uses: Sequence[Use]) -> bool:
    answers = [use.answer for use in uses]
    engines, prompts = {answer.engine for answer in answers}, {answer.prompt for answer in answers}
    is_asked_often = len(engines) >= LEAST_ENGINES or len(prompts) >= LEAST_PROMPTS
    return is_asked_often and len({answer.id for answer in answers}) >= LEAST_ANSWERS


def _is_no_name(uses: Sequence[Use]) -> bool:
    """Whether most answers do not offer it: what they offer is a name and no criterion."""
    return 2 * sum(use.answer.is_offered_at(use.start, use.end) for use in uses) < len(uses)


def _merged(uses: Mapping[str, Sequence[Use]]) -> dict[str, list[Use]]:
    """With what only narrows a more usual criterion counted there: "Lifetime warranty" as "Warranty"."""
    merged: dict[str, list[Use]] = {}
    known: dict[str, str] = {}
    for key in sorted(uses, key=lambda key: (-len(uses[key]), key)):
        parts = key.casefold().split()
        wider = filter(None, (known.get(" ".join(parts[start:])) for start in range(1, len(parts))))
        same = key if is_listed(key) else next(wider, key)
        merged.setdefault(same, []).extend(uses[key])
        known.setdefault(" ".join(parts), same)
    return merged


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
        for key, start, _ in finder.places(answer.tokens):
            found[key].add(answer.id)
            line = answer.seen.index_at(start)
            if line in named or answer.owners[line]:
                of_things[key].add(answer.id)
    return found, of_things


def _label(key: str, uses: Sequence[Use]) -> str:
    """As it is listed, else its most usual spelling: one that has the same key."""
    if is_listed(key):
        return key
    spelt = [without_praise(use.words) for use in uses]
    counted = Counter(words for words in spelt if key_of(words) == key) or Counter(spelt)
    return counted.most_common(1)[0][0]

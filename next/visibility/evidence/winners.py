"""Whom answers praise by a criterion: in a clause that speaks of one tracked subject and of nobody else."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from visibility.detection.words import word_set
from visibility.evidence.clauses import Clause, Clauses
from visibility.evidence.criteria import TopicCriterion
from visibility.evidence.reading import AnswerText, TermFinder
from visibility.evidence.vocabulary import table, words

NEAR = 4
"""Words between praise and what is praised."""
_SAYS = re.compile(
    r"[\s:*]{1,6}(?:of\s(?:\S{1,40}\s){1,3})?(?:(?:is|are|was|remains|very|truly|simply|also)\s+){0,3}"
)
_LINKS = word_set("for in at with on out by")


class Praise(NamedTuple):
    """The words of an answer that praise somebody: their place in its visible text."""

    answer: AnswerText
    start: int
    end: int
    names_it: bool


@dataclass(frozen=True, slots=True)
class Winner:
    """Somebody (a competitor's id, "" for the brand) whom so many answers praise, and the clearest words."""

    subject: str
    answers: int
    praise: Praise


def find_winners(answers: Sequence[AnswerText], criteria: Sequence[TopicCriterion]) -> Mapping[str, Sequence[Winner]]:
    """By the key of a criterion those who are praised by it, most answers first."""
    finder = TermFinder({criterion.key: criterion.terms for criterion in criteria})
    found: dict[str, dict[str, dict[int, Praise]]] = defaultdict(lambda: defaultdict(dict))
    for answer in answers:
        if answer.names:
            for key, subject, praise in _praises(answer, finder):
                best = found[key][subject].setdefault(answer.id, praise)
                found[key][subject][answer.id] = min(best, praise, key=_clarity)
    return {
        key: sorted(
            (Winner(subject, len(rows), min(rows.values(), key=_clarity)) for subject, rows in subjects.items()),
            key=lambda winner: (-winner.answers, winner.subject),
        )
        for key, subjects in found.items()
    }


def count_spoken(answers: Sequence[AnswerText], criteria: Sequence[TopicCriterion]) -> Mapping[str, Counter[str]]:
    """By the key of a criterion in how many answers a line that names somebody, or stands in somebody's entry, speaks
    of it, in whatever way: what praise there may be is among these, found or not."""
    finder = TermFinder({criterion.key: criterion.terms for criterion in criteria})
    spoken: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in answers:
        found = {
            (key, subject)
            for key, first, _ in finder.places(answer.tokens)
            for subject in _subjects_at(answer, answer.tokens[first].start)
        }
        for key, subject in found:
            spoken[key][subject] += 1
    return spoken


def _subjects_at(answer: AnswerText, place: int) -> set[str]:
    """Whom the line at a place names, and in whose entry it stands."""
    number = answer.seen.index_at(place)
    line, owner = answer.seen.lines[number], answer.subject_of(number)
    named = {name.subject for name in answer.named_in(line.start, line.end)}
    return named if owner is None else named | {owner}


def winner_of(winners: Sequence[Winner]) -> Winner | None:
    """The first; nobody on a tie."""
    if not winners or (len(winners) > 1 and winners[0].answers == winners[1].answers):
        return None
    return winners[0]


def _clarity(praise: Praise) -> tuple[bool, int]:
    return not praise.names_it, praise.end - praise.start


def _praises(answer: AnswerText, finder: TermFinder) -> Iterator[tuple[str, str, Praise]]:
    clauses = Clauses(answer)
    for key, first, last in finder.places(answer.tokens):
        place = answer.tokens[first].start
        clause = None if answer.is_offered_at(place, place + 1) else clauses.around(place)
        if clause is None or clause.subject is None or clause.is_against:
            continue
        spoilt = any(token.stem in words("spoiling") for token in answer.tokens[clause.first : clause.last])
        if not spoilt and _is_praised(answer, first, last, clause, _praise_of(key)):
            yield key, clause.subject, Praise(answer, clause.start, clause.end, clause.names_it)


@cache
def _praise_of(key: str) -> frozenset[str]:
    """The words that praise by this criterion."""
    return words("praise") - words("much" if key in table("less_is_better") else "little")


def _is_praised(answer: AnswerText, first: int, last: int, clause: Clause, praise: frozenset[str]) -> bool:
    """Whether the words `first` to `last` praise by themselves ("lightweight"), or praise stands near: before them
    ("superb battery life"), behind a verb ("battery life is superb"), or before a list with them ("known for")."""
    tokens, shown = answer.tokens, answer.seen.text
    if not words("praise_alone").isdisjoint(token.stem for token in tokens[first:last]):
        return True
    for number in range(first - 1, max(clause.first, first - NEAR) - 1, -1):
        if "," in shown[tokens[number].end : tokens[first].start]:
            break
        if tokens[number].stem in praise:
            return True
    for token in tokens[last : min(clause.last, last + NEAR)]:
        if token.stem in praise:
            return bool(_SAYS.fullmatch(shown, tokens[last - 1].end, token.start))
    return any(
        tokens[number].stem in words("shining") and tokens[number + 1].stem in _LINKS
        for number in range(clause.first, first - 1)
    )

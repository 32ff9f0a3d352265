"""Whom answers praise for a criterion: in a clause that speaks of one tracked subject and no other."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from visibility.detection.words import word_set
from visibility.evidence.clauses import Clause, Clauses
from visibility.evidence.criteria import TopicCriterion, finder_of
from visibility.evidence.reading import AnswerText
from visibility.evidence.vocabulary import table, words

NEAR = 4
"""Words between praise and what is praised."""
_SAYS = re.compile(
    r"[\s:*]{1,6}(?:of\s(?:\S{1,40}\s){1,3})?(?:(?:is|are|was|remains|very|truly|simply|also)\s+){0,3}"
)
_LINKS = word_set("for in at with on out by")


class Praise(NamedTuple):
    """A clause of an answer that praises somebody."""

    answer: AnswerText
    clause: Clause

    @property
    def clarity(self) -> tuple[bool, int]:
        """Less is clearer: it names whom it praises, and is short."""
        return not self.clause.names_it, self.clause.end - self.clause.start


class Winner(NamedTuple):
    """Somebody (a competitor's id, "" for the brand) whom so many answers praise, and the clearest praise."""

    subject: str
    answers: int
    praise: Praise


def find_winners(answers: Sequence[AnswerText], criteria: Sequence[TopicCriterion]) -> Mapping[str, Sequence[Winner]]:
    """By the key of a criterion those who are praised by it, most answers first."""
    finder = finder_of(criteria)
    found: dict[str, dict[str, list[Praise]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        clearest: dict[tuple[str, str], Praise] = {}
        for key, clause in _praises(answer, finder.places(answer.tokens)) if answer.names else ():
            whom, praise = (key, clause.subject or ""), Praise(answer, clause)
            clearest[whom] = min(clearest.get(whom, praise), praise, key=lambda each: each.clarity)
        for (key, subject), praise in clearest.items():
            found[key][subject].append(praise)
    return {
        key: sorted(
            (
                Winner(subject, len(rows), min(rows, key=lambda each: each.clarity))
                for subject, rows in subjects.items()
            ),
            key=lambda winner: (-winner.answers, winner.subject),
        )
        for key, subjects in found.items()
    }


def count_spoken(
    answers: Sequence[AnswerText], criteria: Sequence[TopicCriterion], subject: str
) -> Mapping[str, int]:
    """By the key of a criterion, how many answers speak of it in a line that names the subject or is in its entry:
    an upper bound of those that praise the subject."""
    finder = finder_of(criteria)
    spoken: Counter[str] = Counter()
    for answer in answers:
        places = finder.places(answer.tokens) if subject in answer.offered else ()
        spoken.update({key for key, first, _ in places if _is_about(answer, answer.tokens[first].start, subject)})
    return spoken


def _is_about(answer: AnswerText, place: int, subject: str) -> bool:
    number = answer.seen.index_at(place)
    line = answer.seen.lines[number]
    named = answer.named_in(line.start, line.end)
    return answer.subject_of(number) == subject or any(name.subject == subject for name in named)


def winner_of(winners: Sequence[Winner]) -> Winner | None:
    """The first; nobody on a tie."""
    is_tie = len(winners) > 1 and winners[0].answers == winners[1].answers
    return winners[0] if winners and not is_tie else None


def _praises(answer: AnswerText, places: Iterator[tuple[str, int, int]]) -> Iterator[tuple[str, Clause]]:
    clauses = Clauses(answer)
    for key, first, last in places:
        place = answer.tokens[first].start
        clause = None if answer.is_offered_at(place, place + 1) else clauses.around(place)
        if clause is None or clause.subject not in answer.offered:
            continue
        spoilt = any(token.stem in words("spoiling") for token in answer.tokens[clause.first : clause.last])
        if not spoilt and _is_praised(answer, first, last, clause, _praise_of(key)):
            yield key, clause


@cache
def _praise_of(key: str) -> frozenset[str]:
    """The words that praise by this criterion."""
    return words("praise") - words("much" if key in table("less_is_better") else "little")


def _is_praised(answer: AnswerText, first: int, last: int, clause: Clause, praise: frozenset[str]) -> bool:
    """Whether the words `first` to `last` praise by themselves ("lightweight"), or praise is near: before them
    ("superb battery life"), behind a verb ("battery life is superb"), or before a list with them ("known for")."""
    tokens, shown = answer.tokens, answer.seen.text
    if not words("praise_alone").isdisjoint(token.stem for token in tokens[first:last]):
        return True
    for token in tokens[max(clause.first, first - NEAR) : first]:
        if token.stem in praise and "," not in shown[token.end : tokens[first].start]:
            return True
    for token in tokens[last : min(clause.last, last + NEAR)]:
        if token.stem in praise:
            return bool(_SAYS.fullmatch(shown, tokens[last - 1].end, token.start))
    return any(
        tokens[number].stem in words("shining") and tokens[number + 1].stem in _LINKS
        for number in range(clause.first, first - 1)
    )

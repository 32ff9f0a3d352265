"""Whom answers associate with a criterion: a clause speaks of both, of nobody else, and has no reservation."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from visibility.evidence.clauses import Clause, Clauses
from visibility.evidence.criteria import TopicCriterion, finder_of
from visibility.evidence.reading import AnswerText, quote_of
from visibility.evidence.resources import Quote
from visibility.evidence.vocabulary import words

SENTENCE = 120
"""Characters of a clause that is good to quote."""
LEAD = 2
"""Answers by which somebody has to lead to be called the winner."""


class Association(NamedTuple):
    """A clause of an answer that associates somebody with a criterion."""

    answer: AnswerText
    clause: Clause

    @property
    def quote(self) -> Quote:
        """The clause."""
        return quote_of(self.answer, self.clause.start, self.clause.end)

    @property
    def clarity(self) -> tuple[bool, int]:
        """Less is clearer: it names whom it speaks of, and is about a sentence long."""
        return not self.clause.names_it, abs(self.clause.end - self.clause.start - SENTENCE)


class Winner(NamedTuple):
    """Somebody (a competitor's id, "" for the brand) whom so many answers associate with a criterion, and the
    clearest clause."""

    subject: str
    answers: int
    clearest: Association


def find_winners(answers: Sequence[AnswerText], criteria: Sequence[TopicCriterion]) -> Mapping[str, Sequence[Winner]]:
    """By the key of a criterion those who are associated with it, most answers first. An answer counts only whom it
    offers for choice."""
    finder = finder_of(criteria)
    found: dict[str, dict[str, list[Association]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        clauses, of_answer = Clauses(answer), defaultdict[tuple[str, str], list[Association]](list)
        for key, first, _ in finder.places(answer.tokens) if answer.names else ():
            place = answer.tokens[first].start
            # "Nest Cam Battery" is a name, no word on its battery.
            clause = None if answer.is_offered_at(place, place + 1) else clauses.around(place)
            if clause and clause.subject in answer.offered and not _has_reservation(answer, clause):
                of_answer[key, clause.subject or ""].append(Association(answer, clause))
        for (key, subject), several in of_answer.items():
            found[key][subject].append(_clearest(several))
    return {key: _ranked(subjects) for key, subjects in found.items()}


def winner_of(winners: Sequence[Winner], naming: Mapping[str, int]) -> Winner | None:
    """Who leads all others by LEAD answers or more, and also by share of the answers that offer it (`naming`); else
    nobody."""
    if not winners or winners[0].answers < LEAD:
        return None
    first, *others = winners
    is_ahead = all(
        first.answers - each.answers >= LEAD
        and first.answers * naming[each.subject] > each.answers * naming[first.subject]
        for each in others
    )
    return first if is_ahead else None


def _has_reservation(answer: AnswerText, clause: Clause) -> bool:
    return any(token.stem in words("reservation") for token in answer.tokens[clause.first : clause.last])


def _clearest(several: Sequence[Association]) -> Association:
    return min(several, key=lambda each: each.clarity)


def _ranked(subjects: Mapping[str, Sequence[Association]]) -> list[Winner]:
    winners = [Winner(subject, len(rows), _clearest(rows)) for subject, rows in subjects.items()]
    return sorted(winners, key=lambda winner: (-winner.answers, winner.subject))

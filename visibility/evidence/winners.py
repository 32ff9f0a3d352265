"""Whom answers associate with a criterion: a clause speaks of both, of nobody else, and has no reservation."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from visibility.evidence.clauses import Clause, Clauses
from visibility.evidence.criteria import TopicCriterion, finder_of
from visibility.evidence.reading import BRAND, AnswerText, quote_of
from visibility.evidence.resources import CriterionWinner
from visibility.evidence.vocabulary import stems, words

SENTENCE = 120
"""Characters of a clause that is good to quote."""
LEAD = 2
"""Answers by which somebody has to lead to be called the winner."""


def find_winners(
    answers: Sequence[AnswerText], criteria: Sequence[TopicCriterion], called: Mapping[str, str]
) -> Mapping[str, Sequence[CriterionWinner]]:
    """By the key of a criterion those who are associated with it, most answers first, each with the clause that says
    so most clearly. An answer counts only whom it offers for choice. `called`: the brand (BRAND) and its competitors
    (their ids) by name."""
    finder = finder_of(criteria)
    found: dict[tuple[str, str], list[tuple[AnswerText, Clause]]] = defaultdict(list)
    for answer in answers:
        clauses = Clauses(answer)
        for key, place, _ in finder.places(answer.tokens) if answer.names else ():
            # "Nest Cam Battery" is a name, no word on its battery.
            clause = None if answer.is_offered_at(place, place + 1) else clauses.around(place)
            if clause and clause.subject in answer.offered and not _has_reservation(answer, clause):
                found[key, clause.subject or BRAND].append((answer, clause))
    naming = Counter(subject for answer in answers for subject in answer.offered)
    winners: dict[str, list[CriterionWinner]] = defaultdict(list)
    for (key, subject), places in sorted(found.items(), key=lambda each: each[0]):
        if subject not in called:
            continue  # was tracked when the answer was read
        answer, clause = min(places, key=lambda place: _unclearness(place[1]))
        winner = CriterionWinner(
            subject=called[subject],
            competitor_id=UUID(subject) if subject != BRAND else None,
            answers=len({answer.id for answer, _ in places}),
            naming=naming[subject],
            quote=quote_of(answer, clause.start, clause.end),
        )
        winners[key].append(winner)
    return {key: sorted(each, key=lambda winner: -winner.answers) for key, each in winners.items()}


def winner_of(winners: Sequence[CriterionWinner]) -> str | None:
    """Who leads all others by LEAD answers or more, and also by share of the answers that offer it; else nobody."""
    if not winners or winners[0].answers < LEAD:
        return None
    first, *others = winners
    is_ahead = all(
        first.answers - each.answers >= LEAD and first.answers * each.naming > each.answers * first.naming
        for each in others
    )
    return first.subject if is_ahead else None


def _has_reservation(answer: AnswerText, clause: Clause) -> bool:
    return not words("reservation").isdisjoint(stems(answer.seen.text[clause.start : clause.end]))


def _unclearness(clause: Clause) -> tuple[bool, int]:
    """Least where a clause names whom it speaks of, and is about a sentence long."""
    return not clause.names_it, abs(clause.end - clause.start - SENTENCE)

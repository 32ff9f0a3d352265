"""Criteria by which answers on a topic of the brand judge, and which rivals win.

Looked at are criteria that four answers and a tenth of those on the topic use, or more. Open: more answers name a
rival as good by it than the brand, beyond chance (sign test, level 5 %). Closed: the brand is named half as often as
the rival, or more; or the answers use it no more.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.text.sentences import counted, one_line, shortened
from visibility.detection.types import BRAND
from visibility.evidence.types import Criterion
from visibility.insights.recommendations.citing import closed
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Factors,
    Fix,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.quoting import of_answer
from visibility.measured.facts import most_named
from visibility.metrics.leads import chance_of_lead

MIN_ANSWERS = 4
MIN_WEIGHT = 10.0
"""Percent of the answers on the topic that judge by it: what fewer use is no criterion of the topic."""
LEVEL = 0.05
"""The chance of a lead as large where both are named as good alike."""
CLOSES = 0.5
"""Of the rival's answers so many, or more, name the brand as good, too."""
MAX_EVIDENCE = 5
_MAX_LABEL = 80


@dataclass(frozen=True, slots=True)
class Found:
    """The criterion with the rival that most answers name as good by it, and how many name the brand so."""

    criterion: Criterion
    rival: UUID
    rival_answers: int
    own: int


class CriteriaThatRivalsWin:
    """Criteria that rivals win and the brand does not, or far less."""

    id = "criterion"
    reason = "Answers choose by it, and name rivals as good by it instead of the brand."
    basis = Basis.EVIDENCE
    proven_by = ProvenBy.SCORE
    max_open = 6

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each criterion that four answers or more of a topic use, a tenth of them at least; and stored ones that
        its answers use no more.

        It opens where a rival is named as good by it beyond chance more often than the brand (level 5 %), and closes
        where the brand is named half as often as the rival.
        """
        if not material.basis.engines:
            return []
        by_topic = material.criteria_by_topic.items()
        rows = [
            observation
            for topic, criteria in by_topic
            for criterion in criteria
            if criterion.answers >= MIN_ANSWERS and criterion.weight >= MIN_WEIGHT
            for observation in _observed(topic, criterion, material)
        ]
        stored = {subject_of(topic, row) for topic, criteria in by_topic for row in criteria}
        answers = {topic: criteria[0].of_answers for topic, criteria in by_topic if criteria}
        closed = [
            closed(material, subject, topic, answers[topic])
            for subject, topic in material.standing.get(self.id, ())
            if subject not in stored and answers.get(topic, 0) >= MIN_ANSWERS
        ]
        return [*rows, *closed]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What answers say of the rival by it; nothing more is read."""
        return [_words(row, material) for row in observations]


def subject_of(topic: str, criterion: Criterion) -> str:
    """The fingerprint: the criterion on its topic, however it is capitalised."""
    return hashlib.sha256(f"{topic}\0{one_line(criterion.label).casefold()}".encode()).hexdigest()


def _observed(topic: str, criterion: Criterion, material: Material) -> Iterable[Observation]:
    wins = {winner.subject: winner.answers for winner in criterion.winners}
    own = wins.get(BRAND, 0)
    rivals = {rival: wins[str(rival)] for rival in material.subject.competitors if str(rival) in wins}
    ranked = most_named(rivals, material.subject.competitors)
    if not ranked:
        yield closed(material, subject_of(topic, criterion), topic, criterion.of_answers)
        return
    best = ranked[0]
    most = rivals[best]
    yield Observation(
        subject=subject_of(topic, criterion),
        standing=_standing(most, own),
        factors=Factors(
            answers=most,
            of_answers=max(criterion.of_answers, most),
            engines=len(criterion.engines),
            of_engines=len(material.engines),
            reach=min(1.0, most / max(len(material.unbranded), 1)),
            effect=Effect.UNKNOWN,
            effort=Effort.LOW,
        ),
        topic=topic,
        rivals=tuple(ranked),
        details=Found(criterion, best, most, own),
    )


def _standing(rival: int, own: int) -> Standing:
    if chance_of_lead(rival, own) <= LEVEL:
        return Standing.OPEN
    return Standing.CLOSED if own >= CLOSES * rival else Standing.BETWEEN


def _words(row: Observation, material: Material) -> Words:
    lead, subject = row.details, material.subject
    criterion = lead.criterion
    brand, rival = one_line(subject.brand), one_line(subject.competitors[lead.rival])
    label = f"“{shortened(one_line(criterion.label), _MAX_LABEL)}”"
    topic = one_line(subject.topic_name(row.topic))
    prompts = {str(answer.id): answer.prompt for answer in material.answers}
    quotes = [winner.quote for winner in criterion.winners if winner.subject == str(lead.rival)]
    quotes += [winner.quote for winner in criterion.winners if winner.subject in set(map(str, row.rivals))]
    quotes += criterion.quotes
    evidence = {quote.text: of_answer(quote, prompts.get(quote.answer)) for quote in quotes}
    return Words(
        title=f"Show how {brand} does by {label} on {topic}: {counted(lead.rival_answers, 'answer')} name {rival} "
        f"as good by it, {lead.own or 'none'} {brand}",
        summary=f"Of {criterion.of_answers} answers on {topic} {criterion.answers} list {label} among what to look "
        f"for; {lead.rival_answers} name {rival} as good by it, there or in passing, and "
        f"{lead.own or 'none'} {brand}.",
        evidence=list(evidence.values())[:MAX_EVIDENCE],
        fix=Fix(
            goal=f"Help {brand} to be named as good by {label} when people ask about “{topic}”.",
            tasks=(
                f"Find on the pages of {brand} what can be shown by this criterion: figures, tests, certificates.",
                "Put it under a heading of its own on the page on this topic, in two or three sentences, with the "
                "figure and its source.",
                "Compare it with what is named instead, in a table with facts that can be checked.",
            ),
            keep=("Claims by other criteria.",),
            done_when="The page says it with a figure and a source, and can be crawled.",
        ),
    )

"""A topic of the brand where rivals stand in the answers and the brand does not: one recommendation for a topic.

Four answers or more of now are looked at. Open: a rival is named in 30 points more of them than the brand, beyond
chance (sign test over the answers that name one of the two, level 0.8 % over the brand's topics and all rivals).
Closed: no rival is more than 10 points ahead.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.text.sentences import counted, one_line, shortened
from visibility.insights.recommendations.evidence import read_evidence
from visibility.insights.recommendations.gaps import gap_from, shows_gap, tallies_of
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
from visibility.insights.recommendations.types import Gap, GapKind, Tally
from visibility.insights.recommendations.wording import EvidenceText, counts_in_words, rivals_in_words
from visibility.measured.facts import AnswerFacts, BrandFacts, PromptFacts
from visibility.metrics.leads import chance_of_lead

MIN_ANSWERS = 4
LEVEL = 0.008
"""The chance that any of the brand's topics opens on one day where the brand and its rivals are named alike."""
MIN_LEAD = 0.3
"""The share of the answers by which a rival has to be ahead to open the gap."""
CLOSED_LEAD = 0.1
"""The share up to which a rival may be ahead where the gap is closed."""


@dataclass(frozen=True, slots=True)
class Lead:
    """How a rival stands beside the brand in the answers whose questions do not name it: `rival` and `own` of
    `answers` name each; `chance` is that of such a lead where both are named alike."""

    id: UUID
    rival: int
    own: int
    answers: int
    chance: float

    @property
    def share(self) -> float:
        """By which part of the answers the rival is ahead; below 0 where the brand is."""
        return (self.rival - self.own) / self.answers


@dataclass(frozen=True, slots=True)
class Found:
    """The gap with the rival that is furthest ahead."""

    gap: Gap
    best: Lead


class TopicGap:
    """Rivals are named on a topic and the brand is not, or far less."""

    id = "topic_gap"
    reason = "People who ask about this are told of rivals and not of the brand."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.SCORE
    max_open = 20

    def observe(self, material: Material) -> Iterable[Observation]:
        """Every topic with four answers or more."""
        topics = _by_topic(material.unbranded, material.subject.prompts)
        leads = {topic: _leads(group, material.subject) for topic, group in topics.items()}
        tests = sum(len(of_topic) for topic, of_topic in leads.items() if topic not in material.not_own)
        for topic, group in topics.items():
            if leads[topic] or material.subject.competitors:
                yield _observation(topic, group, leads[topic], LEVEL / max(tests, 1), material)

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What answers on the topic say, with quotes of up to three of them and their sources."""
        subject = material.subject
        evidence = read_evidence([observation.details.gap for observation in observations], subject)
        return [
            _words(observation, pieces, subject) for observation, pieces in zip(observations, evidence, strict=True)
        ]


def _by_topic(
    answers: Iterable[AnswerFacts], prompts: Mapping[UUID, PromptFacts]
) -> Mapping[str, Sequence[AnswerFacts]]:
    topics: dict[str, list[AnswerFacts]] = defaultdict(list)
    for answer in answers:
        topics[prompts[answer.prompt].topic].append(answer)
    return {topic: group for topic, group in topics.items() if len(group) >= MIN_ANSWERS}


def _leads(answers: Sequence[AnswerFacts], subject: BrandFacts) -> list[Lead]:
    """How each rival stands, the furthest ahead first; of those that are named at all."""
    leads = []
    for rival in {rival for answer in answers for rival in answer.rivals}:
        group = [answer for answer in answers if rival not in subject.prompts[answer.prompt].named]
        if len(group) < MIN_ANSWERS:
            continue
        alone = sum(rival in answer.rivals and not answer.brand_named for answer in group)
        own_alone = sum(rival not in answer.rivals and answer.brand_named for answer in group)
        both = sum(rival in answer.rivals and answer.brand_named for answer in group)
        chance = chance_of_lead(alone, own_alone)
        leads.append(Lead(rival, alone + both, own_alone + both, len(group), chance))
    return sorted(leads, key=lambda lead: (-lead.share, lead.chance, str(lead.id)))


def standing_of(leads: Sequence[Lead], level: float) -> Standing:
    """How a topic stands by how far each rival is ahead."""
    if any(lead.share >= MIN_LEAD and lead.chance <= level for lead in leads):
        return Standing.OPEN
    return Standing.BETWEEN if any(lead.share > CLOSED_LEAD for lead in leads) else Standing.CLOSED


def _observation(
    topic: str, answers: Sequence[AnswerFacts], leads: Sequence[Lead], level: float, material: Material
) -> Observation:
    prompts = material.subject.prompts
    gap_answers = [answer for answer in answers if shows_gap(answer, prompts[answer.prompt])]
    tallies = tallies_of(answers, prompts)
    gap = gap_from(GapKind.MENTION, topic, gap_answers, tallies, 0.0, prompts, material.subject.competitors)
    return Observation(
        subject=topic,
        topic=topic,
        standing=standing_of(leads, level),
        factors=Factors(
            answers=len(gap_answers),
            of_answers=len(answers),
            engines=sum(_is_shown(tally) for tally in tallies),
            of_engines=len(material.engines),
            reach=len(gap_answers) / len(material.unbranded),
            effect=Effect.LIKELY,
            effort=Effort.LOW if gap.brand_page_cited else Effort.MEDIUM,
        ),
        tallies=tuple(tallies),
        prompts=gap.prompts,
        rivals=gap.rivals,
        details=Found(gap, leads[0]) if leads else None,
    )


def _is_shown(tally: Tally) -> bool:
    """Whether at least half of the engine's answers show the gap."""
    return 2 * tally.gaps >= tally.answers


def _words(observation: Observation, evidence: Sequence[EvidenceText], subject: BrandFacts) -> Words:
    gap, best = observation.details.gap, observation.details.best
    brand, rival = one_line(subject.brand), one_line(subject.competitors[best.id])
    topic = f"“{shortened(one_line(subject.topic_name(observation.topic)), 120)}”"
    own = f"{best.own} of {counted(best.answers, 'answer')}" if best.own else f"none of {best.answers} answers"
    return Words(
        title=f"On {topic}, {own} {'names' if best.own == 1 else 'name'} {brand}; {best.rival} name {rival}",
        summary=(
            f"Answers on {topic} that name {rivals_in_words(gap, subject)} but not {brand}: "
            f"{counts_in_words(gap, subject)}."
        ),
        evidence=evidence,
        fix=_fix(gap, brand, topic),
    )


def _fix(gap: Gap, brand: str, topic: str) -> Fix:
    page = "Revise the page that these answers already cite" if gap.brand_page_cited else "Write a page on this topic"
    return Fix(
        goal=f"Help {brand} to be named when people ask AI assistants about {topic}.",
        tasks=(
            f"{page}: open with two or three sentences that answer the questions and say for whom {brand} is the "
            "right choice.",
            "Compare with what is named instead in a table, by the criteria of the quotes, with facts that can be "
            "checked.",
            "Answer each question above under a heading in its own words.",
            f"Say what the cited sources cover that the pages of {brand} do not, and add it.",
            "List which of the cited sources should be asked to test or list the product, and why they would.",
        ),
        keep=("Pages on other topics, their addresses and their titles.",),
        done_when="It is done when the page is published, can be crawled and answers each of the questions; later "
        "scans of these questions say whether it helped.",
    )

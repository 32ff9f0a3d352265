"""What kinds of recommendations find that a page would change, as pages worth writing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apikeys.text.sentences import one_line
from visibility.insights.content.opportunities import Opportunity, OpportunityKind
from visibility.insights.recommendations.kind import Observation, Standing, Words
from visibility.insights.recommendations.kinds import KINDS
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.priority import priority
from visibility.insights.recommendations.types import Gap, GapKind
from visibility.writers.tasks import DraftFormat

FORMATS: Mapping[str, DraftFormat] = {
    OpportunityKind.SEARCH: DraftFormat.ARTICLE,
    OpportunityKind.COMPARISON_PAGE: DraftFormat.COMPARISON,
    OpportunityKind.CRITERION: DraftFormat.ARTICLE,
    OpportunityKind.CLAIM: DraftFormat.ARTICLE,
}
"""The kinds of recommendations that a page answers, by what suits each."""


@dataclass(frozen=True, slots=True)
class OfKind:
    """A page worth writing, with the words of the recommendation that it follows from."""

    opportunity: Opportunity
    words: Words
    topic: str


def read_of_kinds(material: Material) -> list[OfKind]:
    """What is open now on topics of the brand, whether it is in the queue or not; at most what the queue would hold
    of each kind. In a fixed number of statements."""
    rows: list[OfKind] = []
    for kind in KINDS:
        if kind.id not in FORMATS:
            continue
        observations = [row for row in kind.observe(material) if _is_worth_writing(material, row)]
        observations = sorted(observations, key=lambda row: (-priority(row.factors), row.subject))[: kind.max_open]
        words = kind.words(material, observations)
        rows += [_of_kind(material, kind.id, *pair) for pair in zip(observations, words, strict=True)]
    return rows


def _is_worth_writing(material: Material, row: Observation) -> bool:
    return row.standing is Standing.OPEN and bool(row.prompts) and row.topic not in material.not_own


def _of_kind(material: Material, kind: str, row: Observation, words: Words) -> OfKind:
    quoted = {piece.answer_id for piece in words.evidence}
    answers = [answer for answer in material.answers if answer.id in quoted]
    gap = Gap(
        kind=GapKind.MENTION,
        subject=row.subject,
        prompts=row.prompts,
        rivals=row.rivals,
        tallies=row.tallies,
        answers=tuple(answers),
        priority=priority(row.factors),
        brand_page_cited=any(answer.cites_brand for answer in answers),
    )
    return OfKind(Opportunity(OpportunityKind(kind), row.subject, gap), words, _topic(material, kind, row, words))


def _topic(material: Material, kind: str, row: Observation, words: Words) -> str:
    """What the page is about."""
    facts = material.subject
    searches: Sequence[str] = [piece.text for piece in words.evidence if piece.kind == "search"]
    if kind == OpportunityKind.SEARCH and searches:
        return searches[0]
    if kind == OpportunityKind.COMPARISON_PAGE:
        return f"{one_line(facts.brand)} vs {one_line(facts.competitors[row.rivals[0]])}"
    return facts.topic_name(row.topic) if row.topic else facts.question(row.prompts[0])

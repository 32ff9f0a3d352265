"""An engine that leaves the brand out where the other engines name it, across the same questions.

Looked at are the questions on the brand's topics that the engine and others answered, five or more. Each counts once:
the share of the engine's answers that name the brand beside the mean share of the others. Open: 20 points or more
behind on average, beyond chance (t-test over questions, level 0.3 % over all engines). Closed: 10 points or fewer.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from uuid import UUID

from apikeys.text.sentences import counted, one_line
from visibility.engines.display import display_name
from visibility.insights.recommendations.evidence import read_evidence
from visibility.insights.recommendations.gaps import gap_from, shows_gap
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
from visibility.insights.recommendations.wording import EvidenceText
from visibility.measured.facts import AnswerFacts
from visibility.metrics.leads import chance_of_shift

MIN_PROMPTS = 5
"""Questions that the engine and others answered: fewer tell nothing of an engine."""
LEVEL = 0.003
"""The chance that any engine opens on one day where all name the brand alike: a month of days stays about 5 %."""
OPENS, CLOSES = 0.2, 0.1
"""By which share of the answers the engine is behind the others."""


@dataclass(frozen=True, slots=True)
class Found:
    """How the engine and the others name the brand in the answers to the questions that both answered: `own` of
    `answers`, and `others` of `other_answers`. `gap` are its answers without the brand to questions where others
    name it."""

    engine: str
    own: int
    answers: int
    others: int
    other_answers: int
    gap: Gap


class EngineGaps:
    """Engines that leave the brand out where others name it."""

    id = "engine_gap"
    reason = "Who asks this engine is not told of the brand; the others show that it can be counts."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.SCORE
    max_open = 3

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each engine that answered five questions or more on the brand's topics which others answered, too."""
        prompts = material.subject.prompts
        cells: dict[UUID, dict[str, list[AnswerFacts]]] = defaultdict(lambda: defaultdict(list))
        for answer in material.unbranded:
            if prompts[answer.prompt].topic not in material.not_own:
                cells[answer.prompt][answer.engine].append(answer)
        for engine in sorted(material.engines):
            shared = {prompt: row for prompt, row in cells.items() if engine in row and len(row) > 1}
            if len(shared) >= MIN_PROMPTS:
                yield _observation(engine, shared, material)

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What the engine says in the brand's place, with its sources."""
        evidence = read_evidence([row.details.gap for row in observations], material.subject)
        return [_words(row.details, pieces, material) for row, pieces in zip(observations, evidence, strict=True)]


def _share(answers: Sequence[AnswerFacts]) -> float:
    return fmean(answer.brand_named for answer in answers)


def _observation(
    engine: str, cells: Mapping[UUID, Mapping[str, Sequence[AnswerFacts]]], material: Material
) -> Observation:
    prompts = material.subject.prompts
    others = {prompt: fmean(_share(row[name]) for name in row if name != engine) for prompt, row in cells.items()}
    behind = [others[prompt] - _share(row[engine]) for prompt, row in cells.items()]
    answers = [answer for row in cells.values() for answer in row[engine]]
    other_answers = [answer for row in cells.values() for name in row if name != engine for answer in row[name]]
    without = [answer for answer in answers if not answer.brand_named and others[answer.prompt]]
    quotable = [answer for answer in without if shows_gap(answer, prompts[answer.prompt])]
    gap = gap_from(GapKind.MENTION, engine, quotable, (), 0.0, prompts, material.subject.competitors)
    own = sum(answer.brand_named for answer in answers)
    named = sum(answer.brand_named for answer in other_answers)
    return Observation(
        subject=engine,
        standing=standing_of(behind, LEVEL / len(material.engines)),
        factors=Factors(
            answers=len(without),
            of_answers=len(answers),
            engines=1,
            of_engines=len(material.engines),
            reach=len(without) / len(material.unbranded),
            effect=Effect.LIKELY,
            effort=Effort.MEDIUM,
        ),
        tallies=(Tally(engine, len(without), len(answers)),),
        prompts=tuple(sorted({answer.prompt for answer in without}, key=str)),
        details=Found(engine, own, len(answers), named, len(other_answers), gap),
    )


def standing_of(behind: Sequence[float], level: float) -> Standing:
    """How an engine stands by how far it is behind the others, question by question."""
    mean = fmean(behind)
    if mean >= OPENS and chance_of_shift(behind) <= level:
        return Standing.OPEN
    return Standing.BETWEEN if mean > CLOSES else Standing.CLOSED


def _words(counts: Found, evidence: Sequence[EvidenceText], material: Material) -> Words:
    brand, engine = one_line(material.brand.name), one_line(display_name(counts.engine))
    questions = counted(len(counts.gap.prompts), "question")
    return Words(
        title=f"{engine} names {brand} in {counts.own} of {counts.answers} answers; the other engines "
        f"in {counts.others} of {counts.other_answers} to the same questions",
        summary=f"On the topics of {brand}, {engine} names it in {counts.own} of {counts.answers} answers and the "
        f"other engines in {counts.others} of {counts.other_answers}. In its answers to {questions} rivals stand "
        "instead.",
        evidence=evidence,
        fix=Fix(
            goal=f"Help {brand} to be named by {engine}, as other engines name it already.",
            tasks=(
                f"Check that robots.txt and firewall let the crawlers of {engine} read the pages on these topics.",
                f"Look at the pages that {engine} cites: say what they hold that the own pages do not, and add it.",
                "Put the answer to each of the questions at the top of the page that it belongs to.",
                f"List which of the cited sources do not have {brand} yet, and what each needs to test or add it.",
            ),
            keep=("What the other engines cite already: their wording and addresses.",),
            done_when=f"{engine} can read the pages, and later scans of these questions say whether it helped.",
        ),
    )

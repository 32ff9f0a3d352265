"""Which pages are worth writing, by what one day's answers show. Pure.

*not_named*, one per topic: answers to its questions name competitors and not the brand.

*not_cited*, one per topic that is not of the first kind: at least half of the answers of at least one engine cite a
competitor's page and none of the brand's.

*cited_source*, one per domain of nobody's: answers that cite it name competitors and not the brand (a source gap).

The others follow from kinds of recommendations of the same names (see `from_kinds`). Scores are priorities, of the
same factors as those of recommendations: comparable over all kinds.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from visibility.insights.recommendations.gaps import MIN_SHARE, find_gaps
from visibility.insights.recommendations.types import Gap, GapKind, Tally
from visibility.measured.facts import AnswerFacts, PromptFacts
from visibility.writers.tasks import DraftFormat

MAX_OPPORTUNITIES = 50
MIN_QUESTIONS_OF_FAQ = 3
CitedRivals = Mapping[UUID, Collection[UUID]]
"""By answer: the competitors whose pages it cites."""


class OpportunityKind(StrEnum):
    """What makes a page worth writing."""

    NOT_NAMED = "not_named"
    NOT_CITED = "not_cited"
    CITED_SOURCE = "cited_source"
    SEARCH = "search"
    COMPARISON_PAGE = "comparison_page"
    CRITERION = "criterion"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Opportunity:
    """A page worth writing. `subject` is the topic or the domain.

    `gap` holds what the answers show: the questions, who stands there instead (most often first), counts by engine,
    the answers (first those that make the best evidence) and the score as its priority.
    """

    kind: OpportunityKind
    subject: str
    gap: Gap

    @property
    def id(self) -> str:
        """Stays the same as long as kind and subject do."""
        digest = hashlib.sha256(f"{self.kind}\0{self.subject.casefold()}".encode()).hexdigest()
        return f"{self.kind}-{digest[:16]}"


def find_opportunities(
    answers: Sequence[AnswerFacts], prompts: Mapping[UUID, PromptFacts], cited_rivals: CitedRivals
) -> list[Opportunity]:
    """The pages worth writing, highest score first, then by their evidence."""
    gaps = find_gaps(answers, prompts).gaps
    not_named = _by_topic([gap for gap in gaps if gap.kind == GapKind.MENTION], prompts)
    not_cited = _not_cited(answers, prompts, cited_rivals, without={opportunity.subject for opportunity in not_named})
    sources = [
        Opportunity(OpportunityKind.CITED_SOURCE, gap.subject, gap) for gap in gaps if gap.kind == GapKind.SOURCE
    ]
    every = [*not_named, *not_cited, *sources]
    return sorted(every, key=lambda opportunity: opportunity.gap.worth)


def suitable_format(opportunity: Opportunity, intents: Iterable[str], source_class: str) -> DraftFormat:
    """What kind of page suits: what the sources are that answers cite, else what the askers want."""
    if opportunity.kind == OpportunityKind.CITED_SOURCE:
        return {"review_site": DraftFormat.COMPARISON, "community": DraftFormat.FAQ}.get(
            source_class, DraftFormat.ARTICLE
        )
    top_intents = Counter(filter(None, intents)).most_common(1)
    if top_intents and top_intents[0][0] == "comparison":
        return DraftFormat.COMPARISON
    if top_intents and top_intents[0][0] == "transactional":
        return DraftFormat.LANDING
    return DraftFormat.FAQ if len(opportunity.gap.prompts) >= MIN_QUESTIONS_OF_FAQ else DraftFormat.ARTICLE


def _by_topic(gaps: Iterable[Gap], prompts: Mapping[UUID, PromptFacts]) -> list[Opportunity]:
    """The mention gaps of each topic as one."""
    grouped: dict[str, list[Gap]] = defaultdict(list)
    for gap in gaps:
        grouped[prompts[gap.prompts[0]].topic].append(gap)
    return [Opportunity(OpportunityKind.NOT_NAMED, topic, _merged(topic, group)) for topic, group in grouped.items()]


def _merged(topic: str, group: Sequence[Gap]) -> Gap:
    """One gap over several questions: the most missed question first, evidence from each in turn."""
    rivals = Counter(
        rival for gap in group for answer in gap.answers for rival in answer.rivals if rival in gap.rivals
    )
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for gap in group:
        for row in gap.tallies:
            counts[row.engine][0] += row.gaps
            counts[row.engine][1] += row.answers
    longest = max(len(gap.answers) for gap in group)
    return Gap(
        kind=GapKind.MENTION,
        subject=topic,
        prompts=tuple(prompt for gap in group for prompt in gap.prompts),
        rivals=_most_often(rivals),
        tallies=tuple(Tally(engine, *counts[engine]) for engine in sorted(counts)),
        answers=tuple(gap.answers[turn] for turn in range(longest) for gap in group if turn < len(gap.answers)),
        priority=round(sum(gap.priority for gap in group) / len(group)),
        brand_page_cited=any(gap.brand_page_cited for gap in group),
    )


def _not_cited(
    answers: Iterable[AnswerFacts],
    prompts: Mapping[UUID, PromptFacts],
    cited_rivals: CitedRivals,
    without: Collection[str],
) -> list[Opportunity]:
    by_topic: dict[str, list[AnswerFacts]] = defaultdict(list)
    for answer in answers:
        prompt = prompts[answer.prompt]
        if not prompt.branded and prompt.topic not in without:
            by_topic[prompt.topic].append(answer)
    opportunities = []
    for topic, group in by_topic.items():
        gap_answers = [answer for answer in group if cited_rivals.get(answer.id) and not answer.cites_brand]
        engines = Counter(answer.engine for answer in group)
        missed = Counter(answer.engine for answer in gap_answers)
        tallies = tuple(Tally(engine, missed[engine], engines[engine]) for engine in sorted(engines))
        if any(row.gaps and row.gaps >= MIN_SHARE * row.answers for row in tallies):
            opportunities.append(
                Opportunity(
                    OpportunityKind.NOT_CITED, topic, _citation_gap(topic, gap_answers, tallies, cited_rivals)
                )
            )
    return opportunities


def _citation_gap(
    topic: str, gap_answers: Sequence[AnswerFacts], tallies: tuple[Tally, ...], cited_rivals: CitedRivals
) -> Gap:
    prompt_counts = Counter(answer.prompt for answer in gap_answers)
    return Gap(
        kind=GapKind.MENTION,
        subject=topic,
        prompts=_most_often(prompt_counts),
        rivals=_most_often(Counter(rival for answer in gap_answers for rival in cited_rivals[answer.id])),
        tallies=tallies,
        answers=tuple(sorted(gap_answers, key=lambda answer: (answer.engine, str(answer.id)))),
        priority=round(100 * sum(row.gaps / (row.answers + 1) for row in tallies) / len(tallies)),
        brand_page_cited=False,
    )


def _most_often(counts: Mapping[UUID, int]) -> tuple[UUID, ...]:
    return tuple(sorted(counts, key=lambda key: (-counts[key], str(key))))

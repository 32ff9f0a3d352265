"""How alike the answers to one prompt, and the prompts of one topic, are: nested analysis of variance.

With y = topic + prompt within topic + answer, ρ is the correlation of two answers to one prompt,
ρ = (σ²_topic + σ²_prompt)/σ², and ρ_T that of answers to two prompts of one topic, ρ_T = σ²_topic/σ². The
variances are estimated from sums of squares of unequal groups (Henderson's method 1; Searle, Casella and McCulloch
1992, chapter 5).
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass

import numpy as np

from visibility.metrics.cells import Cells

_EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class SumsOfSquares:
    """Sums of squares with what their expectations are made of; those of several subjects may be added.

    E[answers] = answers_df · σ²_a, E[prompts] = prompts_df · σ²_a + prompts_prompt · σ²_p and
    E[topics] = topics_df · σ²_a + topics_prompt · σ²_p + topics_topic · σ²_t.
    """

    answers: float
    prompts: float
    topics: float
    answers_df: float
    prompts_df: float
    topics_df: float
    prompts_prompt: float
    topics_prompt: float
    topics_topic: float


@dataclass(frozen=True, slots=True)
class Correlation:
    """ρ within a prompt and ρ_T within a topic; None where the design cannot tell."""

    prompt: float | None
    topic: float | None


def sums_of_squares(cells: Cells) -> SumsOfSquares | None:
    """The sums of squares of one subject's answers; None where all answers have the same value.

    Answers of all engines to one prompt are one group. So ρ is the correlation that this mixture of answers has,
    which is what the variance of a prompt's mean over them depends on.
    """
    sizes, totals = cells.by_prompt(cells.answers), cells.by_prompt(cells.total)
    topic_sizes, topic_totals = cells.by_topic(sizes), cells.by_topic(totals)
    size, total = sizes.sum(), totals.sum()
    of_prompts, of_topics = (totals**2 / sizes).sum(), (topic_totals**2 / topic_sizes).sum()
    of_all = total**2 / size
    if cells.squares - of_all <= _EPSILON * max(1.0, cells.squares):
        return None
    within_topics = (cells.by_topic(sizes**2) / topic_sizes).sum()
    parts = (
        cells.squares - of_prompts,
        of_prompts - of_topics,
        of_topics - of_all,
        size - cells.prompts,
        cells.prompts - cells.topics,
        cells.topics - 1,
        size - within_topics,
        within_topics - (sizes**2).sum() / size,
        size - (topic_sizes**2).sum() / size,
    )
    return SumsOfSquares(*map(float, parts))


def pooled(subjects: Iterable[SumsOfSquares | None]) -> SumsOfSquares | None:
    """The sums over all subjects that vary."""
    known = [astuple(sums) for sums in subjects if sums is not None]
    return SumsOfSquares(*map(float, np.sum(known, axis=0))) if known else None


def correlation(sums: SumsOfSquares | None) -> Correlation:
    """ρ and ρ_T, not yet clipped. One answer a prompt leaves ρ open, one prompt a topic leaves ρ_T open."""
    if sums is None or sums.topics_df <= 0:
        return Correlation(None, None)
    if sums.prompts_df <= 0:
        return Correlation(
            _share(sums.topics, sums.topics_df, sums.topics_topic, sums.answers, sums.answers_df), None
        )
    if sums.answers_df <= 0:
        return Correlation(
            None, _share(sums.topics, sums.topics_df, sums.topics_topic, sums.prompts, sums.prompts_df)
        )
    of_answer = sums.answers / sums.answers_df
    of_prompt = (sums.prompts - sums.prompts_df * of_answer) / sums.prompts_prompt
    of_topic = (sums.topics - sums.topics_df * of_answer - sums.topics_prompt * of_prompt) / sums.topics_topic
    everything = of_answer + of_prompt + of_topic
    if everything <= _EPSILON:
        return Correlation(None, None)
    return Correlation((of_prompt + of_topic) / everything, of_topic / everything)


def cautious(own: Correlation, shared: Correlation) -> tuple[float, float]:
    """ρ and ρ_T to reckon with: the larger of a subject's own and all subjects', 1 where neither is known,

    with 0 ≤ ρ_T ≤ ρ ≤ 1. A subject's own estimate from few prompts is too small too often.
    """
    prompt = _larger(own.prompt, shared.prompt)
    return prompt, min(prompt, _larger(own.topic, shared.topic))


def _larger(own: float | None, shared: float | None) -> float:
    known = [value for value in (own, shared) if value is not None]
    return min(1.0, max(0.0, *known)) if known else 1.0


def _share(between: float, between_df: float, weight: float, within: float, within_df: float) -> float | None:
    """The one-way intraclass correlation: σ²_between/(σ²_between + σ²_within)."""
    if within_df <= 0 or weight <= 0:
        return None
    of_within = within / within_df
    of_group = (between - between_df * of_within) / weight
    everything = of_within + of_group
    return of_group / everything if everything > _EPSILON else None

"""How alike the answers to one prompt, and the prompts of one topic, are: nested analysis of variance.

With y = topic + prompt within topic + answer, ρ is the correlation of two answers to one prompt,
ρ = (σ²_topic + σ²_prompt)/σ², and ρ_T that of answers to two prompts of one topic, ρ_T = σ²_topic/σ². The
variances are estimated from sums of squares of unequal groups (Henderson's method 1; Searle, Casella and McCulloch
1992, chapter 5). The last axis holds the subjects, as in `cells`.
"""

from dataclasses import astuple, dataclass

import numpy as np

from visibility.metrics.cells import Cells
from visibility.metrics.table import Floats

MIN_TELLING = 2.0
"""Topics of which half the answers are above 0 that are needed before an estimate of likeness is believed."""
_EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class SumsOfSquares:
    """Sums of squares with what their expectations are made of; those of several subjects may be added.

    E[answers] = answers_df · σ²_a, E[prompts] = prompts_df · σ²_a + prompts_prompt · σ²_p and
    E[topics] = topics_df · σ²_a + topics_prompt · σ²_p + topics_topic · σ²_t. All 0 for a subject whose answers all
    have one value: it says nothing.
    """

    answers: Floats
    prompts: Floats
    topics: Floats
    answers_df: Floats
    prompts_df: Floats
    topics_df: Floats
    prompts_prompt: Floats
    topics_prompt: Floats
    topics_topic: Floats


@dataclass(frozen=True, slots=True)
class Correlation:
    """ρ within a prompt and ρ_T within a topic; NaN where the design cannot tell."""

    prompt: Floats
    topic: Floats


def sums_of_squares(cells: Cells) -> SumsOfSquares:
    """The sums of squares of each subject's answers.

    Answers of all engines to one prompt are one group. So ρ is the correlation that this mixture of answers has,
    which is what the variance of a prompt's mean over them depends on.
    """
    sizes, totals = cells.by_prompt(cells.answers), cells.by_prompt(cells.total)
    topic_sizes, topic_totals = cells.by_topic(sizes), cells.by_topic(totals)
    size, total = sizes.sum(axis=-1), totals.sum(axis=-1)
    of_prompts, of_topics = _ratio(totals**2, sizes), _ratio(topic_totals**2, topic_sizes)
    of_all = _ratio(total[..., None] ** 2, size[..., None])
    within_topics = _ratio(cells.by_topic(sizes**2), topic_sizes)
    squares = cells.squares.sum(axis=(-2, -1))
    varies = squares - of_all > _EPSILON * np.maximum(1.0, squares)
    parts = (
        squares - of_prompts,
        of_prompts - of_topics,
        of_topics - of_all,
        size - cells.prompts,
        cells.prompts - cells.topics,
        cells.topics - 1,
        size - within_topics,
        within_topics - _ratio((sizes**2).sum(axis=-1, keepdims=True), size[..., None]),
        size - _ratio((topic_sizes**2).sum(axis=-1, keepdims=True), size[..., None]),
    )
    return SumsOfSquares(*(np.where(varies, part, 0.0) for part in parts))


def pooled(sums: SumsOfSquares) -> SumsOfSquares:
    """The sums over all subjects, as one."""
    return SumsOfSquares(*(part.sum(axis=-1, keepdims=True) for part in astuple(sums)))


def correlation(sums: SumsOfSquares) -> Correlation:
    """ρ and ρ_T, not yet clipped. One answer a prompt leaves ρ open, one prompt a topic leaves ρ_T open."""
    with np.errstate(divide="ignore", invalid="ignore"):
        lone = _share(sums.topics, sums.topics_df, sums.topics_topic, sums.answers, sums.answers_df)
        once = _share(sums.topics, sums.topics_df, sums.topics_topic, sums.prompts, sums.prompts_df)
        of_answer = sums.answers / sums.answers_df
        of_prompt = (sums.prompts - sums.prompts_df * of_answer) / sums.prompts_prompt
        of_topic = (sums.topics - sums.topics_df * of_answer - sums.topics_prompt * of_prompt) / sums.topics_topic
        everything = of_answer + of_prompt + of_topic
        known = everything > _EPSILON
        prompt = np.where(known, (of_prompt + of_topic) / everything, np.nan)
        topic = np.where(known, of_topic / everything, np.nan)
    cases = [sums.topics_df <= 0, sums.prompts_df <= 0, sums.answers_df <= 0]
    return Correlation(
        np.select(cases, [np.nan, lone, np.nan], prompt), np.select(cases, [np.nan, np.nan, once], topic)
    )


def cautious(own: Correlation, shared: Correlation) -> tuple[Floats, Floats]:
    """ρ and ρ_T to reckon with: the larger of a subject's own and all subjects', 1 where neither is known,

    with 0 ≤ ρ_T ≤ ρ ≤ 1. A subject's own estimate from few prompts is too small too often.
    """
    prompt = _larger(own.prompt, shared.prompt)
    return prompt, np.minimum(prompt, _larger(own.topic, shared.topic))


def known_alike(cells: Cells) -> tuple[Floats, Floats]:
    """ρ and ρ_T to reckon with for each subject: the larger of its own and those of all, as they are estimated."""
    sums = sums_of_squares(cells)
    return cautious(correlation(sums), correlation(pooled(sums)))


def likeness(cells: Cells) -> tuple[Floats, Floats]:
    """ρ and ρ_T to reckon with for each subject, drawn towards 1 where few answers differ.

    A brand that is hardly ever mentioned, with no rivals beside it, shows too little of both: with m = T · Σ 4π(1-π),
    π being the part of a subject's answers above 0, they are drawn towards 1 by (2/m)².
    """
    prompt, topic = known_alike(cells)
    answers = cells.answers.sum(axis=(-2, -1))
    part = cells.positives / np.maximum(answers, 1.0)
    telling = cells.topics * (4 * part * (1 - part)).sum(axis=-1, keepdims=True)
    doubt = np.minimum(1.0, (MIN_TELLING / np.maximum(telling, 1.0)) ** 2)
    return prompt + (1 - prompt) * doubt, topic + (1 - topic) * doubt


def _larger(own: Floats, shared: Floats) -> Floats:
    larger = np.fmax(own, shared)
    return np.where(np.isnan(larger), 1.0, np.clip(larger, 0.0, 1.0))


def _ratio(values: Floats, sizes: Floats) -> Floats:
    """Σ values/sizes over the last axis, groups without answers left out."""
    ratio: Floats = (values / np.where(sizes > 0, sizes, 1.0)).sum(axis=-1)
    return ratio


def _share(between: Floats, between_df: Floats, weight: Floats, within: Floats, within_df: Floats) -> Floats:
    """The one-way intraclass correlation: σ²_between/(σ²_between + σ²_within)."""
    of_within = within / within_df
    of_group = (between - between_df * of_within) / weight
    everything = of_within + of_group
    return np.where((within_df > 0) & (weight > 0) & (everything > _EPSILON), of_group / everything, np.nan)

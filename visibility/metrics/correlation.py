"""How alike the answers to one prompt, and the prompts of one topic, are: nested analysis of variance.

With y = topic + prompt within topic + answer, ρ = (σ²_topic + σ²_prompt)/σ² is the correlation of two answers to one
prompt, and ρ_T = σ²_topic/σ² that of answers to two prompts of one topic.
"""

from dataclasses import astuple, dataclass

import numpy as np

from visibility.metrics.counts import Floats
from visibility.metrics.samples import Sample

MIN_TELLING = 2.0
"""An estimate of likeness counts in full from so many topics in which half the answers are above 0."""
_EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class SumsOfSquares:
    """Sums of squares and the factors of their expectations; those of several subjects may be added.

    E[answers] = answers_df σ²_a, E[prompts] = prompts_df σ²_a + prompts_prompt σ²_p, and E[topics] = topics_df σ²_a +
    topics_prompt σ²_p + topics_topic σ²_t. All 0 for a subject whose answers all have one value.
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


def sums_of_squares(sample: Sample) -> SumsOfSquares:
    """Of unequal groups, the answers of all engines to one prompt being one group (Henderson's method 1; Searle,
    Casella and McCulloch 1992, chapter 5). So ρ is for the same mixture of engines as a prompt's mean."""
    sizes, totals = sample.answers.sum(axis=-2), sample.total.sum(axis=-2)
    topic_sizes, topic_totals = sample.by_topic(sizes), sample.by_topic(totals)
    size, total = sizes.sum(axis=-1), totals.sum(axis=-1)
    of_prompts, of_topics = _ratio(totals**2, sizes), _ratio(topic_totals**2, topic_sizes)
    overall = _ratio(total[..., None] ** 2, size[..., None])
    within_topics = _ratio(sample.by_topic(sizes**2), topic_sizes)
    squares, prompts, topics = sample.squares.sum(axis=(-2, -1)), sample.prompts, sample.topics
    varies = squares - overall > _EPSILON * np.maximum(1.0, squares)
    parts = (
        squares - of_prompts,
        of_prompts - of_topics,
        of_topics - overall,
        size - prompts,
        prompts - topics,
        topics - 1,
        size - within_topics,
        within_topics - _ratio((sizes**2).sum(axis=-1, keepdims=True), size[..., None]),
        size - _ratio((topic_sizes**2).sum(axis=-1, keepdims=True), size[..., None]),
    )
    return SumsOfSquares(*(np.where(varies, part, 0.0) for part in parts))


def correlations(sums: SumsOfSquares) -> tuple[Floats, Floats]:
    """ρ and ρ_T, not clipped; NaN where the design cannot tell: one answer a prompt leaves ρ open, one prompt a topic
    leaves ρ_T open."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one_prompt = _share(sums.topics, sums.topics_df, sums.topics_topic, sums.answers, sums.answers_df)
        one_answer = _share(sums.topics, sums.topics_df, sums.topics_topic, sums.prompts, sums.prompts_df)
        of_answer = sums.answers / sums.answers_df
        of_prompt = (sums.prompts - sums.prompts_df * of_answer) / sums.prompts_prompt
        of_topic = (sums.topics - sums.topics_df * of_answer - sums.topics_prompt * of_prompt) / sums.topics_topic
        everything = of_answer + of_prompt + of_topic
        prompt = np.where(everything > _EPSILON, (of_prompt + of_topic) / everything, np.nan)
        topic = np.where(everything > _EPSILON, of_topic / everything, np.nan)
    cases = [sums.topics_df <= 0, sums.prompts_df <= 0, sums.answers_df <= 0]
    return (
        np.select(cases, [np.nan, one_prompt, np.nan], prompt),
        np.select(cases, [np.nan, np.nan, one_answer], topic),
    )


def likeness(sample: Sample) -> tuple[Floats, Floats]:
    """ρ and ρ_T for intervals: the larger of a subject's own and that pooled over all subjects, 1 where neither is
    known, with 0 ≤ ρ_T ≤ ρ ≤ 1. A subject's own estimate from few prompts is too small too often."""
    sums = sums_of_squares(sample)
    own = correlations(sums)
    pooled = correlations(SumsOfSquares(*(part.sum(axis=-1, keepdims=True) for part in astuple(sums))))
    prompt, topic = (_larger(*both) for both in zip(own, pooled, strict=True))
    return prompt, np.minimum(prompt, topic)


def doubted(sample: Sample) -> tuple[Floats, Floats]:
    """The likeness drawn towards 1 where few answers differ: a brand that is hardly ever mentioned, with no rivals,
    shows too little of it. With m = T Σ 4π(1-π), π being the part of a subject's answers above 0, by (2/m)²."""
    part = sample.positives / np.maximum(sample.answers.sum(axis=(-2, -1)), 1.0)
    telling = sample.topics * (4 * part * (1 - part)).sum(axis=-1, keepdims=True)
    doubt = np.minimum(1.0, (MIN_TELLING / np.maximum(telling, 1.0)) ** 2)
    prompt, topic = likeness(sample)
    return prompt + (1 - prompt) * doubt, topic + (1 - topic) * doubt


def _larger(own: Floats, pooled: Floats) -> Floats:
    larger = np.fmax(own, pooled)
    return np.where(np.isnan(larger), 1.0, np.clip(larger, 0.0, 1.0))


def _ratio(values: Floats, sizes: Floats) -> Floats:
    """Σ values/sizes over the last axis, groups without answers left out."""
    ratio: Floats = (values / np.where(sizes > 0, sizes, 1.0)).sum(axis=-1)
    return ratio


def _share(between: Floats, between_df: Floats, factor: Floats, within: Floats, within_df: Floats) -> Floats:
    """The one-way intraclass correlation: σ²_between/(σ²_between + σ²_within)."""
    of_within = within / within_df
    of_group = (between - between_df * of_within) / factor
    everything = of_within + of_group
    return np.where((within_df > 0) & (factor > 0) & (everything > _EPSILON), of_group / everything, np.nan)

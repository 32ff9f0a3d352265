"""Changes of single topics: one topic has nothing but its questions to vary, so it is tested over these."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visibility.metrics.changes.confirming import Signs
from visibility.metrics.changes.following import Difference
from visibility.metrics.changes.series import Series
from visibility.metrics.development import MAX_POOLED, MIN_POOLED
from visibility.metrics.distributions import stdtr, stdtrit
from visibility.metrics.table import Floats, Integers
from visibility.metrics.verdicts import ALPHA, benjamini_hochberg

MIN_QUESTIONS = 4
"""The fewest cells, an engine with a wording, that a topic is tested over."""
PAST, MIN_PAST = 28, 9
"""How many of the days before tell how far topics wander: at most, and at least to say anything of topics."""
LEVEL = 0.05
"""The p, adjusted over the topics, at which each of the two days shows a move. `python -m tests.simulate topics`
shows that then fewer than 5 % of months in which nothing changed have a topic confirmed."""


@dataclass(frozen=True, slots=True)
class _Differences:
    """By topic: the difference of its score, its variance, how many questions it has, and its p."""

    delta: Floats
    variance: Floats
    questions: Integers
    p: Floats

    @property
    def squared(self) -> Floats:
        """The differences in standard errors, squared; 0 where nothing differs."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.variance > 0, self.delta**2 / self.variance, 0.0)


def over_questions(series: Series, before: slice, now: slice) -> Difference | None:
    """The difference of the score over all prompts of the series, the questions being what varies."""
    tested = _differences(series, before, now, np.zeros(len(series.topic), dtype=np.int64))
    if not tested.questions[0]:
        return None
    delta, p = float(tested.delta[0]), float(tested.p[0])
    if tested.questions[0] < MIN_QUESTIONS or tested.variance[0] <= 0:
        return Difference(delta, None, None, p)
    half = float(stdtrit(tested.questions[0] - 1.0, 1 - ALPHA / 2)) * float(tested.variance[0]) ** 0.5
    return Difference(delta, max(delta - half, -1.0), min(delta + half, 1.0), p)


def confirmed_topics(series: Series) -> Signs:
    """Which topics the latest two days of the series confirm to have moved on the first of them, and which way, by
    the number of the topic; 0 for none.

    Both days are held against the up to seven before them, at 5 % over all topics (Benjamini and Hochberg). Topics
    wander by themselves from day to day: how far, in standard errors, is what the days before tell, nine at least,
    each held against those before it in the same way; the larger counts of what the topic itself did and of what all
    topics did. A third of these days are its degrees of freedom, as neighbouring days are alike.
    """
    began = series.size - 2
    topics = int(series.topic.max(initial=-1)) + 1
    past = range(max(MIN_POOLED, began - PAST), began)
    if len(past) < MIN_PAST or not topics:
        return np.zeros(topics, dtype=np.int8)
    both = [_differences(series, _before(began), slice(day, day + 1), series.topic) for day in (began, began + 1)]
    moved = _moved(both, np.ones(topics), len(past) / 3)
    if not moved.any():
        return moved  # However far topics wander, it makes none of them move.
    days = (_differences(series, _before(day), slice(day, day + 1), series.topic) for day in past)
    wandered = np.stack([tested.squared for tested in days])
    wander = np.maximum(1.0, np.maximum(wandered.mean(axis=0), wandered.mean()))
    return _moved(both, wander, len(past) / 3)


def _moved(days: Sequence[_Differences], wander: Floats, certainty: float) -> Signs:
    """Which topics all of these days show to have moved, and which way."""
    signs = []
    for tested in days:
        freedom = np.maximum(np.minimum(tested.questions - 1.0, certainty), 1.0)
        p = 2 * stdtr(freedom, -np.sqrt(tested.squared / wander))
        p = np.where(tested.questions >= MIN_QUESTIONS, p, np.where(tested.questions > 0, 1.0, np.nan))
        with np.errstate(invalid="ignore"):
            signs.append(np.where(benjamini_hochberg(p) <= LEVEL, np.sign(tested.delta), 0).astype(np.int8))
    return np.where((np.stack(signs) == signs[0]).all(axis=0), signs[0], np.int8(0))


def _before(day: int) -> slice:
    return slice(max(0, day - MAX_POOLED), day)


def _differences(series: Series, before: slice, now: slice, topic: Integers) -> _Differences:
    """A t-test over the questions of each topic that both sides answered. Where they hardly differ among themselves,
    as all do where a topic is lost as a whole, what chance does to so many answers is the least variance."""
    sums = series.sums
    totals = [sums.answers[part.stop] - sums.answers[part.start] for part in (before, now)]
    sides = [series.pooled(part.start, part.stop) for part in (before, now)]
    usable = (totals[0] > 0) & (totals[1] > 0) & ~series.named[:, 0] & series.averaged[:, None]
    first, second = (side.mentioned[..., 0] / np.maximum(side.answers, 1.0) for side in sides)
    answers = [np.maximum(total, 1.0) for total in totals]
    number = int(topic.max(initial=-1)) + 1

    def by_topic(values: Floats) -> Floats:
        """Sums over the prompts of each topic, by engine."""
        tested: Floats = np.where(usable, values, 0.0) @ (topic[:, None] == np.arange(number))
        return tested

    prompts = by_topic(np.ones(usable.shape))
    engines = np.maximum(np.count_nonzero(prompts, axis=0), 1)
    weight = np.where(usable, 1 / np.maximum(prompts, 1.0)[:, topic] / engines[topic], 0.0)
    difference = second - first
    delta = by_topic(weight * difference).sum(axis=0)
    questions = prompts.sum(axis=0).astype(np.int64)
    rate = np.clip((first * answers[0] + second * answers[1]) / (answers[0] + answers[1]), 0.0, 1.0)
    chance = by_topic(weight**2 * rate * (1 - rate) * (1 / answers[0] + 1 / answers[1])).sum(axis=0)
    spread = by_topic(weight**2 * (difference - delta[topic]) ** 2).sum(axis=0)
    freedom = np.maximum(questions - 1.0, 1.0)
    variance = np.maximum(spread * questions / freedom, chance)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * stdtr(freedom, -np.abs(delta) / np.sqrt(variance))
    p = np.where((questions >= MIN_QUESTIONS) & (variance > 0), p, np.where(questions > 0, 1.0, np.nan))
    return _Differences(delta, variance, questions, p)

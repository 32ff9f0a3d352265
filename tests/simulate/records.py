"""Months of a brand's answers drawn from known rates: what is confirmed of single topics, and what is said to have
become of a change that holds, or that is taken back."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from tests.simulate.months import GRID, quantiles
from visibility.metrics.changes.following import State, follow, over_topics
from visibility.metrics.changes.questions import PAST, confirmed_topics
from visibility.metrics.changes.series import Series
from visibility.metrics.development import MAX_POOLED
from visibility.metrics.pairs import Counts

FIRST = date(2026, 1, 1)


@dataclass(frozen=True)
class Answers:
    """`topics` of `wordings` each, asked `samples` times of each of `engines`; rates lie about `rate`, each question
    at its own, and a part `wander` of a topic's own wanders from day to day with `memory`."""

    topics: int
    wordings: int
    engines: int
    samples: int
    rate: float = 0.5
    wander: float = 0.0
    memory: float = 0.8


def draw(rng, plan, days, shift=lambda day, topic: 0.0):
    """The days as a series; `shift` is added to the rate of a topic on a day."""
    topic = np.repeat(np.arange(plan.topics), plan.wordings)
    shape = (plan.engines, len(topic))
    level = rng.standard_normal(plan.topics)
    question = rng.standard_normal(shape)
    state = rng.standard_normal(plan.topics)
    counts = []
    for day in range(days):
        if day:
            state = plan.memory * state + (1 - plan.memory**2) ** 0.5 * rng.standard_normal(plan.topics)
        own = (1 - plan.wander) ** 0.5 * level + plan.wander**0.5 * state
        rates = np.interp(0.6**0.5 * own[topic] + 0.4**0.5 * question, GRID, quantiles(plan.rate))
        rates = np.clip(rates + np.array([shift(day, number) for number in topic]), 0, 1)
        mentioned = rng.binomial(plan.samples, rates).astype(float)[..., None]
        counts.append(Counts(np.full(shape, float(plan.samples)), mentioned, np.zeros_like(mentioned)))
    engines = tuple(str(number) for number in range(plan.engines))
    dates = tuple(FIRST + timedelta(days=day) for day in range(days))
    no_names = np.zeros((len(topic), 1), dtype=bool)
    return Series(("",), engines, np.ones(plan.engines, dtype=bool), topic, no_names, dates, tuple(counts))


def _until(series, day):
    """The series up to a day, as far back as its topics are looked at."""
    part = slice(max(0, day - MAX_POOLED - PAST - 1), day + 1)
    return Series(
        series.subjects, series.engines, series.averaged, series.topic, series.named, series.dates[part],
        series.days[part],
    )  # fmt: skip


def any_topic_confirmed(rng, plan, *, looks=30):
    """Whether any topic is confirmed to have moved within so many looks at nothing, four weeks or more after the
    first day."""
    series = draw(rng, plan, MAX_POOLED + PAST + looks)
    return any(confirmed_topics(_until(series, day)).any() for day in range(MAX_POOLED + PAST, series.size))


def topic_fall_confirmed(rng, plan, size):
    """Whether a fall of one topic is confirmed on its second day."""
    began = MAX_POOLED + PAST
    series = draw(rng, plan, began + 2, lambda day, topic: -size * (day >= began and topic == 0))
    return confirmed_topics(series)[0] < 0


def becomes(rng, plan, size, *, back=None):
    """What is said after 28 days of a fall of all topics that holds, or that is taken back on a later day."""

    def shift(day, topic):
        return -size * (day >= MAX_POOLED and (back is None or day < MAX_POOLED + back))

    series = draw(rng, plan, MAX_POOLED + 29, shift)
    return follow(series, MAX_POOLED, series.dates[MAX_POOLED + 1], -1, over_topics).state


def shares_of(rng, plan, size, repetitions):
    """How often a fall that holds is said to have recovered, or to have gone on, and how often one that is taken
    back after a week is said to have recovered."""
    held = [becomes(rng, plan, size) for _ in range(repetitions)]
    returned = [becomes(rng, plan, size, back=7) for _ in range(repetitions)]
    of = [held.count(State.RECOVERED), held.count(State.WENT_ON), returned.count(State.RECOVERED)]
    return [number / repetitions for number in of]

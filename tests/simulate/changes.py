"""Pairs of days drawn from known populations: how often verdicts raise false alarms, and what they can see.

The tests of the service run on the drawn answers themselves; only the drawing is done here.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from tests.measurement.simulation import beta
from visibility.metrics.change import Metric, family_contrast
from visibility.metrics.pairs import Counts, Pair
from visibility.metrics.verdicts import ALPHA, Verdict, benjamini_hochberg, judge

PROMPT_CORRELATION, TOPIC_CORRELATION = 0.66, 0.4
SCORE, ALL_ENGINES, BRAND = list(Metric).index(Metric.SCORE), 0, 0


@dataclass(frozen=True)
class Design:
    """`wordings` a topic in turn; `samples` of each engine a prompt; `rate` of the brand; three rivals beside it.

    `restless`: the topics' propensities are drawn anew for each day, so that all moves and nothing changes on
    average. `shift` is added to the brand's rate on the second day.
    """

    topics: int
    wordings: tuple[int, ...] = (1,)
    samples: int = 3
    rate: float = 0.3
    engines: int = 2
    restless: bool = False
    shift: float = 0.0

    @property
    def topic(self):
        """The topic of each prompt."""
        counts = [self.wordings[number % len(self.wordings)] for number in range(self.topics)]
        return np.repeat(np.arange(self.topics), counts)

    @property
    def rates(self):
        """How often the brand and its rivals are mentioned."""
        return np.array([self.rate, 0.3, 0.15, 0.05])


def draw_pair(rng, design, repetitions):
    """So many pairs of days at once. Engines see the same propensities; citations are half as frequent."""
    topic = design.topic
    before = _propensities(rng, design, repetitions, topic)
    now = _propensities(rng, design, repetitions, topic) if design.restless else before
    if design.shift:
        now = now.copy()
        now[..., BRAND] += design.shift / (1 - design.rate) * (1 - now[..., BRAND])
    return Pair(
        subjects=("brand", "first", "second", "third"),
        engines=tuple(f"e{number}" for number in range(design.engines)),
        averaged=np.ones(design.engines, dtype=bool),
        topic=topic,
        named=np.zeros((len(topic), len(design.rates)), dtype=bool),
        before=_draw_counts(rng, design, before),
        now=_draw_counts(rng, design, now),
    )


def _propensities(rng, design, repetitions, topic):
    shape = (repetitions, design.topics, len(design.rates))
    of_topic = beta(rng, np.broadcast_to(design.rates, shape), TOPIC_CORRELATION, shape)
    inner = (PROMPT_CORRELATION - TOPIC_CORRELATION) / (1 - TOPIC_CORRELATION)
    return beta(rng, of_topic[:, topic], inner)


def _draw_counts(rng, design, chances):
    shape = (len(chances), design.engines, *chances.shape[1:])
    answers = np.full((design.engines, chances.shape[1]), float(design.samples))
    draw = [rng.binomial(design.samples, np.broadcast_to(part[:, None], shape)) for part in (chances, chances / 2)]
    return Counts(answers, draw[0].astype(float), draw[1].astype(float))


@dataclass(frozen=True)
class Rates:
    """Parts of all repetitions, 0–1. `family`: any figure called moved; `single`: the brand's score over all engines.

    `naive_*`: the same by two-proportion z-tests over all answers, each at 5 %. `minimum` is the median of the
    smallest change that the verdict on the brand's score says it can see, in parts of 1.
    """

    family: float
    single: float
    naive_family: float
    naive_single: float
    naive_controlled: float
    minimum: float


def simulate(rng, design, repetitions, batch=250):
    """Judge so many pairs of days of a design."""
    rows = []
    for start in range(0, repetitions, batch):
        pair = draw_pair(rng, design, min(batch, repetitions - start))
        judgement = judge(family_contrast(pair))
        moved = judgement.verdict == Verdict.MOVED.value
        naive = _naive(pair)
        score = (slice(None), SCORE, ALL_ENGINES, BRAND)
        whole = (-3, -2, -1)
        controlled = benjamini_hochberg(naive.reshape(len(naive), -1)).reshape(naive.shape) <= ALPHA
        alarm = naive <= ALPHA
        figures = (moved.any(axis=whole), moved[score], alarm.any(axis=whole), alarm[score], controlled[score])
        rows.append(np.column_stack([*figures, judgement.minimum[score]]))
    rows = np.concatenate(rows)
    return Rates(
        *map(float, rows[:, :-1].mean(axis=0)),
        float(np.nanmedian(rows[:, -1])) if not np.isnan(rows[:, -1]).all() else np.nan,
    )


def _naive(pair):
    """p of the two-proportion z-test over pooled answers, as trackers do it, for the same family of figures."""
    lines = np.array([mask for _, mask in pair.lines], dtype=float)
    tests = []
    for part in ("mentioned", "voice", "cited"):
        days = []
        for counts in (pair.before, pair.now):
            hits = getattr(counts, "mentioned" if part == "voice" else part).sum(axis=-2)
            hits = np.einsum("le,...es->...ls", lines, hits)
            if part == "voice":
                trials = hits.sum(axis=-1, keepdims=True)
            else:
                trials = (lines @ counts.answers.sum(axis=-1))[:, None]
            days.append((hits, np.broadcast_to(trials, hits.shape)))
        tests.append(_two_proportions(*days))
    return np.stack(tests, axis=-3)


def _two_proportions(before, now):
    (x, n), (y, m) = before, now
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (x + y) / (n + m)
        z = (y / m - x / n) / np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    return np.where(np.isnan(z), 1.0, 2 * ndtr(-np.abs(z)))

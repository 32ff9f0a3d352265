"""Pairs of days drawn from known populations: how often verdicts raise false alarms, and what they can see.

The service's own tests judge the drawn answers; only the drawing, and the naive test beside it, is done here.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from tests.measurement.simulation import beta
from visibility.detection.types import BRAND
from visibility.metrics.change import Metric, family_contrast, own_figures
from visibility.metrics.pairs import Counts, Pair
from visibility.metrics.verdicts import ALPHA, Verdict, benjamini_hochberg, judge

PROMPT_CORRELATION, TOPIC_CORRELATION = 0.66, 0.4
BATCH = 250
Z = 1.959964
WHOLE_FAMILY = (-3, -2, -1)
BRANDS_SCORE = (slice(None), list(Metric).index(Metric.SCORE), 0, 0)
"""The brand's score over all engines, in arrays shaped [repetition, metric, line, subject]."""


def topic_of(topics, wordings):
    """The topic of each prompt: so many wordings a topic in turn."""
    return np.repeat(np.arange(topics), [wordings[number % len(wordings)] for number in range(topics)])


@dataclass(frozen=True)
class Design:
    """`wordings` a topic in turn; `samples` of each engine to a prompt; `rate` of the brand, beside three rivals.

    Not `restless`, each prompt's propensities are the same on both days. `restless`, they are drawn anew for each
    day, so that every topic moves and nothing changes on average. `shift` is added to the brand's rate on the
    second day.
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
        return topic_of(self.topics, self.wordings)

    @property
    def rates(self):
        """How often the brand and its rivals are mentioned."""
        return np.array([self.rate, 0.3, 0.15, 0.05])


@dataclass(frozen=True)
class Outcome:
    """Parts of all repetitions, 0–1.

    `score`: the brand's score over all engines called moved; `rest`: any other figure. `naive_…`: the score, and any
    figure, by two-proportion z-tests of pooled answers, each at 5 %; `naive_controlled` with false discoveries held
    over all of them. `minimum`: the median of the smallest change that the service says it can see. `deltas`: the
    differences of the score.
    """

    rest: float
    score: float
    naive_family: float
    naive_score: float
    naive_controlled: float
    minimum: float
    deltas: np.ndarray


def simulate(seed, design, repetitions):
    """Judge so many pairs of days."""
    rng, rows = np.random.default_rng(seed), []
    for start in range(0, repetitions, BATCH):
        pair = draw_pair(rng, design, min(BATCH, repetitions - start))
        contrast = family_contrast(pair)
        judgement = judge(contrast, own_figures(pair))
        moved = judgement.verdict == Verdict.MOVED.value
        naive = _naive(pair)
        controlled = benjamini_hochberg(naive.reshape(len(naive), -1)).reshape(naive.shape)
        alarms = (
            (moved & ~own_figures(pair)).any(axis=WHOLE_FAMILY),
            moved[BRANDS_SCORE],
            (naive <= ALPHA).any(axis=WHOLE_FAMILY),
            naive[BRANDS_SCORE] <= ALPHA,
            controlled[BRANDS_SCORE] <= ALPHA,
        )
        # Where no change could be seen the smallest is larger than any.
        minimum = np.nan_to_num(judgement.minimum[BRANDS_SCORE], nan=np.inf)
        rows.append(np.column_stack([*alarms, minimum, contrast.delta[BRANDS_SCORE]]))
    *parts, minimum, deltas = np.concatenate(rows).T
    return Outcome(*(float(part.mean()) for part in parts), float(np.median(minimum)), deltas)


def oracle(still, changed):
    """The part of the differences that a test at 5 % sees that knows the true variance without a change."""
    return float((np.abs(changed) > Z * np.std(still)).mean())


def draw_pair(rng, design, repetitions):
    """So many pairs of days at once. All engines see the same propensities; citations are half as frequent."""
    before = _propensities(rng, design, repetitions)
    now = _propensities(rng, design, repetitions) if design.restless else before.copy()
    room = 1 - now[..., 0] if design.shift > 0 else now[..., 0]
    now[..., 0] += design.shift / (1 - design.rate if design.shift > 0 else design.rate) * room
    subjects = (BRAND, *(f"s{number}" for number in range(1, len(design.rates))))
    return Pair(
        subjects=subjects,
        engines=tuple(f"e{number}" for number in range(design.engines)),
        averaged=np.ones(design.engines, dtype=bool),
        topic=design.topic,
        named=np.zeros((len(design.topic), len(subjects)), dtype=bool),
        before=_draw_counts(rng, design, before),
        now=_draw_counts(rng, design, now),
    )


def _propensities(rng, design, repetitions):
    """The chance of a mention, shaped [repetition, prompt, subject]."""
    shape = (repetitions, design.topics, len(design.rates))
    of_topic = beta(rng, np.broadcast_to(design.rates, shape), TOPIC_CORRELATION, shape)
    inner = (PROMPT_CORRELATION - TOPIC_CORRELATION) / (1 - TOPIC_CORRELATION)
    return beta(rng, of_topic[:, design.topic], inner)


def _draw_counts(rng, design, chances):
    repetitions, prompts, subjects = chances.shape
    shape = (repetitions, design.engines, prompts, subjects)
    mentioned, cited = (
        rng.binomial(design.samples, np.broadcast_to(part[:, None], shape)).astype(float)
        for part in (chances, chances / 2)
    )
    return Counts(np.full((design.engines, prompts), float(design.samples)), mentioned, cited)


def _naive(pair):
    """p of the two-proportion z-test of pooled answers, for the same family of figures."""
    lines = np.array([mask for _, mask in pair.lines], dtype=float)
    mentions, citations, answers = (
        [np.einsum("le,...es->...ls", lines, each) for each in both]
        for both in (
            [day.mentioned.sum(axis=-2) for day in (pair.before, pair.now)],
            [day.cited.sum(axis=-2) for day in (pair.before, pair.now)],
            [day.answers.sum(axis=-1)[:, None] for day in (pair.before, pair.now)],
        )
    )
    voices = [each.sum(axis=-1, keepdims=True) for each in mentions]
    tests = ((mentions, answers), (mentions, voices), (citations, answers))
    return np.stack([two_proportions(*hits, *trials) for hits, trials in tests], axis=-3)


def two_proportions(x, y, n, m):
    """p of z-tests of x of n against y of m."""
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = (x + y) / (n + m)
        z = (y / m - x / n) / np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    return np.where(np.isnan(z), 1.0, 2 * ndtr(-np.abs(z)))

"""Pairs of days drawn from known populations: how often verdicts raise false alarms, and what they can see.

The service's own tests judge the drawn answers; only the drawing, and the naive test beside it, is done here.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.special import ndtr

from tests.measurement.simulation import beta
from visibility.detection.types import BRAND
from visibility.metrics.change import Metric, family_contrast, own_figures
from visibility.metrics.changes.day_effects import FREEDOM_A_PAIR
from visibility.metrics.contrasts import Contrast, rate_contrast
from visibility.metrics.day_effects import PRIOR_FREEDOM, DayEffects
from visibility.metrics.intervals import MIN_TOPICS
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
    day, so that every topic moves and nothing changes on average; below four topics, where the test speaks of exactly
    these prompts, every prompt moves by itself around its topic. `shift` is added to the brand's rate on the
    second day. `is_alone`: no rivals. `luck` is the standard deviation, in points, of what all topics of an engine
    share for a day; it is known as well as thirty days tell it.
    """

    topics: int
    wordings: tuple[int, ...] = (1,)
    samples: int = 3
    rate: float = 0.3
    engines: int = 2
    restless: bool = False
    shift: float = 0.0
    is_alone: bool = False
    luck: float = 0.0

    @property
    def topic(self):
        """The topic of each prompt."""
        return topic_of(self.topics, self.wordings)

    @property
    def rates(self):
        """How often the brand and its rivals are mentioned."""
        return np.array([self.rate] if self.is_alone else [self.rate, 0.3, 0.15, 0.05])


@dataclass(frozen=True)
class Outcome:
    """Parts of all repetitions, 0–1.

    `score`: the brand's score over all engines called moved; `rest`: any other figure. `naive_…`: the score, and any
    figure, by two-proportion z-tests of pooled answers, each at 5 %; `naive_controlled` with false discoveries held
    over all of them.
    """

    rest: float
    score: float
    naive_family: float
    naive_score: float
    naive_controlled: float


@dataclass(frozen=True)
class Sizing:
    """Of the brand's score alone: the part of all repetitions that moved, by the service and by z-tests of pooled
    answers (0–1); the median of the smallest change that the service says it can see, infinite where most times there
    is none; the differences."""

    moved: float
    naive: float
    minimum: float
    deltas: np.ndarray


def simulate(seed, design, repetitions):
    """Judge so many pairs of days."""
    rng, rows = np.random.default_rng(seed), []
    for start in range(0, repetitions, BATCH):
        pair = draw_pair(rng, design, min(BATCH, repetitions - start))
        judgement = judge(family_contrast(pair), own_figures(pair))
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
        rows.append(np.column_stack(alarms))
    return Outcome(*(float(part.mean()) for part in np.concatenate(rows).T))


def size(seed, design, repetitions):
    """Judge the brand's score of so many pairs of days; being its own test, it needs no other figure beside it."""
    rng, rows = np.random.default_rng(seed), []
    for start in range(0, repetitions, BATCH):
        pair = draw_pair(rng, replace(design, is_alone=True), min(BATCH, repetitions - start))
        contrast = score(pair)
        judgement = judge(contrast, own_figures(pair)[:1])
        parts = (judgement.verdict == Verdict.MOVED.value, judgement.minimum, contrast.delta)
        x, y = (day.mentioned.sum(axis=(-1, -2, -3)) for day in (pair.before, pair.now))
        naive = two_proportions(x, y, pair.before.answers.sum(), pair.now.answers.sum()) <= ALPHA
        rows.append(np.column_stack([naive, *(part[:, 0, 0, 0] for part in parts)]))
    naive, moved, minimum, deltas = np.concatenate(rows).T
    minimum = np.nan_to_num(minimum, nan=np.inf)
    return Sizing(float(moved.mean()), float(naive.mean()), float(np.median(minimum)), deltas)


def score(pair):
    """The contrast of the scores alone, as a family of one metric."""
    effects = None if pair.day_effects is None else pair.day_effects.of_metric(0)
    contrast = rate_contrast(pair, pair.before.mentioned, pair.now.mentioned, effects)
    return Contrast(*(np.expand_dims(getattr(contrast, part.name), -3) for part in fields(Contrast)))


def oracle(still, changed):
    """The part of the differences that a test at 5 % sees that knows the true variance without a change."""
    return float((np.abs(changed) > Z * np.std(still)).mean())


def draw_pair(rng, design, repetitions):
    """So many pairs of days at once. All engines see the same propensities; citations are half as frequent."""
    on_questions = design.topics < MIN_TOPICS
    of_topic = _of_topics(rng, design, repetitions) if on_questions else None

    def draw_prompts():
        return _propensities(rng, design, _of_topics(rng, design, repetitions) if of_topic is None else of_topic)

    before = draw_prompts()
    now = draw_prompts() if design.restless else before.copy()
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
        day_effects=_known_luck(design) if design.luck else None,
        on_questions=on_questions,
    )


def _of_topics(rng, design, repetitions):
    shape = (repetitions, design.topics, len(design.rates))
    return beta(rng, np.broadcast_to(design.rates, shape), TOPIC_CORRELATION, shape)


def _propensities(rng, design, of_topic):
    """The chance of a mention, shaped [repetition, prompt, subject]."""
    inner = (PROMPT_CORRELATION - TOPIC_CORRELATION) / (1 - TOPIC_CORRELATION)
    return beta(rng, of_topic[:, design.topic], inner)


def _draw_counts(rng, design, chances):
    repetitions, prompts, subjects = chances.shape
    shape = (repetitions, design.engines, prompts, subjects)
    chances = np.broadcast_to(chances[:, None], shape)
    if design.luck:
        luck = design.luck / 100 * rng.standard_normal((repetitions, design.engines, 1, subjects))
        chances = lucky(chances, luck, design.rates)
    mentioned, cited = (rng.binomial(design.samples, part).astype(float) for part in (chances, chances / 2))
    return Counts(np.full((design.engines, prompts), float(design.samples)), mentioned, cited)


def lucky(chances, luck, rate):
    """Chances whose mean is `rate`, on a day with so much luck."""
    room = np.where(luck > 0, (1 - chances) / (1 - rate), chances / rate)
    return np.clip(chances + luck * room, 0, 1)


def _known_luck(design):
    variance = (design.luck / 100) ** 2 / (4 * design.rate * (1 - design.rate))
    freedom = PRIOR_FREEDOM + 30 * FREEDOM_A_PAIR
    return DayEffects(*(np.full((len(Metric), 1, 1), each) for each in (variance, freedom)))


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

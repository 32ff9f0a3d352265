"""Months of measured days drawn from known populations, and what is said of the brand's score on each of them.

Only the drawing is done here, and the naive test and the oracle beside the service's own code.
"""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta

import numpy as np
from scipy.special import betaincinv, ndtr

from tests.simulate.changes import BATCH, PROMPT_CORRELATION, Z, lucky, score, topic_of, two_proportions
from visibility.detection.types import BRAND
from visibility.metrics.change import own_figures
from visibility.metrics.changes.confirming import confirm, signs
from visibility.metrics.changes.day_effects import LATEST, PRIOR_PAIRS, Neighbours, estimate, neighbours
from visibility.metrics.changes.monitor import MIN_DAYS, watch
from visibility.metrics.changes.series import Series
from visibility.metrics.day_effects import UNKNOWN
from visibility.metrics.intervals import MIN_TOPICS
from visibility.metrics.pairs import Counts
from visibility.metrics.verdicts import ALPHA, p_values

TOPIC_SHARE = 0.6
"""The part of a prompt's propensity that its topic gives (on the scale of normal scores): 0.4/0.66."""
GRID = np.linspace(-6, 6, 2401)


@dataclass(frozen=True)
class Month:
    """`days` of answers about the brand. `path` is added to its rate, day by day, in points. `luck` is the standard
    deviation, in points, of what all topics of an engine share for a day, each engine by itself; not `is_reckoned`,
    it is judged as if days had none.

    Each prompt keeps its propensity; `wander` is the part of its topic's that wanders by itself, day by day, with
    `memory`, the correlation of one day with the next (an autoregression of order one, stationary from the first
    day on). Below four topics, where tests speak of exactly these prompts, it is that of the prompt's own.
    """

    topics: int
    wordings: tuple[int, ...] = (1,)
    samples: int = 3
    rate: float = 0.5
    engines: int = 1
    days: int = 37
    wander: float = 0.0
    memory: float = 0.0
    luck: float = 0.0
    is_reckoned: bool = True
    path: tuple[float, ...] = field(default=(), repr=False)


def draw(rng, month, repetitions):
    """So many months at once, as one series whose counts have the repetitions before their axes."""
    topic = topic_of(month.topics, month.wordings)
    prompts = len(topic)
    of_normal = quantiles(month.rate)
    normal = rng.standard_normal
    on_questions = month.topics < MIN_TOPICS
    level, own = normal((repetitions, month.topics)), normal((repetitions, prompts)) * (1 - TOPIC_SHARE) ** 0.5
    state = normal((repetitions, prompts if on_questions else month.topics))
    steady, moving = (1 - month.wander) ** 0.5, month.wander**0.5
    answers = np.full((1, month.engines, prompts), float(month.samples))
    cited, days = np.zeros((1, month.engines, prompts, 1)), []
    for number in range(month.days):
        if number:
            state = month.memory * state + (1 - month.memory**2) ** 0.5 * normal(state.shape)
        if on_questions:
            of_prompt = steady * own + moving * (1 - TOPIC_SHARE) ** 0.5 * state
            normal_score = TOPIC_SHARE**0.5 * level[:, topic] + of_prompt
        else:
            normal_score = TOPIC_SHARE**0.5 * (steady * level + moving * state)[:, topic] + own
        chances = np.interp(normal_score, GRID, of_normal)
        shift = month.path[number] / 100 if month.path else 0.0
        chances += shift * ((1 - chances) / (1 - month.rate) if shift > 0 else chances / month.rate)
        luck = month.luck / 100 * normal((repetitions, month.engines, 1))
        chances = lucky(chances[:, None], luck, month.rate)
        drawn = rng.binomial(month.samples, chances, (repetitions, month.engines, prompts))
        days.append(Counts(answers, drawn[..., None].astype(np.float64), cited))
    return Series(
        subjects=(BRAND,),
        engines=tuple(f"e{number}" for number in range(month.engines)),
        averaged=np.ones(month.engines, dtype=bool),
        topic=topic,
        named=np.zeros((prompts, 1), dtype=bool),
        dates=tuple(date(2026, 1, 1) + timedelta(number) for number in range(month.days)),
        days=tuple(days),
        on_questions=on_questions,
    )


def until(series, days, *, reckoned=True):
    """The first days of a series, with its sums and what these days tell of their luck."""
    luck = _luck(series, days) if reckoned else None
    part = replace(series, days=series.days[:days], dates=series.dates[:days], day_effects=luck)
    part.__dict__["sums"] = series.sums
    return part


def _luck(series, days):
    """As `with_day_effects` has it for the first days, the neighbours being looked at once."""
    if days <= PRIOR_PAIRS:
        return UNKNOWN
    if "neighbours" not in series.__dict__:
        series.__dict__["neighbours"] = neighbours(series, score)
    known = series.__dict__["neighbours"]
    latest = slice(max(0, days - 1 - LATEST), days - 1)
    return estimate(Neighbours(known.squares[latest], known.explained[latest]))


def quantiles(rate):
    """Propensities with the rate and the correlation of answers to one prompt, by normal score."""
    scale = 1 / PROMPT_CORRELATION - 1
    return betaincinv(rate * scale, (1 - rate) * scale, ndtr(GRID))


@dataclass(frozen=True)
class Quiet:
    """Parts of the months without any change in which, within the looks, something was said of one: by the monitor,
    by a confirmed move, by any day's own verdict (at 5 % a day), and by a z-test of pooled answers each day."""

    monitor: float
    confirmed: float
    moved: float
    naive: float


@dataclass(frozen=True)
class Drift:
    """Of months in which the rate changes evenly: the part in which the monitor was raised by the last day, the
    median day on which it first was (infinite where it mostly was not), and the part that an oracle sees, which knows
    the true variance and the even change and looks once, on the last day. `moved` is the mean part of days that
    moved."""

    raised: float
    day: float
    oracle: float
    moved: float


def quiet(seed, month, repetitions, first=MIN_DAYS):
    """Look at the months from their `first` day that is looked at on."""
    rows = []
    for series in batches(seed, month, repetitions):
        own = own_score(series)
        raised = confirmed = moved = naive = np.zeros(len(series.days[0].mentioned), dtype=bool)
        for day in range(first - 1, series.size):
            so_far = until(series, day + 1, reckoned=month.is_reckoned)
            raised = raised | watch(so_far, own, score)[:, 0, 0, 0]
            before, after = (signs(so_far, place, day - 1, own, score)[:, 0, 0, 0] for place in (day - 1, day))
            confirmed = confirmed | ((before != 0) & (before == after))
            pair = so_far.pair(series.days[day - 1], series.days[day])
            moved = moved | (p_values(score(pair))[:, 0, 0, 0] <= ALPHA)
            naive = naive | (pooled_p(pair) <= ALPHA)
        rows.append(np.column_stack([raised, confirmed, moved, naive]))
    return Quiet(*np.concatenate(rows).mean(axis=0).tolist())


def drift(seed, month, repetitions):
    """Look at the months from the first day that the monitor looks at until their last."""
    first_days, slopes, moved = [], [], []
    weights = np.linspace(-1, 1, month.days)
    for series in batches(seed, month, repetitions):
        own = own_score(series)
        first = np.full(len(series.days[0].mentioned), np.inf)
        for day in range(MIN_DAYS - 1, series.size):
            so_far = until(series, day + 1, reckoned=month.is_reckoned)
            raised = watch(so_far, own, score)[:, 0, 0, 0]
            first = np.where(raised & np.isinf(first), day + 1, first)
            moved.append(p_values(score(so_far.pair(series.days[day - 1], series.days[day])))[:, 0, 0, 0] <= ALPHA)
        first_days.append(first)
        slopes.append(
            sum(w * day.mentioned.mean(axis=(1, 2, 3)) for w, day in zip(weights, series.days, strict=True))
        )
    days, slope = np.concatenate(first_days), np.concatenate(slopes)
    error = np.std(slope)
    return Drift(
        float(np.isfinite(days).mean()),
        float(np.median(days)),
        float((np.abs(slope) > Z * error).mean()),
        float(np.mean(moved)),
    )


def stepped(seed, month, repetitions):
    """The part of the months whose last two days, with another rate, confirm a move on the first of them."""
    parts = []
    for series in batches(seed, month, repetitions):
        began = confirm(until(series, series.size, reckoned=month.is_reckoned), own_score(series), score).began[
            :, 0, 0, 0
        ]
        parts.append(began == series.size - 2)
    return float(np.concatenate(parts).mean())


def raised_at_last(seed, month, repetitions):
    """The part of the months on whose last day the monitor is raised."""
    parts = []
    for series in batches(seed, month, repetitions):
        so_far = until(series, series.size, reckoned=month.is_reckoned)
        parts.append(watch(so_far, own_score(series), score)[:, 0, 0, 0])
    return float(np.concatenate(parts).mean())


def own_score(series):
    """The score over engines as a test of its own, in the family of `score`."""
    return own_figures(series.pair(series.days[0], series.days[0]))[:1]


def pooled_p(pair):
    """p of the two-proportion z-test of all answers of both days."""
    x, y = (day.mentioned.sum(axis=(-1, -2, -3)) for day in (pair.before, pair.now))
    return two_proportions(x, y, pair.before.answers.sum(), pair.now.answers.sum())


def batches(seed, month, repetitions):
    """So many months, some at a time."""
    rng = np.random.default_rng(seed)
    for start in range(0, repetitions, BATCH):
        yield draw(rng, month, min(BATCH, repetitions - start))

"""Whether work on a topic shows: the topic before and since, against the brand's other topics over the same days.

What lifts all topics (an engine's new model, the luck of days) is no effect of the work, so the test is of the
topic's change less the mean change of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from visibility.metrics.counts import Counts, Flags, Floats, Integers, Key, numbers, optional, sum_by
from visibility.metrics.multiplicity import ALPHA
from visibility.metrics.series import Side, arrange
from visibility.metrics.verdicts import MIN_FREEDOM, Verdict, noncentrality

MIN_OTHERS = 4
"""Fewer other topics show too little of how topics move by themselves."""
PRIOR = 2.0
"""So many answers at the others' level are added to a topic's own where its movement is computed from its level."""
STEEPNESS = 1.5
"""By 1 movements would be alike on the arcsine scale, by 2 on that of log-odds, by 1.5 about so on normal scores."""
PROVABLE = 0.2
"""Not moved, and with an interval within ± 20 points: noise. Twice as much as of a whole figure, as one topic is few
answers."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A topic before and since, in points: `own` is its change, `others` the mean change of the other topics and
    `delta` the difference, with its 95 % interval. `minimum_detectable` is the smallest difference that would have
    been seen in four cases of five. Of `answers_before` so many, `hits_before`, mention the brand; and since."""

    verdict: Verdict
    own: float | None
    others: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    minimum_detectable: float | None
    hits_before: int
    answers_before: int
    hits_since: int
    answers_since: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Parts of 1, [...]: the topic's own change, that of the others, and of their difference variance, degrees of
    freedom and p; NaN where it cannot be tested."""

    own: Floats
    others: Floats
    variance: Floats
    freedom: Floats
    p: Floats


def prove(before: Sequence[Counts], since: Sequence[Counts], topic: Key) -> Proof:
    """The brand's score on a topic, from the days before the work to those since.

    Leave out the days by which the topic was chosen to be worked on: where it was chosen for being low, it rises by
    itself. `not_comparable` where either side has no answers, or fewer than four other topics have them.
    """
    nothing = Proof(Verdict.NOT_COMPARABLE, *(None,) * 7, 0, 0, 0, 0)
    if not before or not since:
        return nothing
    series = arrange([*before, *since])
    latest = since[-1]
    split = sum(place < len(before) for place in series.places)
    if topic not in latest.topics or not series.engines:
        return nothing
    usable = series.averaged[:, None] & ~series.named[0]
    earlier, later = (_summed(series.days[part], usable) for part in (slice(0, split), slice(split, None)))
    mine = np.array([each == topic for each in latest.topics], dtype=bool)
    counted = [int(part[..., mine].sum()) for side in (earlier, later) for part in (side.mentioned[0], side.answers)]
    place = numbers([topic, *latest.topics])[1:]  # the topic is number 0
    return _proof(differ(earlier, later, place), counted)


def differ(before: Side, since: Side, topic: Integers) -> Difference:
    """Topic 0 against the others, from [..., engine, prompt] and the first subject.

    A topic's change is δ_t = Σ w d over its cells, engines alike. Its variance is what chance does to its answers and
    what topics move by themselves: the more the nearer to one half, as (4r(1 - r))^1.5 of a movement that is
    estimated from the others by the method of moments. The difference from the mean of C others has the variance
    v₀ + Σ v_c/C², with degrees of freedom between Satterthwaite's (1946), where topics of a larger variance count
    most, and C - 1."""
    answered = (before.answers > 0) & (since.answers > 0)
    prompts = sum_by(answered.astype(np.float64), topic)
    engines = np.count_nonzero(prompts, axis=-2)
    weight = answered / np.maximum(prompts[..., topic], 1) / np.maximum(engines, 1)[..., None, topic]
    first, second = (np.maximum(side.answers, 1.0) for side in (before, since))
    hits = before.mentioned[..., 0, :, :], since.mentioned[..., 0, :, :]
    rate = (hits[0] + hits[1]) / (first + second)
    change, level, chance, inverse = (
        sum_by(values.sum(axis=-2), topic)
        for values in (
            weight * (hits[1] / second - hits[0] / first),
            weight * rate,
            weight**2 * rate * (1 - rate) * (1 / first + 1 / second),
            weight**2 / (first + second),
        )
    )
    known = engines > 0
    others: Flags = known & (np.arange(known.shape[-1]) > 0)
    number = np.count_nonzero(others, axis=-1)

    def total(values: Floats) -> Floats:
        """The sum over the other topics."""
        return np.asarray(np.where(others, values, 0.0).sum(axis=-1))

    with np.errstate(divide="ignore", invalid="ignore"):
        common = (total(level) / number)[..., None]
        middle = (level / inverse + PRIOR * common) / (1 / inverse + PRIOR)  # no topic is wholly at nothing
        steep = (4 * middle * (1 - middle)) ** STEEPNESS
        mean = total(change) / number
        spread = total((change - mean[..., None]) ** 2) * number / (number - 1)
        movement = np.maximum(spread - total(chance), 0.0) / total(steep)
        variance = chance + movement[..., None] * steep
        of_others = total(variance)
        telling = of_others**2 / total(variance**2)
        freedom = (np.maximum(telling - 1, 1.0) + number - 1) / 2
        error = variance[..., 0] + of_others / number**2
        own = np.where(known[..., 0] & (number >= MIN_OTHERS), change[..., 0], np.nan)
        p = 2 * stdtr(freedom, -np.abs(own - mean) / np.sqrt(error))
    return Difference(own, mean, error, freedom, np.where(error > 0, p, np.where(np.isnan(own), np.nan, 1.0)))


def _summed(days: Sequence[Side], usable: Flags) -> Side:
    """The answers of some days as one side, of the brand alone."""
    answers = sum((day.answers for day in days), np.zeros(usable.shape)) * usable
    hits = sum((day.mentioned[0] for day in days), np.zeros(usable.shape)) * usable
    return Side(answers, hits[None], hits[None])


def _proof(difference: Difference, counted: Sequence[int]) -> Proof:
    own, others, variance, freedom, p = (
        float(part)
        for part in (difference.own, difference.others, difference.variance, difference.freedom, difference.p)
    )
    if np.isnan(own):
        return Proof(Verdict.NOT_COMPARABLE, *(None,) * 7, *counted)
    delta, error = own - others, variance**0.5 if variance > 0 else np.nan
    half = float(stdtrit(freedom, 1 - ALPHA / 2)) * error
    minimum = float(noncentrality(freedom, ALPHA)) * error if freedom >= MIN_FREEDOM else np.nan
    low, high = max(delta - half, -1.0) if half >= 0 else np.nan, min(delta + half, 1.0) if half >= 0 else np.nan
    is_noise = low >= -PROVABLE and high <= PROVABLE
    verdict = Verdict.MOVED if p <= ALPHA else Verdict.WITHIN_NOISE if is_noise else Verdict.CANNOT_DETECT
    points = (100 * own, 100 * others, 100 * delta, optional(low, 100), optional(high, 100))
    return Proof(verdict, *points, p, optional(minimum, 100), *counted)

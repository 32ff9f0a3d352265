"""What a test takes to vary independently, and what follows from it: the variance of a difference and its exact p.

Units are topics; where they are too few for any exact test the prompts; and where these are too few single answers.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np
from scipy.special import ndtr, stdtr

from visibility.metrics.counts import Flags, Floats, Integers
from visibility.metrics.exact import chance_of_difference, chance_of_lead, chance_of_signs
from visibility.metrics.intervals import Z
from visibility.metrics.mover import Arms
from visibility.metrics.multiplicity import ALPHA
from visibility.metrics.samples import ROUNDING, between_units
from visibility.metrics.series import Luck, Pair

MAX_EXACT = 12
"""Up to so many units a t-test is not trusted alone."""
Places = tuple[Integers, ...]
"""The places of some figures among all, as `numpy.nonzero` has them."""


class Units(StrEnum):
    """What a test takes to vary independently, the most general first."""

    TOPICS = "topics"
    PROMPTS = "prompts"
    ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class Contrast:
    """Differences, after less before, as parts of 1, shaped [..., subject, line]; NaN where either is unmeasured.

    `variance` is that of the difference and `freedom` its degrees of freedom. `units` is the place among `Units` of
    what it was taken over, and `exact` the p of the exact test, 0 where none is needed: with many units, and where
    the t-test does not reject. `below` and `above` are the arms of the 95 % interval that the answers alone give.
    If a part s of the later answers that can change did change, the difference would be s · `room` on average, with
    the variance `variance` + s · `slope` + s² · `bend`: a change adds variance of its own.
    """

    delta: Floats
    variance: Floats
    freedom: Floats
    units: Integers
    exact: Floats
    below: Floats
    above: Floats
    room: Floats
    slope: Floats
    bend: Floats

    @property
    def p(self) -> Floats:
        """The largest p of the t-test, of the exact test and of the answers alone; NaN where unmeasured."""
        arm = np.where(self.delta > 0, self.below, self.above)
        with np.errstate(divide="ignore", invalid="ignore"):
            of_answers = 2 * ndtr(-Z * np.abs(self.delta) / arm)
        p = np.fmax(np.fmax(_student(self.delta, self.variance, self.freedom), of_answers), self.exact)
        return np.where(np.isnan(self.delta), np.nan, p)


@dataclass(frozen=True, slots=True)
class Parts:
    """By subject and engine: the difference, each unit's `weight` in it (they sum to 1) and its `error`.

    Of the later figure: its `level`, what a unit adds to it (`excess`), and the variance that answers which could
    change would add by chance: those without a mention (`rising`), those with one (`falling`). `exposure` is how
    often the variance of one day's luck is in the difference: twice between single days. `usable` is by prompt,
    `sides` are what an exact test counts, `arms` those of the answers alone."""

    delta: Floats
    known: Flags
    weight: Floats
    error: Floats
    level: Floats
    excess: Floats
    rising: Floats
    falling: Floats
    exposure: Floats
    usable: Flags
    sides: tuple["Trials", "Trials"]
    arms: Arms


@dataclass(frozen=True, slots=True)
class Trials:
    """What an exact test counts on one side, by [..., subject, engine, prompt]: so many `hits` of so many trials,
    `of`."""

    hits: Floats
    of: Floats


def over_units(pair: Pair, luck: Luck | None, parts: Callable[[Integers], Parts]) -> Contrast:
    """Each figure over topics, where these are fewer than the pair asks for over prompts, else over answers.

    Between two subjects in the same answers prompts are no units: what is said of these prompts rests on their
    answers, as the intervals of both subjects do."""
    contrast, number = _over_lines(pair, parts(pair.units), luck, Units.TOPICS)
    few = (number < pair.least_units) & ~np.isnan(contrast.delta)
    if few.any():
        of_prompts = parts(np.arange(len(pair.units)))
        finer, number = _over_lines(pair, of_prompts, luck, Units.PROMPTS)
        fewer = few & ((number < pair.least_units) | pair.paired)
        if fewer.any():
            finer = _where(fewer, _over_lines(pair, of_prompts, luck, Units.ANSWERS)[0], finer)
        contrast = _where(few, finer, contrast)
    return contrast


def _where(chosen: Flags, one: Contrast, other: Contrast) -> Contrast:
    """The one contrast where chosen, elsewhere the other."""
    names = [field.name for field in fields(Contrast)]
    return Contrast(*(np.where(chosen, getattr(one, name), getattr(other, name)) for name in names))


def _over_lines(pair: Pair, parts: Parts, luck: Luck | None, units: Units) -> tuple[Contrast, Integers]:
    """The engines of each line put together, with the number of units; those with a figure on both sides count alike.

    The luck of a day is each engine's own, so its variances add up: Σ E⁻² · luck · 4μ(1-μ) · exposure, μ being the
    middle of both rates. The degrees of freedom of units and days together are Satterthwaite's (1946). Single answers
    have the variance that makes the longer arm of their interval.
    """
    lines = np.array([mask for _, mask in pair.lines], dtype=bool).reshape(-1, len(pair.engines))
    chosen = (lines & parts.known[..., None, :]).astype(np.float64)
    engines = chosen.sum(axis=-1)
    share = chosen / np.maximum(engines, 1)[..., None]

    def over(weights: Floats, values: Floats) -> Floats:
        """Sums over the engines of each line of values by engine, or by engine and unit."""
        by_unit = values.ndim > parts.known.ndim
        known = np.where(parts.known[..., None] if by_unit else parts.known, values, 0.0)
        sums: Floats = weights @ known if by_unit else (weights @ known[..., None])[..., 0]
        return sums

    delta, level = over(share, parts.delta), over(share, parts.level)
    weight, error, excess = (over(share, values) for values in (parts.weight, parts.error, parts.excess))
    below, above = (np.sqrt(over(share**2, arm**2)) for arm in (parts.arms.below, parts.arms.above))
    number = np.count_nonzero(weight > 0, axis=-1)
    if units is Units.ANSWERS:
        factor, freedom = np.full(number.shape, np.nan), np.full(number.shape, np.inf)
        variance = (np.maximum(below, above) / Z) ** 2
    else:
        factor, freedom = between_units(weight)
        variance = factor * (error**2).sum(axis=-1)
        variance = np.where(variance <= ROUNDING, 0.0, variance)
    if luck is not None:
        freedom, variance = _with_luck(luck, parts, over, share, freedom, variance)
    noise = np.where(level <= 1 / 2, over(share**2, parts.rising), over(share**2, parts.falling))
    columns = np.broadcast_arrays(
        np.where(engines > 0, delta, np.nan),
        variance,
        freedom,
        list(Units).index(units),
        0.0,
        below,
        above,
        np.maximum(level, 1 - level),
        noise - 2 * factor * (error * excess).sum(axis=-1),
        factor * (excess**2).sum(axis=-1) - noise,
        number,
    )
    contrast, number = Contrast(*columns[:-1]), columns[-1]
    if luck is None and not pair.paired:  # nothing is tested
        return contrast, number
    tested = (contrast.p <= ALPHA) & ((units is Units.ANSWERS) | (number <= MAX_EXACT))
    places = np.nonzero(tested)
    exact = np.zeros(number.shape)
    if len(places[0]):
        engines = np.broadcast_to(chosen > 0, (*number.shape, chosen.shape[-1]))[places]
        exact[places] = (_of_answers if units is Units.ANSWERS else _of_units)(pair, parts, engines, places)
    return replace(contrast, exact=exact), number


def _with_luck(
    luck: Luck,
    parts: Parts,
    over: Callable[[Floats, Floats], Floats],
    share: Floats,
    freedom: Floats,
    variance: Floats,
) -> tuple[Floats, Floats]:
    """The degrees of freedom and the variance of units and days together."""
    middle = parts.level - parts.delta / 2
    of_engine = luck.variance * 4 * middle * (1 - middle) * parts.exposure
    of_days = over(share**2, of_engine)
    doubt = over(share**4, of_engine**2 / luck.freedom)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_both = (variance + of_days) ** 2 / (variance**2 / freedom + doubt)
    return np.where(of_days > 0, of_both, freedom), variance + of_days


def _of_units(pair: Pair, parts: Parts, engines: Flags, places: Places) -> Floats:
    """The p of the sign-flip test of the figures at these places, with their `engines`, [figure, engine]."""
    figure = places[:-1]
    weight = np.broadcast_to(parts.weight, parts.error.shape)[figure]
    added = np.where(engines[..., None], parts.error[figure] + weight * parts.delta[figure][..., None], 0.0)
    of_unit = added.sum(axis=-2) / engines.sum(axis=-1, keepdims=True)
    largest = np.argsort(-np.abs(of_unit), axis=-1, kind="stable")[:, :MAX_EXACT]  # all others are 0
    return chance_of_signs(np.take_along_axis(of_unit, largest, axis=-1))


def _of_answers(pair: Pair, parts: Parts, engines: Flags, places: Places) -> Floats:
    """The p of the same over single answers: of Birch's test, or the sign test where both sides are of the same
    answers."""
    shape = (*parts.delta.shape, len(pair.units))
    cells = np.broadcast_to(parts.usable, shape)[places[:-1]] & engines[..., None]
    before, after = (
        [np.broadcast_to(values, shape)[places[:-1]].round().astype(np.int64) for values in (side.hits, side.of)]
        for side in parts.sides
    )
    delta = (np.where(engines, parts.delta[places[:-1]], 0.0)).sum(axis=-1)
    if pair.paired:
        ours, theirs = ((side[0] * cells).sum(axis=(-2, -1)) for side in (after, before))
        p = np.minimum(2 * chance_of_lead(np.maximum(ours, theirs), np.minimum(ours, theirs)), 1.0)
        return np.where((ours - theirs) * delta > 0, p, 1.0)
    p = np.ones(len(delta))
    for place, cell in enumerate(cells):
        earlier, later = (
            [(int(hits), int(of)) for hits, of in zip(*(part[place][cell] for part in side), strict=True)]
            for side in (before, after)
        )
        p[place] = chance_of_difference(earlier, later, float(delta[place]))
    return p


def _student(delta: Floats, variance: Floats, freedom: Floats) -> Floats:
    """The p of the t-test: 1 where nothing differs, 0 where something does without any variance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(freedom, -np.abs(delta) / np.sqrt(variance))
    return np.where(delta == 0, 1.0, np.where(variance > 0, p, 0.0))

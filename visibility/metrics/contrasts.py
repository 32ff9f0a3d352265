"""Differences between two sides, paired by engine and prompt, with the variance that topics and days give them."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np

from visibility.metrics.counts import Flags, Floats, Integers, sum_by
from visibility.metrics.samples import ROUNDING
from visibility.metrics.series import Luck, Pair


class Metric(StrEnum):
    """The figures whose change is judged, in the order of a family's axis of metrics."""

    SCORE = "score"
    SHARE_OF_VOICE = "share_of_voice"
    CITATION_RATE = "citation_rate"


@dataclass(frozen=True, slots=True)
class Contrast:
    """Differences, after less before, as parts of 1, shaped [..., subject, line]; NaN where either is unmeasured.

    `variance` is that of the difference and `freedom` its degrees of freedom: NaN with one unit, 0 where no unit
    differs from another. `prompts` are those behind it.
    If a part s of the later answers that can change did change, the difference would be s · `room` on average, with
    the variance `variance` + s · `slope` + s² · `bend`: a change adds variance of its own.
    """

    delta: Floats
    variance: Floats
    freedom: Floats
    prompts: Integers
    room: Floats
    slope: Floats
    bend: Floats


Contrasts = Callable[[Pair], Contrast]
"""A function that compares two sides: the whole family, or the part of it that a simulation draws."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """By subject and engine: the difference, each unit's `weight` in it (they sum to 1) and its `error`.

    Of the later figure: its `level`, what a unit adds to it (`excess`), and the variance that answers which could
    change would add by chance: those without a mention (`rising`), those with one (`falling`). `exposure` is how
    often the variance of one day's luck is in the difference: twice between single days. `usable` is by prompt."""

    delta: Floats
    known: Flags
    weight: Floats
    error: Floats
    usable: Flags
    level: Floats
    excess: Floats
    rising: Floats
    falling: Floats
    exposure: Floats


def family_contrast(pair: Pair) -> Contrast:
    """All differences of a pair, shaped [..., metric, subject, line]: the family that verdicts share."""
    contrasts = (rate_contrast(pair, Metric.SCORE), voice_contrast(pair), rate_contrast(pair, Metric.CITATION_RATE))
    parts = ([getattr(contrast, field.name) for contrast in contrasts] for field in fields(Contrast))
    return Contrast(*(np.stack(np.broadcast_arrays(*part), axis=-3) for part in parts))


def rate_contrast(pair: Pair, metric: Metric = Metric.SCORE) -> Contrast:
    """The difference of a rate, δ = Σ w d: the mean over prompts of the difference d of each prompt's two means.

    Prompts that name a subject are left out for it. A topic's error in an engine's mean is Σ_q∈t w (d_q - d̄).
    """
    if metric is Metric.CITATION_RATE:
        pair = replace(pair, before=pair.before.of_citations, after=pair.after.of_citations)
    before, after = pair.before.mentioned, pair.after.mentioned
    usable = _answered(pair)[..., None, :, :] & ~pair.named[:, None, :]
    prompts = usable.sum(axis=-1)
    weight = np.where(usable, 1 / np.maximum(prompts, 1)[..., None], 0.0)
    later = _mean(after, pair.after.answers)
    differences = later - _mean(before, pair.before.answers)
    delta, level = ((weight * values).sum(axis=-1) for values in (differences, later))
    noise = weight**2 / np.maximum(pair.after.answers, 1.0)[..., None, :, :]
    parts = _Parts(
        delta,
        prompts > 0,
        sum_by(weight, pair.units),
        sum_by(weight * (differences - delta[..., None]), pair.units),
        usable,
        level,
        sum_by(weight * (later - level[..., None]), pair.units),
        (noise * (1 - later)).sum(axis=-1),
        (noise * later).sum(axis=-1),
        (weight * _exposure(pair)).sum(axis=-1),
    )
    return _over_lines(pair, parts, metric)


def voice_contrast(pair: Pair) -> Contrast:
    """The difference of the share of voice, linearised on each side (Cochran 1977, section 6.3).

    With x_t mentions of the subject and m_t of all in a topic, and r = Σx/Σm, a topic adds (x_t - r m_t)/Σm of the
    later side less the same of the earlier. Prompts that name any subject are left out, and topics without mentions.
    """
    usable = _answered(pair) & ~pair.named.any(axis=0)
    mask = usable[..., None, :, :]
    before, after = (_voice(pair, np.where(mask, side.mentioned, 0.0)) for side in (pair.before, pair.after))
    delta = after.share - before.share
    silent = sum_by(np.where(mask, pair.after.answers[..., None, :, :] - pair.after.mentioned, 0.0), pair.units)
    with np.errstate(divide="ignore", invalid="ignore"):
        others = 1 - after.share
        spread = silent / silent.sum(axis=-1, keepdims=True) - after.weight
        rising = after.error - others[..., None] * np.where(np.isnan(spread), 0.0, spread)
        noise = others**2 / after.mentions
        exposure = (mask * _exposure(pair)).sum(axis=-1) / mask.sum(axis=-1)
    parts = _Parts(
        delta,
        ~np.isnan(delta) & (len(pair.subjects) > 1),
        (before.weight + after.weight) / 2,
        after.error - before.error,
        np.broadcast_to(mask, (*mask.shape[:-3], len(pair.subjects), *mask.shape[-2:])),
        after.share,
        np.where((after.share <= 1 / 2)[..., None], rising, after.error),
        noise,
        noise,
        np.broadcast_to(exposure, delta.shape),
    )
    return _over_lines(pair, parts, Metric.SHARE_OF_VOICE)


@dataclass(frozen=True, slots=True)
class _Voice:
    """Of one side by subject and engine: `share`, the `mentions` of all subjects, and by unit `weight` and
    `error`."""

    share: Floats
    mentions: Floats
    weight: Floats
    error: Floats


def _voice(pair: Pair, mentioned: Floats) -> _Voice:
    of_unit = sum_by(mentioned, pair.units)
    overall = of_unit.sum(axis=-3, keepdims=True)
    mentions = overall.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.broadcast_to(overall / mentions, of_unit.shape)
        part = of_unit / mentions
    share = part.sum(axis=-1)
    return _Voice(share, np.broadcast_to(mentions[..., 0], share.shape), weight, part - share[..., None] * weight)


def _over_lines(pair: Pair, parts: _Parts, metric: Metric) -> Contrast:
    """The engines of each line put together; those with a figure on both sides count alike.

    The luck of a day is each engine's own, so its variances add up: Σ E⁻² · luck · 4μ(1-μ) · exposure, μ being the
    middle rate. The degrees of freedom of topics and days together are Satterthwaite's (1946). Where topics do not
    differ at all nothing is added: of that no test is made.
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
    factor, freedom = _between_units(weight)
    variance = factor * (error**2).sum(axis=-1)
    variance = np.where(variance <= ROUNDING, 0.0, variance)
    if pair.luck is not None:
        place = list(Metric).index(metric)
        luck = Luck(pair.luck.variance[..., place, :, :], pair.luck.freedom[..., place, :, :])
        freedom, variance = _with_luck(luck, parts, over, share, freedom, variance)
    noise = np.where(level <= 1 / 2, over(share**2, parts.rising), over(share**2, parts.falling))
    return Contrast(
        np.where(engines > 0, delta, np.nan),
        variance,
        freedom,
        ((chosen @ parts.usable.astype(np.float64)) > 0).sum(axis=-1),
        np.maximum(level, 1 - level),
        noise - 2 * factor * (error * excess).sum(axis=-1),
        factor * (excess**2).sum(axis=-1) - noise,
    )


def _with_luck(
    luck: Luck,
    parts: _Parts,
    over: Callable[[Floats, Floats], Floats],
    share: Floats,
    freedom: Floats,
    variance: Floats,
) -> tuple[Floats, Floats]:
    """The degrees of freedom and the variance of topics and days together."""
    middle = parts.level - parts.delta / 2
    of_engine = luck.variance * 4 * middle * (1 - middle) * parts.exposure
    of_days = np.where(variance > 0, over(share**2, of_engine), 0.0)
    doubt = over(share**4, of_engine**2 / luck.freedom)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_both = (variance + of_days) ** 2 / (variance**2 / freedom + doubt)
    return np.where(of_days > 0, of_both, freedom), variance + of_days


def _between_units(weight: Floats) -> tuple[Floats, Floats]:
    """For units of weight h: the factor that makes a variance of Σ error², and its degrees of freedom.

    Errors are counted from the estimate itself, which heavy units pull towards them. With h_k = Σ h^k and
    κ = h₂ - 2h₃ + h₂² the factor is h₂/κ and the degrees of freedom κ²/(h₄ - 4h₅ + 4h₂h₄ + 2h₃² - 4h₂²h₃ + h₂⁴) (Bell
    and McCaffrey 2002, for a mean). With T units of one weight these are T/(T - 1) and T - 1.
    """
    h2, h3, h4, h5 = ((weight**power).sum(axis=-1) for power in (2, 3, 4, 5))
    left = h2 - 2 * h3 + h2**2
    squared = h4 - 4 * h5 + 4 * h2 * h4 + 2 * h3**2 - 4 * h2**2 * h3 + h2**4
    several = np.count_nonzero(weight > 0, axis=-1) > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(several, h2 / left, np.nan), np.where(several, left**2 / squared, np.nan)


def _exposure(pair: Pair) -> Floats:
    """How often the variance of one day is in the difference, [..., 1, engine, prompt]: 1/D₀ + 1/D₁ for D pooled
    days."""
    of_both = 1 / np.asarray(pair.before.days) + 1 / np.asarray(pair.after.days)
    return np.broadcast_to(of_both, np.broadcast_shapes(of_both.shape, pair.before.answers.shape))[..., None, :, :]


def _answered(pair: Pair) -> Flags:
    both: Flags = (pair.before.answers > 0) & (pair.after.answers > 0)
    return both


def _mean(total: Floats, answers: Floats) -> Floats:
    mean: Floats = total / np.maximum(answers, 1.0)[..., None, :, :]
    return mean

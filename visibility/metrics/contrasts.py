"""Differences between two sides, paired by engine and prompt, with the variance that units and days give them."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np

from visibility.metrics.counts import Flags, Floats, Integers, sum_by
from visibility.metrics.mover import rate_arms, share_arms
from visibility.metrics.series import Luck, Pair, Side
from visibility.metrics.units import Contrast, Parts, Trials, over_units


class Metric(StrEnum):
    """The figures whose change is judged, in the order of a family's axis of metrics."""

    SCORE = "score"
    SHARE_OF_VOICE = "share_of_voice"
    CITATION_RATE = "citation_rate"


Contrasts = Callable[[Pair], Contrast]
"""A function that compares two sides: the whole family, or the part of it that a simulation draws."""


def family_contrast(pair: Pair) -> Contrast:
    """All differences of a pair, shaped [..., metric, subject, line]: the family that verdicts share."""
    contrasts = (rate_contrast(pair, Metric.SCORE), voice_contrast(pair), rate_contrast(pair, Metric.CITATION_RATE))
    parts = ([getattr(contrast, field.name) for contrast in contrasts] for field in fields(Contrast))
    return Contrast(*(np.stack(np.broadcast_arrays(*part), axis=-3) for part in parts))


def rate_contrast(pair: Pair, metric: Metric = Metric.SCORE) -> Contrast:
    """The difference of a rate, δ = Σ w d: the mean over prompts of the difference d of each prompt's two means.

    Prompts that name a subject are left out for it. A unit's error in an engine's mean is Σ_q∈u w (d_q - d̄).
    """
    if metric is Metric.CITATION_RATE:
        pair = replace(pair, before=pair.before.of_citations, after=pair.after.of_citations)
    return over_units(pair, _luck(pair, metric), _rate_parts(pair))


def _rate_parts(pair: Pair) -> Callable[[Integers], Parts]:
    """The parts of a rate by the unit of each prompt."""
    before, after = pair.before.mentioned, pair.after.mentioned
    usable = _answered(pair)[..., None, :, :] & ~pair.named[:, None, :]
    prompts = usable.sum(axis=-1)
    weight = np.where(usable, 1 / np.maximum(prompts, 1)[..., None], 0.0)
    later = _mean(after, pair.after.answers)
    differences = later - _mean(before, pair.before.answers)
    delta, level = ((weight * values).sum(axis=-1) for values in (differences, later))
    noise = weight**2 / np.maximum(pair.after.answers, 1.0)[..., None, :, :]
    rising, falling = ((noise * values).sum(axis=-1) for values in (1 - later, later))
    exposure = (weight * _exposure(pair)).sum(axis=-1)
    sides = [
        Trials(_in_all(side.mentioned, side), _in_all(side.answers[..., None, :, :], side)) for side in pair.sides
    ]
    arms = rate_arms(pair.before, pair.after, usable, pair.units, paired=pair.paired)

    def parts(units: Integers) -> Parts:
        return Parts(
            delta,
            prompts > 0,
            sum_by(weight, units),
            sum_by(weight * (differences - delta[..., None]), units),
            level,
            sum_by(weight * (later - level[..., None]), units),
            rising,
            falling,
            exposure,
            usable,
            (sides[0], sides[1]),
            arms,
        )

    return parts


def voice_contrast(pair: Pair) -> Contrast:
    """The difference of the share of voice, linearised on each side (Cochran 1977, section 6.3).

    With x_t mentions of the subject and m_t of all in a topic, and r = Σx/Σm, a topic adds (x_t - r m_t)/Σm of the
    later side less the same of the earlier. Prompts that name any subject are left out, and topics without mentions.
    """
    return over_units(pair, _luck(pair, Metric.SHARE_OF_VOICE), lambda units: _voice_parts(pair, units))


def _voice_parts(pair: Pair, units: Integers) -> Parts:
    usable = _answered(pair) & ~pair.named.any(axis=0)
    mask = usable[..., None, :, :]
    mentioned = [np.where(mask, side.mentioned, 0.0) for side in pair.sides]
    before, after = (_voice(each, units) for each in mentioned)
    delta = after.share - before.share
    silent = sum_by(np.where(mask, pair.after.answers[..., None, :, :] - pair.after.mentioned, 0.0), units)
    with np.errstate(divide="ignore", invalid="ignore"):
        others = 1 - after.share
        spread = silent / silent.sum(axis=-1, keepdims=True) - after.weight
        rising = after.error - others[..., None] * np.where(np.isnan(spread), 0.0, spread)
        noise = others**2 / after.mentions
        exposure = (mask * _exposure(pair)).sum(axis=-1) / mask.sum(axis=-1)
    hits = [_in_all(each, side) for each, side in zip(mentioned, pair.sides, strict=True)]
    trials = [Trials(each, np.broadcast_to(each.sum(axis=-3, keepdims=True), each.shape)) for each in hits]
    arms = [
        share_arms(voice.share, side.of.sum(axis=-1)) for voice, side in zip((before, after), trials, strict=True)
    ]
    return Parts(
        delta,
        ~np.isnan(delta) & (len(pair.subjects) > 1),
        (before.weight + after.weight) / 2,
        after.error - before.error,
        after.share,
        np.where((after.share <= 1 / 2)[..., None], rising, after.error),
        noise,
        noise,
        np.broadcast_to(exposure, delta.shape),
        np.broadcast_to(mask, (*mask.shape[:-3], len(pair.subjects), *mask.shape[-2:])),
        (trials[0], trials[1]),
        arms[1].less(arms[0]),
    )


@dataclass(frozen=True, slots=True)
class _Voice:
    """Of one side by subject and engine: `share`, the `mentions` of all subjects, and by unit `weight` and
    `error`."""

    share: Floats
    mentions: Floats
    weight: Floats
    error: Floats


def _voice(mentioned: Floats, units: Integers) -> _Voice:
    of_unit = sum_by(mentioned, units)
    overall = of_unit.sum(axis=-3, keepdims=True)
    mentions = overall.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.broadcast_to(overall / mentions, of_unit.shape)
        part = of_unit / mentions
    share = part.sum(axis=-1)
    return _Voice(share, np.broadcast_to(mentions[..., 0], share.shape), weight, part - share[..., None] * weight)


def _luck(pair: Pair, metric: Metric) -> Luck | None:
    """The luck of days of one metric, broadcasting to [..., subject, engine]."""
    if pair.luck is None:
        return None
    place = list(Metric).index(metric)
    return Luck(pair.luck.variance[..., place, :, :], pair.luck.freedom[..., place, :, :])


def _in_all(values: Floats, side: Side) -> Floats:
    """Counts by [..., subject, engine, prompt] over all days that were pooled, of the mean day's."""
    days = np.asarray(side.days, dtype=np.float64)
    return values * (days if days.ndim == 0 else days[..., None, :, :])


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

"""Differences between two days, paired by prompt, with their variance between topics."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.cells import ROUNDING
from visibility.metrics.day_effects import DayEffects
from visibility.metrics.pairs import Pair
from visibility.metrics.table import Flags, Floats, Integers


@dataclass(frozen=True, slots=True)
class Contrast:
    """Differences (now - before) as parts of 1, shaped [line, subject], the lines being those of the pair.

    NaN where a figure is unmeasured on either day. `variance` is that of the difference when topics are the
    independent units, with so many degrees of `freedom`; both NaN below two topics, 0 where topics do not differ.
    `prompts` are those behind it, `of_days` is the part of the variance that is the luck of the days. Further axes of
    the counts stand before these.

    What a change would do: were a part s of what can change of the later figure changed (towards the middle: risen
    where it is below a half, else fallen), the difference would be s · `room` on average, and its variance
    `variance` + s · `slope` + s² · `bend`, for topics where there is more to change move more.
    """

    delta: Floats
    variance: Floats
    freedom: Floats
    prompts: Integers
    room: Floats
    slope: Floats
    bend: Floats
    of_days: Floats


@dataclass(frozen=True, slots=True)
class _Parts:
    """By engine and subject: the difference, whether there is one, each topic's weight in it (their sum is 1) and
    what the topic adds to its error.

    Of the later figure: its `level`, what a topic adds to it (`excess`), and the variance that answers which could
    change would add by chance: those without a mention (`rising`), those with one (`falling`).

    `exposure` is how often the variance of one day's luck is in that of the difference: twice between single days.

    `error`, `weight` and `excess` are shaped [engine, subject, topic], `usable` [engine, subject, prompt], the others
    [engine, subject].
    """

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


def rate_contrast(pair: Pair, before: Floats, now: Floats, day_effects: DayEffects | None = None) -> Contrast:
    """The difference of a rate: the mean over prompts of the differences d of each prompt's two means.

    `before` and `now` hold the answers that count, as in `Counts`. Prompts that name a subject are left out for it.
    A topic adds Σ_q∈t (d_q - d̄)/P to the error of an engine's mean. `day_effects` are those of this rate; None: none.
    """
    usable = _answered(pair)[..., None] & ~pair.named
    prompts = usable.sum(axis=-2)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(usable, 1 / prompts[..., None, :], 0.0)
        later = _mean(now, pair.now.answers)
        differences = later - _mean(before, pair.before.answers)
        delta, level = ((weight * values).sum(axis=-2) for values in (differences, later))
        noise = weight**2 / np.maximum(pair.now.answers, 1.0)[..., None]
    return _contrast(
        pair,
        _Parts(
            delta,
            prompts > 0,
            _by_topic(pair, weight),
            _by_topic(pair, weight * (differences - delta[..., None, :])),
            np.swapaxes(usable, -1, -2),
            level,
            _by_topic(pair, weight * (later - level[..., None, :])),
            (noise * (1 - later)).sum(axis=-2),
            (noise * later).sum(axis=-2),
            (weight * _exposure(pair)).sum(axis=-2),
        ),
        day_effects,
    )


def voice_contrast(pair: Pair, day_effects: DayEffects | None = None) -> Contrast:
    """The difference of the share of voice, linearised (Cochran 1977, section 6.3, once for each day).

    With x_t mentions of the subject and m_t of all subjects in a topic, and r = Σx/Σm, a topic adds
    (x_t - r·m_t)/Σm of the later day less the same of the earlier one. Prompts that name any subject are left out;
    topics without mentions on either day tell nothing and are not counted.
    """
    usable = (_answered(pair) & ~pair.named.any(axis=-1))[..., None]
    before, now = (_voice(pair, np.where(usable, day.mentioned, 0.0)) for day in (pair.before, pair.now))
    subjects = pair.named.shape[-1]
    delta = now.share - before.share
    known = ~np.isnan(delta) & (subjects > 1)
    silent = _by_topic(pair, np.where(usable, pair.now.answers[..., None] - pair.now.mentioned, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        others = 1 - now.share
        spread = silent / silent.sum(axis=-1, keepdims=True) - now.weight
        rising = now.error - others[..., None] * np.where(np.isnan(spread), 0.0, spread)
        noise = others**2 / now.mentions
        exposure = np.broadcast_to((usable * _exposure(pair)).sum(axis=-2) / usable.sum(axis=-2), delta.shape)
    usable_prompts = np.swapaxes(usable, -1, -2)
    prompts = np.broadcast_to(usable_prompts, (*usable_prompts.shape[:-2], subjects, usable_prompts.shape[-1]))
    weight = (before.weight + now.weight) / 2
    rises = (now.share <= 1 / 2)[..., None]
    excess = np.where(rises, rising, now.error)
    return _contrast(
        pair,
        _Parts(delta, known, weight, now.error - before.error, prompts, now.share, excess, noise, noise, exposure),
        day_effects,
    )


@dataclass(frozen=True, slots=True)
class _Voice:
    """Shares of voice of one day: `share` and `mentions` (of all subjects) by engine and subject; by topic its
    `weight`, and the `error` that it adds."""

    share: Floats
    mentions: Floats
    weight: Floats
    error: Floats


def _voice(pair: Pair, mentioned: Floats) -> _Voice:
    of_topic = _by_topic(pair, mentioned)
    total = of_topic.sum(axis=-2, keepdims=True)
    mentions = total.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.broadcast_to(total / mentions, of_topic.shape)
        part = of_topic / mentions
    share = part.sum(axis=-1)
    return _Voice(share, np.broadcast_to(mentions[..., 0], share.shape), weight, part - share[..., None] * weight)


def _contrast(pair: Pair, parts: _Parts, day_effects: DayEffects | None) -> Contrast:
    """The parts of the engines as lines: each engine of a line that has a figure on both days counts alike.

    The luck of a day is each engine's own, so its variances add up. Of topics and days together the degrees of
    freedom are Satterthwaite's, as if both variances were multiples of χ². Where topics do not differ at all nothing
    is added: of that no test is made.
    """
    lines = np.array([mask for _, mask in pair.lines], dtype=bool)
    chosen = (lines[:, :, None] & parts.known[..., None, :, :]).astype(np.float64)
    engines = chosen.sum(axis=-2)
    share = chosen / np.maximum(engines, 1)[..., None, :]
    delta, level = (_of_lines(share, parts.known, values) for values in (parts.delta, parts.level))
    weight, error, excess = (
        np.einsum("...les,...est->...lst", share, np.where(parts.known[..., None], values, 0.0))
        for values in (parts.weight, parts.error, parts.excess)
    )
    prompts = (np.einsum("...les,...esq->...lsq", chosen, parts.usable.astype(np.float64)) > 0).sum(axis=-1)
    factor, freedom = _between_topics(weight)
    variance = factor * (error**2).sum(axis=-1)
    variance = np.where(variance <= ROUNDING, 0.0, variance)
    of_days = np.zeros_like(variance)
    if day_effects is not None:
        middle = parts.level - parts.delta / 2
        of_engine = day_effects.variance * 4 * middle * (1 - middle) * parts.exposure
        doubt = _of_lines(share**4, parts.known, of_engine**2 / day_effects.freedom)
        of_days = np.where(variance > 0, _of_lines(share**2, parts.known, of_engine), 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            of_both = (variance + of_days) ** 2 / (variance**2 / freedom + doubt)
        freedom, variance = np.where(of_days > 0, of_both, freedom), variance + of_days
    noise = np.where(
        level <= 1 / 2, *(_of_lines(share**2, parts.known, part) for part in (parts.rising, parts.falling))
    )
    return Contrast(
        np.where(engines > 0, delta, np.nan),
        variance,
        freedom,
        prompts,
        np.maximum(level, 1 - level),
        noise - 2 * factor * (error * excess).sum(axis=-1),
        factor * (excess**2).sum(axis=-1) - noise,
        of_days,
    )


def _of_lines(share: Floats, known: Flags, values: Floats) -> Floats:
    """The engines' values summed over those of each line, by their shares."""
    sums: Floats = np.einsum("...les,...es->...ls", share, np.where(known, values, 0.0))
    return sums


def _between_topics(weight: Floats) -> tuple[Floats, Floats]:
    """For topics of unequal weight h: the factor that makes a variance of Σ error², and its degrees of freedom.

    Errors are counted from the estimate itself, which heavy topics pull towards them. Were the prompts of a topic
    wholly alike, Σ error² would on average be too small by the factor kept/Σh², and have Satterthwaite's degrees
    of freedom (Bell and McCaffrey 2002, for a mean). With T topics of one weight these are (T - 1)/T and T - 1.
    """
    h2, h3, h4, h5 = (np.sum(weight**power, axis=-1) for power in (2, 3, 4, 5))
    kept = h2 - 2 * h3 + h2**2
    squared = h4 - 4 * h5 + 4 * h2 * h4 + 2 * h3**2 - 4 * h2**2 * h3 + h2**4
    several = np.count_nonzero(weight > 0, axis=-1) > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(several, h2 / kept, np.nan), np.where(several, kept**2 / squared, np.nan)


def _exposure(pair: Pair) -> Floats:
    """Of each engine and prompt: how often the variance of one day is in its difference, [engine, prompt, 1]. The
    mean over prompts is that of the engine's figure where all were asked on as many days, else somewhat more."""
    of_both = 1 / np.asarray(pair.before.days) + 1 / np.asarray(pair.now.days)
    return np.broadcast_to(of_both, np.broadcast_shapes(of_both.shape, pair.before.answers.shape))[..., None]


def _answered(pair: Pair) -> Flags:
    both: Flags = (pair.before.answers > 0) & (pair.now.answers > 0)
    return both


def _mean(total: Floats, answers: Floats) -> Floats:
    mean: Floats = total / np.maximum(answers, 1.0)[..., None]
    return mean


def _by_topic(pair: Pair, values: Floats) -> Floats:
    """Sums over the prompts of each topic: [engine, prompt, subject] becomes [engine, subject, topic]; of too few
    topics each prompt stands for one."""
    units = pair.units
    order = np.argsort(units, kind="stable")
    first = np.flatnonzero(np.diff(units[order], prepend=-1))
    sums: Floats = np.swapaxes(np.add.reduceat(values[..., order, :], first, axis=-2), -1, -2)
    return sums

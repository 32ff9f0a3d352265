"""Differences between two days, paired by prompt, with their variance between topics."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.cells import ROUNDING
from visibility.metrics.pairs import Pair
from visibility.metrics.table import Flags, Floats, Integers


@dataclass(frozen=True, slots=True)
class Contrast:
    """Differences (now - before) as parts of 1, shaped [line, subject], the lines being those of the pair.

    NaN where a figure is unmeasured on either day. `variance` is that of the difference when topics are the
    independent units, with so many degrees of `freedom`; both NaN below two topics, 0 where topics do not differ.
    `prompts` are those behind it. Further axes of the counts stand before these.
    """

    delta: Floats
    variance: Floats
    freedom: Floats
    prompts: Integers


@dataclass(frozen=True, slots=True)
class _Parts:
    """By engine and subject: the difference, whether there is one, each topic's weight in it (their sum is 1) and
    what the topic adds to its error.

    `delta` and `known` are shaped [engine, subject], `error` and `weight` [engine, subject, topic], `usable`
    [engine, subject, prompt].
    """

    delta: Floats
    known: Flags
    weight: Floats
    error: Floats
    usable: Flags


def rate_contrast(pair: Pair, before: Floats, now: Floats) -> Contrast:
    """The difference of a rate: the mean over prompts of the differences d of each prompt's two means.

    `before` and `now` hold the answers that count, as in `Counts`. Prompts that name a subject are left out for it.
    A topic adds Σ_q∈t (d_q - d̄)/P to the error of an engine's mean.
    """
    usable = _answered(pair)[..., None] & ~pair.named
    differences = np.where(usable, _mean(now, pair.now.answers) - _mean(before, pair.before.answers), 0.0)
    prompts = usable.sum(axis=-2)
    with np.errstate(divide="ignore", invalid="ignore"):
        delta = differences.sum(axis=-2) / prompts
        error = np.where(usable, (differences - delta[..., None, :]) / prompts[..., None, :], 0.0)
        weight = np.where(usable, 1 / prompts[..., None, :], 0.0)
    usable_prompts = np.swapaxes(usable, -1, -2)
    return _contrast(
        pair, _Parts(delta, prompts > 0, _by_topic(pair, weight), _by_topic(pair, error), usable_prompts)
    )


def voice_contrast(pair: Pair) -> Contrast:
    """The difference of the share of voice, linearised (Cochran 1977, section 6.3, once for each day).

    With x_t mentions of the subject and m_t of all subjects in a topic, and r = Σx/Σm, a topic adds
    (x_t - r·m_t)/Σm of the later day less the same of the earlier one. Prompts that name any subject are left out;
    topics without mentions on either day tell nothing and are not counted.
    """
    usable = (_answered(pair) & ~pair.named.any(axis=-1))[..., None]
    shares, weights, errors = [], [], []
    for counts in (pair.before, pair.now):
        mentions = _by_topic(pair, np.where(usable, counts.mentioned, 0.0))
        of_topic = mentions.sum(axis=-2, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            weight = of_topic / of_topic.sum(axis=-1, keepdims=True)
            part = mentions / of_topic.sum(axis=-1, keepdims=True)
        share = part.sum(axis=-1)
        shares.append(share)
        weights.append(np.broadcast_to(weight, mentions.shape))
        errors.append(part - share[..., None] * weight)
    subjects = pair.named.shape[-1]
    delta = shares[1] - shares[0]
    known = ~np.isnan(delta) & (subjects > 1)
    usable_prompts = np.swapaxes(usable, -1, -2)
    prompts = np.broadcast_to(usable_prompts, (*usable_prompts.shape[:-2], subjects, usable_prompts.shape[-1]))
    return _contrast(pair, _Parts(delta, known, (weights[0] + weights[1]) / 2, errors[1] - errors[0], prompts))


def _contrast(pair: Pair, parts: _Parts) -> Contrast:
    """The parts of the engines as lines: each engine of a line that has a figure on both days counts alike."""
    lines = np.array([mask for _, mask in pair.lines], dtype=bool)
    chosen = (lines[:, :, None] & parts.known[..., None, :, :]).astype(np.float64)
    engines = chosen.sum(axis=-2)
    share = chosen / np.maximum(engines, 1)[..., None, :]
    delta = np.einsum("...les,...es->...ls", share, np.where(parts.known, parts.delta, 0.0))
    known = parts.known[..., None]
    weight = np.einsum("...les,...est->...lst", share, np.where(known, parts.weight, 0.0))
    error = np.einsum("...les,...est->...lst", share, np.where(known, parts.error, 0.0))
    prompts = (np.einsum("...les,...esq->...lsq", chosen, parts.usable.astype(np.float64)) > 0).sum(axis=-1)
    variance, freedom = _between_topics(weight, error)
    return Contrast(np.where(engines > 0, delta, np.nan), variance, freedom, prompts)


def _between_topics(weight: Floats, error: Floats) -> tuple[Floats, Floats]:
    """The variance Σ error² with its correction and degrees of freedom, for topics of unequal weight h.

    Errors are counted from the estimate itself, which heavy topics pull towards them. Were the prompts of a topic
    wholly alike, Σ error² would on average be too small by the factor kept/Σh², and have Satterthwaite's degrees
    of freedom (Bell and McCaffrey 2002, for a mean). With T topics of one weight these are (T - 1)/T and T - 1.
    """
    h2, h3, h4, h5 = (np.sum(weight**power, axis=-1) for power in (2, 3, 4, 5))
    kept = h2 - 2 * h3 + h2**2
    squared = h4 - 4 * h5 + 4 * h2 * h4 + 2 * h3**2 - 4 * h2**2 * h3 + h2**4
    several = np.count_nonzero(weight > 0, axis=-1) > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(several, h2 / kept * (error**2).sum(axis=-1), np.nan)
        freedom = np.where(several, kept**2 / squared, np.nan)
    return np.where(variance <= ROUNDING, 0.0, variance), freedom


def _answered(pair: Pair) -> Flags:
    both: Flags = (pair.before.answers > 0) & (pair.now.answers > 0)
    return both


def _mean(total: Floats, answers: Floats) -> Floats:
    mean: Floats = total / np.maximum(answers, 1.0)[..., None]
    return mean


def _by_topic(pair: Pair, values: Floats) -> Floats:
    """Sums over the prompts of each topic: [engine, prompt, subject] becomes [engine, subject, topic]."""
    topics = np.eye(int(pair.topic.max()) + 1)[pair.topic]
    sums: Floats = np.tensordot(values, topics, axes=([-2], [0]))
    return sums

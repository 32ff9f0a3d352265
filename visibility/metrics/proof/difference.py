"""How far one topic's change differs from what the others did, with the variance that the others tell."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.distributions import stdtr, stdtrit
from visibility.metrics.proof.sides import Topics
from visibility.metrics.table import Floats

ALPHA = 0.05
PRIOR = 2.0
"""So many answers at the controls' level count towards a topic's own, where its movement is reckoned from it."""
STEEPNESS = 1.5
"""A topic moves less the nearer it is to all or nothing: by the power of p(1 - p) that its variance goes with. By 1
movements on the arcsine scale would be alike, by 2 on that of log-odds, by 1.5 about so on that of normal scores."""
TIDES = 4
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Difference:
    """The change of the topic (`own`), the mean one of its controls, and their difference `delta` with its 95 %
    interval, as parts of 1; NaN where nothing varies, which tells nothing of chance. `p` is two-sided.

    `movement` is the variance by which topics moved by themselves, at a level of one half, and `expected` what the
    tide makes of the topic, both [..., form].
    """

    own: Floats
    control: Floats
    delta: Floats
    low: Floats
    high: Floats
    p: Floats
    movement: Floats
    expected: Floats


@dataclass(frozen=True, slots=True)
class Noise:
    """Of a difference, by form of tide: its variance and degrees of `freedom`, [..., form]."""

    variance: Floats
    freedom: Floats


def difference(topics: Topics) -> Difference:
    """The first topic's change held against the others'.

    A tide lifts all topics, but not all alike: by as many points each, by a part of the room above, by a part of
    what is there, or by log-odds. Which one is not known, so all four are reckoned: each expects a change of the
    topic by what the controls did. The interval holds those of all four differences, and `p` is the largest of
    theirs; 1 where they do not even agree which way the topic moved.
    """
    change = topics.change[..., None, :]
    shape = tides(topics.level)
    expected = _part_of_controls(shape) * _of_controls(topics.change)[..., None]
    rest = change[..., 1:] - expected[..., 1:]
    differences = topics.change[..., :1] - expected[..., 0]
    chance, steep = topics.chance[..., None, :], steepness(smoothed(topics))[..., None, :]
    movement = _movement(shape, rest, chance, steep)
    noise = noise_of(shape, chance + movement[..., None] * steep)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(noise.variance)
        p = np.where(error > 0, 2 * stdtr(noise.freedom, -np.abs(differences) / error), 1.0)
    half = stdtrit(noise.freedom, 1 - ALPHA / 2) * error
    agrees = np.abs(np.sign(differences).sum(axis=-1)) == TIDES
    varies = (noise.variance > 0).all(axis=-1)
    own, control = topics.change[..., 0], topics.change[..., 1:].mean(axis=-1)
    return Difference(
        own,
        control,
        own - control,
        np.where(varies, np.maximum((differences - half).min(axis=-1), -1.0), np.nan),
        np.where(varies, np.minimum((differences + half).max(axis=-1), 1.0), np.nan),
        np.where(agrees, p.max(axis=-1), 1.0),
        movement,
        expected[..., 0],
    )


def tides(level: Floats) -> Floats:
    """How much each topic rises and falls with a tide, by the form of it: [..., form, topic]."""
    inside = np.clip(level, 0.0, 1.0)
    return np.stack([np.ones_like(inside), 1 - inside, inside, inside * (1 - inside)], axis=-2)


def smoothed(topics: Topics) -> Floats:
    """Each topic's level with a little of the controls' in it: no topic is wholly at nothing."""
    common = topics.level[..., 1:].mean(axis=-1, keepdims=True)
    level: Floats = (topics.size * topics.level + PRIOR * common) / (topics.size + PRIOR)
    return level


def steepness(level: Floats) -> Floats:
    """How much of the variance at one half a topic at this level moves by."""
    inside = np.clip(level, 0.0, 1.0)
    steep: Floats = (4 * inside * (1 - inside)) ** STEEPNESS
    return steep


def noise_of(shape: Floats, variance: Floats) -> Noise:
    """The variance of the first topic's difference where each topic's change has this variance, [..., form, topic].

    Controls with more variance tell most of it: the degrees of freedom lie between theirs (Satterthwaite 1946) and
    those of as many controls of one variance. The simulation holds with their mean.
    """
    others = variance[..., 1:]
    total = others.sum(axis=-1)
    telling = total**2 / np.maximum((others**2).sum(axis=-1), ROUNDING)
    freedom = (np.maximum(telling - 1, 1.0) + others.shape[-1] - 1) / 2
    return Noise(variance[..., 0] + _part_of_controls(shape)[..., 0] ** 2 * total, freedom)


def _movement(shape: Floats, rest: Floats, chance: Floats, steep: Floats) -> Floats:
    """The variance by which the controls moved beyond chance, at a level of one half; 0 where chance explains all.

    By the method of moments: what is left of control c when the tide is taken from it has the mean square
    v_c (1 - 2k_c) + k_c² Σv, with k_c its part in the tide.
    """
    part = _part_of_controls(shape)[..., 1:]
    counted = 1 - 2 * part + (part**2).sum(axis=-1, keepdims=True)
    explained, moving = ((counted * values[..., 1:]).sum(axis=-1) for values in (chance, steep))
    movement: Floats = np.maximum((rest**2).sum(axis=-1) - explained, 0.0) / np.maximum(moving, ROUNDING)
    return movement


def _part_of_controls(shape: Floats) -> Floats:
    """What each topic rises by where the controls rise by 1 in all."""
    part: Floats = shape / np.maximum(shape[..., 1:].sum(axis=-1, keepdims=True), ROUNDING)
    return part


def _of_controls(change: Floats) -> Floats:
    total: Floats = change[..., 1:].sum(axis=-1, keepdims=True)
    return total

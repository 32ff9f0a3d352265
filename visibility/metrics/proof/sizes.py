"""The smallest rise of the difference that a proof shows with 80 % power."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.detectable import MAX_PART, noncentrality
from visibility.metrics.proof.difference import ALPHA, noise_of, steepness, tides
from visibility.metrics.table import Floats

STEP = 0.0025
"""Sizes are told to a quarter of a point."""
MAX_RISE = 0.5
"""No larger rise is told: who plans for one has found a panel that was quiet by chance."""
CAUTION = 1.2
"""What a size is larger by than is reckoned: levels and movements are known from few answers, and sizes are told of
panels that look quiet. `python -m tests.simulate proof-sizes` shows how often a rise of the size is then found."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a difference will rest on, by topic ([topic], the one worked on first): its `level` before and after
    (0–1), the variance of its figure `before` and `after` were each answer to vary by 1, and what `share` (0–1) of
    p(1 - p) answers to one prompt vary by. `movement` is as in `Difference`, one or by form of tide; the tide has so
    much more in store for the topic than for the controls (`lead`)."""

    level: Floats
    before: Floats
    after: Floats
    share: float
    movement: Floats
    lead: float = 0.0


def least_rise(outlook: Outlook) -> float | None:
    """The smallest rise that is seen with 80 % power under each form of tide, as a part of 1; None where none is.

    A rise makes its own variance: of the answers, since it lifts the topic towards one half and sets both sides
    apart, and of the movement. So it is sought among all rises up to nine tenths of the room, and up to 50 points.
    """
    room = 1 - float(outlook.level[0])
    rises = np.arange(STEP, min(MAX_PART * room, MAX_RISE) + STEP / 2, STEP)
    if not rises.size:
        return None
    both = outlook.before + outlook.after
    later = outlook.before / both
    level = np.repeat(outlook.level[None], len(rises), axis=0)
    level[:, 0] += later[0] * rises
    apart = np.zeros_like(level)
    apart[:, 0] = later[0] * (1 - later[0]) * rises**2
    chance = (outlook.share * level * (1 - level) + apart) * both
    moving = np.asarray(outlook.movement)[..., None] * steepness(level)[:, None, :]
    noise = noise_of(tides(level), chance[:, None, :] + moving)
    needed = CAUTION * noncentrality(noise.freedom, ALPHA) * np.sqrt(noise.variance)
    places = np.flatnonzero(rises >= needed.max(axis=-1) + max(outlook.lead, 0.0))
    return float(rises[places[0]]) if places.size else None


def share_of_chance(variance: Floats, level: Floats, size: Floats) -> float:
    """The part of p(1 - p) that answers to one prompt vary by: over all topics, which are too small to tell it alone.
    `variance` is that of an answer, by topic. 1 where nothing tells it: each prompt was answered once."""
    several = size > 1
    spread = float((level * (1 - level) * size / np.maximum(size - 1, 1.0))[several].sum())
    within = float(variance[several].sum())
    return min(within / spread, 1.0) if within > 0 and spread > 0 else 1.0

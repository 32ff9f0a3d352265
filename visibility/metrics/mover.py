"""How far the answers alone let a difference of two sides be from what was measured: exactly these prompts."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.counts import Flags, Floats, Integers
from visibility.metrics.intervals import modified_wilson, panel_interval
from visibility.metrics.samples import sample
from visibility.metrics.series import Side

LEAST = 1e-12
"""In the place of 0 below a fraction."""


@dataclass(frozen=True, slots=True)
class Arms:
    """The two arms of a 95 % interval, as parts of 1: what lies `below` the value, and `above` it."""

    below: Floats
    above: Floats

    def less(self, other: "Arms", together: Floats | float = 0.0) -> "Arms":
        """The arms of the difference from another value (MOVER: Newcombe 1998, method 10); `together` is how far the
        one falls where the other rises, their correlation with its sign turned."""
        return Arms(_joined(self.below, other.above, together), _joined(self.above, other.below, together))


def rate_arms(before: Side, after: Side, usable: Flags, topics: Integers, *, paired: bool) -> Arms:
    """Of the difference of two rates by [..., subject, engine], each with its panel interval on the usable cells.

    `paired`: both sides are of the same answers, of which each counts for one side at most, so that the more the one
    has the fewer are left for the other."""
    (earlier, arms), (later, later_arms) = (_side_arms(side, usable, topics) for side in (before, after))
    if not paired:
        return later_arms.less(arms)
    odds = earlier * later / np.maximum((1 - earlier) * (1 - later), LEAST)
    return later_arms.less(arms, np.minimum(np.sqrt(odds), 1.0))


def share_arms(share: Floats, mentions: Floats) -> Arms:
    """Of a share of so many mentions, as if each were drawn by itself."""
    low, high = modified_wilson(share, np.where(mentions > 0, mentions, np.nan))
    return Arms(share - low, high - share)


def _side_arms(side: Side, usable: Flags, topics: Integers) -> tuple[Floats, Arms]:
    """The rate and its arms by engine: the panel interval, and where each prompt was asked once, so that how alike
    its answers are is unknown, the interval of as many independent answers."""
    days = np.asarray(side.days, dtype=np.float64)
    answers = (side.answers * days)[..., None, :, :] * usable
    total = side.mentioned * (days if days.ndim == 0 else days[..., None, :, :]) * usable
    of_engine = sample(topics, *(np.swapaxes(part, -3, -2)[..., None, :] for part in (answers, total)))
    with np.errstate(divide="ignore", invalid="ignore"):
        size = 1 / (of_engine.weight / np.maximum(of_engine.answers, 1.0)).max(axis=(-2, -1), initial=0.0)
        alone = modified_wilson(of_engine.value, size)
    low, high = (
        np.where(np.isnan(end), other, end)
        for end, other in zip(panel_interval(of_engine, with_luck=False), alone, strict=True)
    )
    rate, low, high = (np.swapaxes(part, -2, -1) for part in (of_engine.value, low, high))
    return rate, Arms(rate - low, high - rate)


def _joined(one: Floats, other: Floats, together: Floats | float) -> Floats:
    arm: Floats = np.sqrt(one**2 + other**2 + 2 * together * one * other)
    return arm

"""The luck of a day: what all topics of an engine share on it, beside what chance does to each of them."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.table import Floats

PRIOR = 0.035
"""The standard deviation that is reckoned with where too few days are known: 3.5 points at a rate of 50 %."""
PRIOR_FREEDOM = 4.0
"""How well that is known: so little that false alarms stay as rare with 5 points, by `python -m tests.simulate`."""


@dataclass(frozen=True, slots=True)
class DayEffects:
    """The variance of a day's luck at a rate of 50 % (rates are 0–1), with its degrees of freedom; at the rate r it
    is 4 r (1 - r) of that. Each shaped [metric, engine, subject], or so that it stretches to that; axes before these
    hold repetitions."""

    variance: Floats
    freedom: Floats

    def of_metric(self, number: int) -> "DayEffects":
        """Those of one metric, by its place in a family: shaped [engine, subject]."""
        return DayEffects(self.variance[..., number, :, :], self.freedom[..., number, :, :])


UNKNOWN = DayEffects(np.full((3, 1, 1), PRIOR**2), np.full((3, 1, 1), PRIOR_FREEDOM))
"""What is reckoned with between days whose neighbours tell too little, for each of a family's three metrics."""

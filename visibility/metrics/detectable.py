"""The smallest change that a test would have shown."""

from statistics import NormalDist

import numpy as np

from visibility.metrics.contrasts import Contrast
from visibility.metrics.distributions import chdtri, stdtrit
from visibility.metrics.table import Floats

POWER = 0.8
Z = NormalDist().inv_cdf(POWER)
MAX_PART = 0.9
"""So near to all or nothing t-tests no longer behave as reckoned: no larger part of what can change is told."""
MIN_FREEDOM = 7.0
"""Below so many degrees of freedom the variance is too little known to tell a size by it: some eight topics."""


def smallest(contrast: Contrast, level: Floats) -> Floats:
    """The smallest change that a two-sided t-test at `level` calls moved with 80 % power; NaN where there is none.

    A change makes its own variance: topics with more to gain gain more, and answers that change do so by chance. So
    the least part s of what can change is sought for which s · room = λ · √(variance + s · slope + s² · bend), where
    λ is the `noncentrality`. That is a quadratic equation. A variance of few topics is more often too small than too
    large, so it is divided by the median of χ² over its degrees of freedom: of the sizes that are told, half are too
    small and half too large.
    """
    freedom = contrast.freedom
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = noncentrality(freedom, level) ** 2 * freedom / chdtri(freedom, 0.5)
        rest = contrast.room**2 - factor * contrast.bend
        slope = factor * contrast.slope
        part = (slope + np.sqrt(slope**2 + 4 * rest * factor * contrast.variance)) / (2 * rest)
        is_reached = (rest > 0) & (part > 0) & (part <= MAX_PART) & (freedom >= MIN_FREEDOM)
        return np.where(is_reached, part * contrast.room, np.nan)


def noncentrality(freedom: Floats | float, level: Floats | float) -> Floats:
    """How many standard errors a change must have for a t-test at `level` to call it moved in 80 % of cases.

    The normal approximation of noncentral t (Abramowitz and Stegun 1964, 26.7.10).
    """
    limit = stdtrit(freedom, 1 - level / 2)
    return np.asarray(limit * (1 - 1 / (4 * freedom)) + Z * np.sqrt(1 + limit**2 / (2 * freedom)))

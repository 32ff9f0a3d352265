"""Whether one subject is named more than another, beyond chance, in exactly these answers. Pure."""

from collections.abc import Sequence
from statistics import fmean, stdev

from visibility.metrics.distributions import bdtrc, stdtr


def chance_of_lead(alone: int, other_alone: int) -> float:
    """The chance of a lead as large as this, or larger, where both are named alike: of the answers that name one of
    them `alone` name it and `other_alone` the other (the sign test, one-sided, after McNemar 1947).

    It is exact whatever the questions are like, and however often answers name both: where two are alike, an answer
    that names one of them names either with the same chance.
    """
    trials = alone + other_alone
    return float(bdtrc(alone - 1, trials, 0.5)) if trials else 1.0


def chance_of_shift(differences: Sequence[float]) -> float:
    """The chance of differences whose mean is as far above 0, or farther, where there is none on average: the
    one-sided t-test over independent units. 1 below two of them, and where none is above 0; where all are alike and
    above 0, that of so many of one sign."""
    size, mean = len(differences), fmean(differences) if differences else 0.0
    if size < 2 or mean <= 0:
        return 1.0
    spread = stdev(differences)
    signs = 0.5**size
    return max(signs, float(stdtr(size - 1, -mean * size**0.5 / spread))) if spread else signs

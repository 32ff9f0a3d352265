"""Whether one subject is named more than another, beyond chance, in exactly these answers. Pure."""

from scipy.stats import binomtest


def chance_of_lead(alone: int, other_alone: int) -> float:
    """The chance of a lead as large as this, or larger, where both are named alike: of the answers that name one of
    them `alone` name it and `other_alone` the other (the sign test, one-sided, after McNemar 1947).

    It is exact whatever the questions are like, and however often answers name both: where two are alike, an answer
    that names one of them names either with the same chance.
    """
    trials = alone + other_alone
    return float(binomtest(alone, trials, 0.5, alternative="greater").pvalue) if trials else 1.0

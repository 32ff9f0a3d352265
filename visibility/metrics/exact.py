"""Exact tests of counts, for claims that rest on few answers."""

from collections.abc import Iterable
from math import comb

import numpy as np
from scipy.special import bdtrc

from visibility.metrics.counts import Floats
from visibility.metrics.verdicts import holm


def chance_of_fewer(strata: Iterable[tuple[int, int, int, int]]) -> float:
    """The chance that so few hits, or fewer, fall to a part if its answers are like the others of the same question.

    A stratum is a question: (hits of the part, answers of the part, hits of all, answers of all). One-sided, exact
    given how often each question is answered with a hit: Fisher's test for one stratum, Birch's (1964) for several.
    """
    seen, distribution = 0, np.ones(1)
    for hits, answers, all_hits, all_answers in strata:
        seen += hits
        ways = [comb(all_hits, k) * comb(all_answers - all_hits, answers - k) for k in range(answers + 1)]
        total = comb(all_answers, answers)
        distribution = np.convolve(distribution, [way / total for way in ways])
    return float(min(1.0, distribution[: seen + 1].sum()))


def chance_of_lead(more: Floats | int, fewer: Floats | int) -> Floats:
    """The chance that of the answers that name only one of two so many or more name the one, if both are named alike:
    the sign test, one-sided (McNemar 1947). Exact whatever the prompts are like; 1 without such answers."""
    trials = np.asarray(more + fewer)
    return np.where(trials > 0, bdtrc(more - 1, np.maximum(trials, 1).astype(np.int64), 0.5), 1.0)


def adjusted(chances: Iterable[float]) -> list[float]:
    """Each chance under control of any false alarm among all of them (Holm 1979)."""
    return [float(chance) for chance in holm(np.array(list(chances), dtype=np.float64))]

"""Exact tests of counts, for claims that rest on few answers or few units."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from math import comb

import numpy as np
from scipy.special import bdtrc

from visibility.metrics.counts import Floats
from visibility.metrics.multiplicity import holm

Stratum = tuple[int, int, int, int]
TIE = 1e-9
"""Sums that differ by no more than this part are equal but for rounding."""


def chance_of_fewer(strata: Iterable[Stratum]) -> float:
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


def chance_of_signs(parts: Floats) -> Floats:
    """The chance, two-sided, of a sum of `parts` ([..., unit], at most some fifteen units) as far from 0 as theirs if
    each could as well have the other sign: the sign-flip test over all 2ⁿ signs (Fisher 1935, section 21)."""
    reached = np.abs(parts.sum(axis=-1, keepdims=True)) * (1 - TIE)
    return np.asarray((np.abs(parts @ _signs(parts.shape[-1])) >= reached).mean(axis=-1))


@cache
def _signs(units: int) -> Floats:
    """All signs of so many units, [unit, choice]; those of the first are +, as the others could all be turned."""
    return np.array([(1, *rest) for rest in product((1, -1), repeat=units - 1)], dtype=np.float64).T


def chance_of_difference(before: Sequence[tuple[int, int]], after: Sequence[tuple[int, int]], sign: float) -> float:
    """The chance, two-sided by doubling, that hits differ so much in the direction `sign` between two sides whose
    answers to each question, (hits, answers), are alike: Birch's test (1964)."""
    part, other = (after, before) if sign < 0 else (before, after)
    strata = [
        (hits, answers, hits + more, answers + others)
        for (hits, answers), (more, others) in zip(part, other, strict=True)
    ]
    return min(1.0, 2 * chance_of_fewer(strata))


def adjusted(chances: Iterable[float]) -> list[float]:
    """Each chance under control of any false alarm among all of them (Holm 1979)."""
    return [float(chance) for chance in holm(np.array(list(chances), dtype=np.float64))]

"""Other ways to tell how early a subject is named, beside prominence: reciprocal rank, the first three, mean rank."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.cells import Weighting, gather
from visibility.metrics.intervals import mean_interval, rate_interval
from visibility.metrics.table import Flags, Floats, Table
from visibility.metrics.types import Estimate

LEADING = 3


@dataclass(frozen=True, slots=True)
class RankFigures:
    """`mean_reciprocal_rank`: the mean over all answers of 1/rank, 0 where the subject is absent. `top_three`: how
    often it is among the first three named, a rate like the score. Both in percent with their topic intervals.

    Answers that name it without a rank that can be told count for neither. `mean_rank` is over the `ranked` of the
    `mentions` answers that name it, of several engines the mean of theirs; it says nothing without that number
    beside it.
    """

    mean_reciprocal_rank: Estimate
    top_three: Estimate
    mean_rank: float | None
    mentions: int
    ranked: int


def rank_figures(table: Table, engines: Flags) -> list[RankFigures]:
    """The figures of each subject of the table over the chosen engines, which count alike.

    Prompts that name the subject are left out.
    """
    ranks = table.ranks
    unbranded = engines[table.engine][:, None] & ~table.named
    rows = unbranded & table.ranked
    leading = ((ranks > 0) & (ranks <= LEADING)).astype(np.float64)
    reciprocal = np.divide(1.0, ranks, out=np.zeros_like(ranks), where=ranks > 0)
    top_three, mean = gather(table, leading, rows), gather(table, reciprocal, rows, Weighting.ANSWERS)
    figures = zip(
        mean_interval(mean).estimates(mean.value), rate_interval(top_three).estimates(top_three.value), strict=True
    )
    ranked = rows & (ranks > 0)
    return [
        RankFigures(
            *estimates,
            _mean_rank(table, ranks[:, column], ranked[:, column]),
            int((unbranded[:, column] & (table.mentioned[:, column] > 0)).sum()),
            int(ranked[:, column].sum()),
        )
        for column, estimates in enumerate(figures)
    ]


def _mean_rank(table: Table, ranks: Floats, ranked: Flags) -> float | None:
    """The mean over the engines that rank the subject of their mean ranks."""
    means = [ranks[ranked & (table.engine == number)] for number in np.unique(table.engine[ranked])]
    return float(np.mean([of_engine.mean() for of_engine in means])) if means else None

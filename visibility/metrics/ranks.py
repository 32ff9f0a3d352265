"""Other ways to tell how early a subject is named, beside prominence: reciprocal rank, the first three, mean rank."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.cells import Cells, Weighting, gather
from visibility.metrics.correlation import cautious, correlation, pooled, sums_of_squares
from visibility.metrics.intervals import Interval, design_size, student_interval, topic_interval
from visibility.metrics.table import Flags, Floats, Table
from visibility.metrics.types import UNMEASURED, Estimate

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
    reciprocal = np.divide(1.0, ranks, out=np.zeros_like(ranks), where=ranks > 0)
    leading = ((ranks > 0) & (ranks <= LEADING)).astype(np.float64)
    chosen = engines[table.engine]
    rows = [chosen & ~table.named[:, column] & table.ranked[:, column] for column in range(ranks.shape[1])]
    rates = [gather(table, leading[:, column], of_subject) for column, of_subject in enumerate(rows)]
    sums = [sums_of_squares(cells) if cells else None for cells in rates]
    shared = correlation(pooled(sums))
    figures = []
    for column, (rate, own) in enumerate(zip(rates, sums, strict=True)):
        means = gather(table, reciprocal[:, column], rows[column], Weighting.ANSWERS)
        alike = cautious(correlation(own), shared)
        ranked = rows[column] & (ranks[:, column] > 0)
        mentions = chosen & ~table.named[:, column] & (table.mentioned[:, column] > 0)
        figures.append(
            RankFigures(
                _estimate(means, student_interval(means, design_size(means, 1.0, 1.0)) if means else None),
                _estimate(rate, topic_interval(rate, *alike) if rate else None),
                _mean_rank(table, ranks[:, column], ranked),
                int(mentions.sum()),
                int(ranked.sum()),
            )
        )
    return figures


def _mean_rank(table: Table, ranks: Floats, ranked: Flags) -> float | None:
    """The mean over the engines that rank the subject of their mean ranks."""
    means = [ranks[ranked & (table.engine == number)] for number in np.unique(table.engine[ranked])]
    return float(np.mean([of_engine.mean() for of_engine in means])) if means else None


def _estimate(cells: Cells | None, interval: Interval | None) -> Estimate:
    if cells is None:
        return UNMEASURED
    low, high = interval or (None, None)
    return Estimate(100 * cells.value, low if low is None else 100 * low, high if high is None else 100 * high)

"""Other ways to tell how early a subject is named, beside prominence: reciprocal rank, the first three, mean rank."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visibility.metrics.cells import Cells, Weighting, gather
from visibility.metrics.correlation import cautious, correlation, pooled, sums_of_squares
from visibility.metrics.intervals import Interval, design_size, student_interval, topic_interval
from visibility.metrics.table import tabulate
from visibility.metrics.types import UNMEASURED, AnswerOutcome, Estimate

LEADING = 3


@dataclass(frozen=True, slots=True)
class RankFigures:
    """`mean_reciprocal_rank`: the mean over all answers of 1/rank, 0 where the subject is absent. `top_three`: how
    often it is among the first three named, a rate like the score. Both in percent with their topic intervals.

    `mean_rank` is over the `mentions` answers that name it, and says nothing without that number beside it.
    """

    mean_reciprocal_rank: Estimate
    top_three: Estimate
    mean_rank: float | None
    mentions: int


def rank_figures(outcomes: Sequence[AnswerOutcome], subjects: Sequence[str]) -> dict[str, RankFigures]:
    """The figures of each subject over all engines of the outcomes, which count alike.

    Prompts that name the subject are left out. The order of neither outcomes nor subjects matters.
    """
    ordered = sorted(set(subjects))
    table = tabulate(outcomes, ordered)
    ranks = table.ranks
    reciprocal = np.divide(1.0, ranks, out=np.zeros_like(ranks), where=ranks > 0)
    leading = ((ranks > 0) & (ranks <= LEADING)).astype(np.float64)
    columns = range(len(ordered))
    rows = [~table.named[:, column] for column in columns]
    rates = [gather(table, leading[:, column], rows[column]) for column in columns]
    sums = [sums_of_squares(cells) if cells else None for cells in rates]
    shared = correlation(pooled(sums))
    figures = {}
    for column, subject in enumerate(ordered):
        means = gather(table, reciprocal[:, column], rows[column], Weighting.ANSWERS)
        rate, alike = rates[column], cautious(correlation(sums[column]), shared)
        named = ranks[rows[column], column]
        named = named[named > 0]
        figures[subject] = RankFigures(
            _estimate(means, student_interval(means, design_size(means, 1.0, 1.0)) if means else None),
            _estimate(rate, topic_interval(rate, *alike) if rate else None),
            float(named.mean()) if len(named) else None,
            len(named),
        )
    return figures


def _estimate(cells: Cells | None, interval: Interval | None) -> Estimate:
    if cells is None:
        return UNMEASURED
    low, high = interval or (None, None)
    return Estimate(100 * cells.value, low if low is None else 100 * low, high if high is None else 100 * high)

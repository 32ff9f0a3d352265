"""Faults in intervals: what makes them narrower than the truth allows, and what is told where there is none."""

from tests.mutants.harness import Fault

_SIMULATED = ("tests/measurement/test_coverage.py",)
_BY_HAND = ("tests/measurement/test_metrics.py",)

INTERVALS = (
    Fault(
        "interval: wordings of a topic count as independent",
        "visibility/metrics/intervals.py",
        "topic_correlation * (by_topic**2).sum(axis=-1)",
        "0 * (by_topic**2).sum(axis=-1)",
        _SIMULATED,
    ),
    Fault(
        "interval: the likeness is a subject's own, not the larger of it and that of all",
        "visibility/metrics/correlation.py",
        "return cautious(correlation(sums), correlation(pooled(sums)))",
        "return cautious(correlation(sums), correlation(sums))",
        _BY_HAND,
    ),
    Fault(
        "interval: one brand without rivals is believed after a single mention",
        "visibility/metrics/correlation.py",
        "np.minimum(1.0, (MIN_TELLING / np.maximum(telling, 1.0)) ** 2)",
        "0 * telling",
        _SIMULATED,
    ),
    Fault(
        "interval: skewed values are believed after a few answers",
        "visibility/metrics/intervals.py",
        "(telling * larger + PRIOR) / (telling + PRIOR)",
        "larger",
        _SIMULATED,
    ),
    Fault(
        "interval: a share of voice of few mentions shows its own variance only",
        "visibility/metrics/share_of_voice.py",
        "np.where(variance > 0, np.minimum(size, common), size)",
        "size",
        _SIMULATED,
    ),
    Fault(
        "interval: an engine that answers once varies as little as one prompt does",
        "visibility/metrics/intervals.py",
        "of_thin = np.maximum(pooled, of_thin)",
        "of_thin = pooled",
        (*_SIMULATED, *_BY_HAND),
    ),
    Fault(
        "interval: one prompt that was asked once voids the panel interval",
        "visibility/metrics/intervals.py",
        "once = freedom <= 0",
        "once = (cells.answers == 1).any(axis=(-2, -1))",
        _BY_HAND,
    ),
    Fault(
        "interval: two topics are enough",
        "visibility/metrics/intervals.py",
        "MIN_TOPICS = 4",
        "MIN_TOPICS = 2",
        _BY_HAND,
    ),
    Fault(
        "interval: it dips near 0 and 1",
        "visibility/metrics/intervals.py",
        "np.where(successes > MAX_FEW, np.inf,",
        "np.where(successes > 0, np.inf,",
        _BY_HAND,
    ),
    Fault(
        "interval: the reason of none is not told",
        "visibility/metrics/intervals.py",
        "return Estimate(100 * value, reason=self.reason.value)",
        "return Estimate(100 * value)",
        _BY_HAND,
    ),
    Fault(
        "interval: few topics show a percentage alone",
        "visibility/pages/present/figure_rows.py",
        "if figures.score.value is None or figures.score.low is not None:",
        "if figures:",
        ("tests/pages/test_figures.py",),
    ),
    Fault(
        "a mention without a rank counts as absent for prominence",
        "visibility/metrics/measure.py",
        "gather(table, table.prominence, rows & table.ranked, Weighting.ANSWERS)",
        "gather(table, table.prominence, rows, Weighting.ANSWERS)",
        _BY_HAND,
    ),
    Fault(
        "a mention without a rank counts as absent for the first three",
        "visibility/metrics/ranks.py",
        "rows = unbranded & table.ranked",
        "rows = unbranded",
        ("tests/measurement/test_ranks.py",),
    ),
)

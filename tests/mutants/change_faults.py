"""Faults of what is said of change: the family, confirmed moves, the monitor, the smallest visible change."""

from tests.mutants.harness import Fault

DEVELOPMENT = ("tests/measurement/test_change_development.py",)
SIMULATION = ("tests/measurement/test_change_simulation.py",)

CHANGES = (
    Fault(
        "the brand's own score is one of the family",
        "visibility/metrics/verdicts.py",
        "adjusted: Floats = np.where(own, of_line, rest)",
        "adjusted: Floats = rest if not own.all() else of_line",
        DEVELOPMENT,
    ),
    Fault(
        "three comparisons of a line are as many chances to be wrong",
        "visibility/metrics/verdicts.py",
        "of_line = _holm(p)",
        "of_line = p",
        DEVELOPMENT,
    ),
    Fault(
        "any comparison of a selected line has moved",
        "visibility/metrics/verdicts.py",
        "factor * np.maximum(values[..., None], ordered)",
        "factor * ordered",
        DEVELOPMENT,
    ),
    Fault(
        "pooled days count by their answers",
        "visibility/metrics/changes/series.py",
        "[values / np.maximum(day.answers, 1.0)[..., None] for values in (day.mentioned, day.cited)]",
        "[values for values in (day.mentioned, day.cited)]",
        DEVELOPMENT,
    ),
    Fault(
        "days that did not ask a prompt count as days without a mention",
        "visibility/metrics/changes/series.py",
        "known = [(day.answers > 0).astype(np.float64) for day in self.days]",
        "known = [np.ones_like(day.answers) for day in self.days]",
        DEVELOPMENT,
    ),
    Fault(
        "one day alone confirms a move",
        "visibility/metrics/changes/confirming.py",
        "(move != 0) & (move == after) & (move == now)",
        "move != 0",
        DEVELOPMENT,
    ),
    Fault(
        "the days after a move confirm it as their own",
        "visibility/metrics/changes/confirming.py",
        "latest - 2 * MAX_POOLED",
        "latest - MAX_POOLED",
        DEVELOPMENT,
    ),
    Fault(
        "two days before are enough to confirm",
        "visibility/metrics/changes/confirming.py",
        "    if move < MIN_POOLED:",
        "    if move < MIN_POOLED - 1:",
        DEVELOPMENT,
    ),
    Fault(
        "the monitor takes each look for its only one",
        "visibility/metrics/changes/monitor.py",
        "LEVEL = 0.0007\n",
        "LEVEL = 0.05\n",
        SIMULATION,
    ),
    Fault(
        "a day shows a move at 5 %",
        "visibility/metrics/changes/confirming.py",
        "LEVEL = 0.01\n",
        "LEVEL = 0.05\n",
        SIMULATION,
    ),
    Fault(
        "the day that is furthest back is held against",
        "visibility/metrics/changes/developing.py",
        "spans[span] = fitting[-1]",
        "spans[span] = fitting[0]",
        DEVELOPMENT,
    ),
    Fault(
        "a change has the variance of none",
        "visibility/metrics/detectable.py",
        "rest = contrast.room**2 - factor * contrast.bend",
        "rest = contrast.room**2",
        SIMULATION,
    ),
    Fault(
        "the smallest change takes a variance for known",
        "visibility/metrics/detectable.py",
        "factor = noncentrality**2 * freedom / chdtri(freedom, 0.5)",
        "factor = (1.96 + Z)**2",
        ("tests/measurement/test_change.py",),
    ),
)

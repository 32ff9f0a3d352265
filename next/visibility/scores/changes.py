"""Changes: what is said of a day's score beside the measured day before it."""

from datetime import date

from visibility.metrics import Counts, Metric, Verdict, compare
from visibility.scores.days import BRAND, DayCounts

ASKED_AGAIN = 0.8
"""Two days are comparable when at least this part of the earlier day's prompts was asked again."""


def is_comparable(before: DayCounts, after: DayCounts) -> bool:
    """Whether the same engines were asked mostly the same prompts."""
    asked, again = _prompts(before.counts), _prompts(after.counts)
    return before.engines == after.engines and len(asked & again) >= ASKED_AGAIN * len(asked)


def stored_change(since: date, before: DayCounts, after: DayCounts) -> dict[str, object]:
    """The change of the brand's score over engines by the names of the API, on the prompts that both days asked."""
    own = next(
        (
            change
            for change in compare(before.counts, after.counts)
            if (change.subject, change.engine, change.metric) == (BRAND, None, Metric.SCORE)
        ),
        None,
    )
    verdict = own.verdict if own and is_comparable(before, after) else Verdict.NOT_COMPARABLE
    return {
        "from": since.isoformat(),
        "delta": _rounded(own.delta) if own else None,
        "low": _rounded(own.low) if own else None,
        "high": _rounded(own.high) if own else None,
        "verdict": verdict,
        "minimumDetectable": _rounded(own.minimum_detectable) if own else None,
    }


def _prompts(counts: Counts) -> set[object]:
    return set(counts.prompts)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2) + 0.0

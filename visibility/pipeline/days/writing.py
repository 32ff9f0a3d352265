"""What is said of changes as a daily score keeps it: rounded, in plain values."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from visibility.measured.stored import Cause, ChangeFigures, Confirmation, MetricChange, Monitor
from visibility.metrics.change import Change
from visibility.metrics.development import Confirmed, Raised
from visibility.metrics.types import rounded
from visibility.metrics.verdicts import Verdict
from visibility.pipeline.days.developing import Finding
from visibility.pipeline.days.panels import Why


def figures_since(day: date, change: Change | None) -> dict[str, Any]:
    """The fields of a `ChangeFigures`; without a change they say that there is none to tell."""
    names = ("delta", "low", "high", "minimum_detectable")
    return {
        "since": day,
        "interval": change.interval if change else None,
        "verdict": (change.verdict if change else Verdict.NOT_COMPARABLE).value,
        **{name: rounded(getattr(change, name)) if change else None for name in names},
    }


def span_of(change: Change | None, since: date | None) -> ChangeFigures | None:
    """The change since a week or a month before; None where no comparable day lies there."""
    return ChangeFigures(**figures_since(since, change)) if change and since else None


def confirmation_of(confirmed: Confirmed) -> Confirmation:
    """As it is kept."""
    return Confirmation(
        state=confirmed.state.value,
        moved_on=confirmed.moved_on,
        pooled_days=confirmed.pooled_days,
        delta=rounded(confirmed.delta),
        low=rounded(confirmed.low),
        high=rounded(confirmed.high),
    )


def monitor_of(raised: Raised) -> Monitor:
    """As it is kept."""
    return Monitor(
        raised=raised.is_raised,
        looks=raised.looks,
        since=raised.since,
        delta=rounded(raised.delta),
        low=rounded(raised.low),
        high=rounded(raised.high),
    )


def metric_change_of(finding: Finding) -> MetricChange:
    """One of a day's changes by metric and engine."""
    development, change = finding.development, finding.development.change
    return MetricChange(
        engine=change.engine,
        metric=change.metric.value,
        p=change.p and round(change.p, 6),
        adjusted_p=change.adjusted_p and round(change.adjusted_p, 6),
        week=span_of(development.week, development.week_since),
        month=span_of(development.month, development.month_since),
        confirmation=confirmation_of(development.confirmed),
        monitor=monitor_of(development.monitor),
        **figures_since(finding.since, change),
    )


def kept(reasons: Sequence[Why]) -> list[Cause]:
    """Causes as they are kept."""
    return [Cause(reason.code.value, reason.message) for reason in reasons]

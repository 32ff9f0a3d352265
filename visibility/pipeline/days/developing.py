"""What the days before say of a day's figures: of each figure against the days that can be compared with it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from visibility.metrics.change import Metric
from visibility.metrics.changes.developing import develop
from visibility.metrics.development import Development
from visibility.pipeline.days.history import WINDOW, History, MeasuredDay, narrowed

Figure = tuple[str, str | None, Metric]
"""Subject, engine (None over engines) and metric."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is said of a figure; `since` is the day that it is compared with first, the latest comparable one."""

    since: date
    development: Development


def develop_day(history: History, today: MeasuredDay, before: Sequence[MeasuredDay]) -> dict[Figure, Finding]:
    """What is said of each figure of a day; `before` are the measured days before it, oldest first.

    The figures over engines are compared with the days of a like panel. An engine's own are compared with the days on
    which it was asked alike, also where others came or went since; engines with the same days are one family.
    """
    if today.content is None:
        return {}
    overall = comparable_days(history, today, before)
    by_days: dict[tuple[MeasuredDay, ...], set[str]] = defaultdict(set)
    for engine in sorted(today.engines):
        by_days[comparable_days(history, today, before, engine)].add(engine)
    findings: dict[Figure, Finding] = {}
    for days in dict.fromkeys([overall, *by_days]):
        if days:
            own_engines = by_days.get(days, set())
            findings |= _family(history, today, days, own_engines, over_engines=days == overall)
    return findings


def comparable_days(
    history: History, today: MeasuredDay, before: Sequence[MeasuredDay], engine: str | None = None
) -> tuple[MeasuredDay, ...]:
    """The days before that the figures over engines, or those of one engine, can be compared with: those of the last
    eight weeks, or else the latest of all."""
    if engine is None:
        days = [day for day in before if not history.causes(day, today)]
    else:
        days = [day for day in before if engine in day.engines and not history.engine_causes(day, today, engine)]
    return tuple(day for day in days if today.day - day.day <= WINDOW) or tuple(days[-1:])


def _family(
    history: History, today: MeasuredDay, days: Sequence[MeasuredDay], own_engines: set[str], *, over_engines: bool
) -> Mapping[Figure, Finding]:
    """The figures of these engines, and those over engines where these are their days, too."""
    now = history.counts(today.day)
    engines = own_engines | (now.averaged if over_engines else set())
    averaged = now.averaged if over_engines else frozenset[str]()
    earlier = [history.counts(day.day) for day in days]
    developments = develop(
        narrowed(now, engines, averaged),
        [narrowed(counts, engines, counts.averaged if over_engines else averaged) for counts in earlier],
    )
    return {
        (change.subject, change.engine, change.metric): Finding(days[-1].day, development)
        for development in developments
        if (change := development.change).engine in own_engines or (change.engine is None and over_engines)
    }

"""The development of each figure on a day: against the day before, by confirmed moves, and by the monitor.

A day's own verdict is only a note at its point; it is a change where it is confirmed, or the monitor is raised."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np

from visibility.metrics.change import Change, Index, changes, own_test, places
from visibility.metrics.contrasts import Metric, family_contrast
from visibility.metrics.counts import Counts, Floats, Key, optional
from visibility.metrics.luck import with_luck
from visibility.metrics.moves import MAX_POOLED, before, confirm, is_back, is_raised, trace
from visibility.metrics.series import Series, arrange
from visibility.metrics.verdicts import interval, judge

MIN_SINCE = 4
"""The fewest days since a change began, the first included, on which it can be called recovered."""


@dataclass(frozen=True, slots=True)
class Move:
    """A change in points of the days from `since` on, with its interval: of a confirmed move against the `pooled`
    days before it (95 %), of the monitor against up to 28 days before (99.93 %)."""

    since: date
    pooled: int
    delta: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Development:
    """The development of one figure on one day: its change, a confirmed move, and the one that raised the monitor."""

    change: Change
    confirmed: Move | None
    raised: Move | None

    @property
    def reported(self) -> Move | None:
        """What may be called a change: the confirmed move, else the one that raised the monitor."""
        return self.confirmed or self.raised


def develop(days: Mapping[date, Counts]) -> list[Development]:
    """The development of each figure on the last of these comparable days, of which at most 56 before it matter.

    The figures are those of `compare` for the last day and the day before it. Empty with fewer than two days, and
    where these two share no engine or subject.
    """
    dates, series = _arranged(days)
    if series is None:
        return []
    pair = series.pair(*series.days[-2:])
    own, contrast = own_test(pair), family_contrast(pair)
    confirmed, raised = confirm(series, own), is_raised(series, own)
    traced = trace(series) if raised.any() else None
    since = {int(day): _since(series, int(day)) for day in np.unique(confirmed) if day >= 0}

    def move(index: Index) -> Move | None:
        began = int(confirmed[index])
        return _move(dates, began, min(began, MAX_POOLED), since[began], index) if began >= 0 else None

    def raising(index: Index) -> Move | None:
        if traced is None or not raised[index]:
            return None
        began = int(traced.began[index])
        return _move(dates, began, began, (traced.delta, traced.low, traced.high), index)

    listed = changes(pair, contrast, judge(contrast, own))
    return [
        Development(change, move(index), raising(index))
        for change, (index, *_) in zip(listed, places(pair), strict=True)
    ]


def has_recovered(days: Mapping[date, Counts], since: date, engine: Key | None = None) -> bool:
    """Whether the brand's score, over engines or of one, is back on the last two days where it was before `since`,
    the day on which a change began. To be asked on each measured day since: a change that recovered stays so."""
    dates, series = _arranged(days)
    began = next((place for place, day in enumerate(dates) if day >= since), len(dates))
    if series is None or began < 1 or len(dates) - began < MIN_SINCE:
        return False
    back = is_back(series, began)
    return any(
        bool(back[index])
        for index, subject, name, metric in places(series.pair(*series.days[-2:]))
        if (subject, name, metric) == (series.subjects[0], engine, Metric.SCORE)
    )


def _arranged(days: Mapping[date, Counts]) -> tuple[list[date], Series | None]:
    """The days of the series, and the series with an estimate of the luck of days; None below two usable days."""
    dates = sorted(days)
    if len(dates) < 2:
        return dates, None
    series = arrange([days[day] for day in dates])
    if not (series.engines and series.subjects):
        return dates, None
    return [dates[place] for place in series.places], with_luck(series)


def _since(series: Series, day: int) -> tuple[Floats, Floats, Floats]:
    contrast = family_contrast(series.pair(before(series, day), series.pooled(day, series.size)))
    return contrast.delta, *interval(contrast)


def _move(dates: list[date], began: int, pooled: int, values: tuple[Floats, Floats, Floats], index: Index) -> Move:
    delta, low, high = (optional(float(part[index]), 100) for part in values)
    return Move(dates[began], pooled, delta, low, high)

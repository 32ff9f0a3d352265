"""What is said of each figure on a day: against the days before, whether it is confirmed, and by the monitor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from visibility.metrics.change import Change, Index, Metric, family_contrast, figure, own_figures, places, points
from visibility.metrics.changes.confirming import Moves, confirm, since
from visibility.metrics.changes.day_effects import with_day_effects
from visibility.metrics.changes.monitor import Trace, trace, watch
from visibility.metrics.changes.series import Series, arrange
from visibility.metrics.contrasts import Contrast
from visibility.metrics.development import (
    DISTANCES,
    MAX_POOLED,
    MIN_POOLED,
    Confirmation,
    Confirmed,
    Development,
    Raised,
    Span,
)
from visibility.metrics.pairs import DayCounts, Pair
from visibility.metrics.table import Flags, Floats
from visibility.metrics.verdicts import Judgement, Verdict, judge_together


def develop(today: DayCounts, before: Sequence[DayCounts]) -> list[Development]:
    """What is said of each figure of `today`. `before` are the comparable measured days, oldest first, at most 56
    days back; the last is the measured day before where that is comparable. Empty without any, and where it shares
    no engine or subject.

    The figures are those of `compare` for today and the last day before: one family, of the subjects that both count.
    Where a week or a month back lies the same day as the day before, it is one test and told under each.
    """
    series = arrange(today, before) if before else None
    if series is None or not (series.engines and series.subjects):
        return []
    series = with_day_effects(series)
    pair = series.pair(series.days[-2], series.days[-1])
    own = own_figures(pair)
    spans = _spans(series.dates)
    contrasts = {
        place: family_contrast(series.pair(series.days[place], series.days[-1])) for place in {*spans.values()}
    }
    judged = dict(zip(contrasts, judge_together([*contrasts.values()], own), strict=True))
    moves, raised = confirm(series, own), watch(series, own)
    traced = trace(series) if raised.any() else None
    story = _Story(series, pair, spans, contrasts, judged, moves, _changes_since(series, moves), raised, traced)
    figures = [story.development(*place) for place in places(pair)]
    if pair.lone:
        figures += [_renamed(item, pair.lone) for item in figures if item.change.engine is None]
    return figures


@dataclass(frozen=True, slots=True)
class _Story:
    """All that was reckoned of a family on a day. `spans` are the places of the days that it is held against,
    `contrasts` and `judgements` by these places, `since` the changes from each day on which a move began."""

    series: Series
    pair: Pair
    spans: Mapping[Span, int]
    contrasts: Mapping[int, Contrast]
    judgements: Mapping[int, Judgement]
    moves: Moves
    since: Mapping[int, tuple[Floats, Floats, Floats]]
    raised: Flags
    traced: Trace | None

    def development(self, index: Index, subject: str, engine: str | None, metric: Metric) -> Development:
        """What is said of one figure."""
        changes = {
            span: figure(self.pair, self.contrasts[place], self.judgements[place], index, subject, engine, metric)
            for span, place in self.spans.items()
        }
        dates = {span: self.series.dates[place] for span, place in self.spans.items()}
        return Development(
            change=changes[Span.DAY],
            week=changes.get(Span.WEEK),
            week_since=dates.get(Span.WEEK),
            month=changes.get(Span.MONTH),
            month_since=dates.get(Span.MONTH),
            confirmed=self._confirmed(index, changes[Span.DAY]),
            monitor=self._raised(index),
        )

    def _confirmed(self, index: Index, change: Change) -> Confirmed:
        latest = self.series.size - 1
        began = int(self.moves.began[index])
        if began >= 0:
            delta, low, high = (points(values, index) for values in self.since[began])
            return Confirmed(Confirmation.CONFIRMED, self.series.dates[began], _pooled(began), delta, low, high)
        if self.moves.is_open[index]:
            return Confirmed(Confirmation.OPEN, self.series.dates[latest], _pooled(latest))
        if self.moves.is_refuted[index]:
            return Confirmed(Confirmation.NOT_CONFIRMED, self.series.dates[latest - 1], _pooled(latest - 1))
        if change.verdict == Verdict.MOVED:
            state = Confirmation.TOO_FEW_DAYS if latest < MIN_POOLED else Confirmation.NOT_CONFIRMED
            return Confirmed(state, self.series.dates[latest], _pooled(latest))
        return Confirmed(Confirmation.NONE)

    def _raised(self, index: Index) -> Raised:
        if self.traced is None or not self.raised[index]:
            return Raised(False, self.series.size)
        began = self.series.dates[int(self.traced.began[index])]
        delta, low, high = (
            points(values, index) for values in (self.traced.delta, self.traced.low, self.traced.high)
        )
        return Raised(True, self.series.size, began, delta, low, high)


def _spans(dates: Sequence[date]) -> dict[Span, int]:
    """The places of the days that the last one is held against."""
    today = dates[-1]
    spans = {Span.DAY: len(dates) - 2}
    for span, (least, most) in DISTANCES.items():
        fitting = [place for place, day in enumerate(dates) if least <= (today - day).days <= most]
        if fitting:
            spans[span] = fitting[-1]
    return spans


def _changes_since(series: Series, moves: Moves) -> dict[int, tuple[Floats, Floats, Floats]]:
    return {day: since(series, day) for day in {*moves.began.flat} if day >= 0}


def _pooled(day: int) -> int:
    """How many days before a day are pooled."""
    return min(day, MAX_POOLED)


def _renamed(item: Development, engine: str) -> Development:
    day, week, month = (
        None if change is None else replace(change, engine=engine) for change in (item.change, item.week, item.month)
    )
    return replace(item, change=day or item.change, week=week, month=month)

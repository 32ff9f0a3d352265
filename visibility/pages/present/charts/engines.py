"""Small multiples: one chart for each engine, all on one axis and over the same days, to be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from visibility.pages.present.charts.axes import fitted_axis, span_of
from visibility.pages.present.charts.frames import Frame
from visibility.pages.present.charts.series import Measurement, Series
from visibility.pages.present.charts.trend import TrendChart, trend_chart

PANEL = Frame(340, 220, ticks=1)


@dataclass(frozen=True, slots=True)
class EnginePanel:
    """One engine: its key, its name, its chart, and its latest measured day (None: none of these days)."""

    key: str
    name: str
    chart: TrendChart
    latest: Measurement | None


def engine_panels(engines: Sequence[Series], *, frame: Frame = PANEL) -> tuple[EnginePanel, ...]:
    """A panel for each of these series; those without any measured day last, in their order."""
    measured = [series for series in engines if series.measured]
    if not measured:
        return ()
    days = [day for series in measured for day in series.measured]
    axis = fitted_axis([value for day in days for value in (day.value, day.low, day.high)])
    span = span_of([[day.day for day in days]])
    return tuple(
        EnginePanel(
            series.key,
            series.name,
            trend_chart(series, frame=frame, axis=axis, span=span),
            series.measured[-1] if series.measured else None,
        )
        for series in sorted(engines, key=lambda series: not series.measured)
    )

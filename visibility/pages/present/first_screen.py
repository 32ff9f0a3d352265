"""What the first screen of a brand tells beside the score: which engine names it least, where it is weak and strong,
whether everything runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.formats import date_format

from brands.models import Brand
from visibility.engines.display import display_name
from visibility.measured.ages import age
from visibility.metrics.shown import shown
from visibility.pages.present.answers import CLASSES
from visibility.pages.present.charts.axes import fitted_axis, span_of
from visibility.pages.present.charts.series import Series
from visibility.pages.present.charts.sparkline import Sparkline, sparkline
from visibility.resources.brands import RunResource
from visibility.resources.now import EngineNow, NowItem
from visibility.services.overview.cited import Cited, CitedSite
from visibility.services.overview.page import TopicRow

MAX_ENGINES = 4
TOPICS_AT_EACH_END = 2
LATE = timedelta(hours=2)
"""So long after its time a scan that has not started is called late."""


@dataclass(frozen=True, slots=True)
class EngineLine:
    """One engine: its key, what people call it, its latest figure with the interval, and its small trend."""

    key: str
    name: str
    figure: str
    interval: str
    spark: Sparkline


@dataclass(frozen=True, slots=True)
class EngineLines:
    """The engines, the lowest score first, `more` beyond those; `words` say what may be made of that order."""

    lines: Sequence[EngineLine]
    more: int
    words: str


def engine_lines(now: NowItem, series: Sequence[Series]) -> EngineLines:
    """Those with a score now; all small trends on one axis and over the same days."""
    scored = sorted(
        (row for row in now.engines if row.score is not None), key=lambda row: (row.score or 0.0, row.engine)
    )
    by_key = {one.key: one for one in series if one.measured}
    days = [day for one in by_key.values() for day in one.measured]
    axis = fitted_axis([value for day in days for value in (day.value, day.low, day.high)])
    span = span_of([[day.day for day in days]]) if days else None
    lines = [
        EngineLine(
            row.engine,
            display_name(row.engine),
            f"{shown(row.score or 0.0)} %",
            "" if row.low is None or row.high is None else f"{shown(row.low, 0)} to {shown(row.high, 0)}",
            sparkline(by_key[row.engine].days if row.engine in by_key else (), axis=axis, span=span),
        )
        for row in scored[:MAX_ENGINES]
    ]
    return EngineLines(lines, len(scored) - len(lines), _lowest(scored))


def _lowest(scored: Sequence[EngineNow]) -> str:
    if not scored:
        return "No engine has a score now."
    first, *others = scored
    name = display_name(first.engine)
    if not others:
        return f"{name} alone is measured."
    if (first.score or 0.0) == (others[-1].score or 0.0):
        return "All name you equally often."
    lows = [row.low for row in others if row.low is not None]
    if first.high is not None and len(lows) == len(others) and first.high < min(lows):
        return f"{name}, beyond chance: intervals lie apart."
    return f"{name}, but it may be chance: intervals overlap."


@dataclass(frozen=True, slots=True)
class SiteLine:
    """A cited site with what kind it is, in words."""

    domain: str
    kind: str
    answers: int
    named: int


@dataclass(frozen=True, slots=True)
class SiteLines:
    """The sites that most answers cite, and the one that names the brand least."""

    top: Sequence[SiteLine]
    least: SiteLine | None


def site_lines(cited: Cited) -> SiteLines:
    """The class of each in the words of all pages."""
    return SiteLines([_site(site) for site in cited.top], _site(cited.least) if cited.least else None)


def _site(site: CitedSite) -> SiteLine:
    return SiteLine(site.domain, CLASSES[site.cls.value], site.answers, site.named)


@dataclass(frozen=True, slots=True)
class TopicEnds:
    """The topics on which the brand stands worst and best, no topic at both ends."""

    weakest: Sequence[TopicRow]
    strongest: Sequence[TopicRow]


def topic_ends(topics: Sequence[TopicRow]) -> TopicEnds:
    """The weakest are those where a rival is furthest ahead, the strongest those where the brand is; of equal ones
    those that name it least, and most."""
    rows = sorted(topics, key=lambda row: (-row.lead, row.own.score or 0.0))
    most = min(TOPICS_AT_EACH_END, len(rows) // 2)
    strongest = list(reversed(rows[len(rows) - max(most, 1) :]))
    return TopicEnds(rows[:most], strongest)


@dataclass(frozen=True, slots=True)
class Pulse:
    """When the brand was measured last (`ago`: how long that is, where it is long), when the next scan starts, and
    what is broken (empty: nothing)."""

    measured: str
    ago: str
    coming: str
    broken: str


def pulse_of(brand: Brand, now: NowItem, runs: Sequence[RunResource], at: datetime) -> Pulse:
    """By the runs of the brand, newest first."""
    scans = [run for run in runs if run.kind == "visibility"]
    latest = scans[0] if scans else None
    coming = "no scan is planned"
    if latest and latest.finished_at is None:
        coming = f"a scan is under way ({shown(latest.progress.percent, 0)} %)"
    elif brand.next_run_at:
        coming = f"next scan {date_format(brand.next_run_at, 'DATETIME_FORMAT')}"
    broken = ""
    if latest and latest.status == "failed":
        reason = f": {latest.error.message}" if latest.error else ""
        broken = f"The latest scan failed{reason}"
    elif brand.next_run_at and brand.next_run_at + LATE < at:
        broken = "The next scan is late: it should have started"
    ago = age(now.date, now.date, at.date()).removeprefix("measured ")
    return Pulse(f"Measured {date_format(now.date)}", ago, coming, broken)

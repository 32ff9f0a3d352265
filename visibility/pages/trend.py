"""The line of the overview: which figure, over which days, of which topic and AI engine."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from brands.models import Brand
from visibility.counts.words import FEW_TOPICS, engine_name
from visibility.models import ChangeRecord, Topic
from visibility.overview.line import Point, line_of, line_of_part
from visibility.pages import charts
from visibility.scores.change_reads import score_change_reported_on


class Period(NamedTuple):
    """How far back a line goes; None: to the first day."""

    name: str
    days: int | None


PERIODS = {
    "42": Period("Last 6 weeks", 42),
    "14": Period("Last 2 weeks", 14),
    "180": Period("Last 6 months", 180),
    "all": Period("All days", None),
}
FIGURES = {
    "score": ("Mentioned", "score", "low", "high"),
    "voice": ("Share of voice", "shareOfVoice", "shareOfVoiceLow", "shareOfVoiceHigh"),
    "cited": ("Your site cited", "citationRate", "citationRateLow", "citationRateHigh"),
    "prominence": ("Prominence", "prominence", "prominenceLow", "prominenceHigh"),
}
FIRST_PERIOD, FIRST_FIGURE = next(iter(PERIODS)), next(iter(FIGURES))


@dataclass(frozen=True, slots=True)
class Choice:
    """What an address of the overview chooses."""

    topic: Topic | None
    engine: str | None
    figure: str
    period: str

    @property
    def is_whole(self) -> bool:
        """Whether all topics and AI engines are counted."""
        return self.topic is None and self.engine is None

    @property
    def filters(self) -> dict[str, str]:
        """The same by the names of an address; what is so without being chosen is left out."""
        chosen = {
            "topic": str(self.topic.pk) if self.topic else "",
            "engine": self.engine or "",
            "figure": "" if self.figure == FIRST_FIGURE else self.figure,
            "period": "" if self.period == FIRST_PERIOD else self.period,
        }
        return {name: value for name, value in chosen.items() if value}

    @property
    def query(self) -> str:
        """The same in an address."""
        return urlencode(self.filters)

    @property
    def words(self) -> list[str]:
        """The same for people: the figure, then what it is narrowed to."""
        part = [self.topic.title] if self.topic else []
        return [FIGURES[self.figure][0], *part, *([engine_name(self.engine)] if self.engine else [])]

    @property
    def days(self) -> str:
        """The period for people."""
        return PERIODS[self.period].name.lower()


def choose(query: Mapping[str, str], topics: Sequence[Topic], engines: Collection[str]) -> Choice:
    """What the filters of an address choose of what is offered; anything else counts as not chosen."""
    engine, figure, period = (query.get(name) for name in ("engine", "figure", "period"))
    return Choice(
        topic=next((each for each in topics if str(each.pk) == query.get("topic")), None),
        engine=engine if engine in engines else None,
        figure=figure if figure in FIGURES else FIRST_FIGURE,
        period=period if period in PERIODS else FIRST_PERIOD,
    )


@dataclass(frozen=True, slots=True)
class Trend:
    """The points of a choice, the change that is reported on the last one, and what they look like: nothing below two
    points."""

    points: Sequence[Point]
    record: ChangeRecord | None
    drawn: SafeString


def trend_of(brand: Brand, choice: Choice) -> Trend:
    """The line that is chosen."""
    length = PERIODS[choice.period].days
    if choice.is_whole:
        points = line_of(brand, length)
    else:
        topics, engines = [choice.topic] if choice.topic else [], [choice.engine] if choice.engine else []
        points = line_of_part(brand, length, topics, engines)
    record = score_change_reported_on(brand, points[-1].day) if points and choice.is_whole else None
    return Trend(points, record, _draw(points, choice.figure, record, brand.recounted_on))


def days_of_chart(points: Sequence[Point], figure: str) -> list[charts.TrendDay]:
    """A figure by day; beside the score, how often the brand's site is cited."""
    second = "citationRate" if figure == "score" else ""
    name, low, high = FIGURES[figure][1:]
    return [
        charts.TrendDay(
            each.day,
            each.figures.get(name),
            *ends_of(each.figures, name, low, high),
            each.figures.get(second),
            each.score_of_day if figure == "score" else None,
        )
        for each in points
    ]


def ends_of(figures: Mapping[str, Any], name: str, low: str, high: str) -> tuple[float | None, float | None]:
    """The interval to show: where topics are few that of the score on these prompts, and none of other figures."""
    if figures.get("topics", 0) < FEW_TOPICS:
        low, high = ("panelLow", "panelHigh") if name == "score" else ("", "")
    return figures.get(low), figures.get(high)


def _draw(points: Sequence[Point], figure: str, record: ChangeRecord | None, recounted_on: date | None) -> SafeString:
    name, days = FIGURES[figure][0], days_of_chart(points, figure)
    events = []
    if record is not None and figure == "score":
        gained = "gained" if record.delta > 0 else "lost"
        day = f"{record.began.day} {record.began:%b}"
        events = [charts.Event(record.began, f"{day}: {abs(record.delta):.0f} points {gained}")]
    if recounted_on is not None:
        events.append(charts.Event(recounted_on, "counted anew"))
    first, last = (days[0].value, days[-1].value) if days else (None, None)
    words = f"{name} by day: {first or 0:.0f} % on the first of {len(days)} days, {last or 0:.0f} % on the last."
    return charts.trend(charts.thinned(days), label=words, names=(name.lower(), "site cited"), events=events)

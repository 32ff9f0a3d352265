"""Lines of figures: the window of now as it was on each measured day, of a brand and of its competitors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.fields.json import KT

from brands.models import Brand
from visibility.answers.detect import subject_key
from visibility.counts.figures import figures_of
from visibility.counts.past import PastDay, past_days
from visibility.counts.reader import Selection
from visibility.counts.sums import rounded
from visibility.counts.words import FEW_TOPICS
from visibility.models import DailyScore, Topic

FIGURES = {
    "shareOfVoice": "share_of_voice",
    "citationRate": "citation_rate",
    "prominence": "prominence",
}
"""Figures but the score, and their names in `metrics`."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a line counts: all topics, engines and markets, or some, and the competitors that have lines, too."""

    topics: Sequence[Topic] = ()
    engines: Sequence[str] = ()
    markets: Sequence[str] = ()
    rivals: Sequence[UUID] = ()

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the brand alone: the line that is stored."""
        return not (self.topics or self.engines or self.markets or self.rivals)


@dataclass(frozen=True, slots=True)
class Point:
    """A measured day: the figures of the window that ends on it by their names in the API, the score of the day
    alone, who was asked, the verdict on the change since the day before, and the figure of each competitor."""

    day: date
    figures: Mapping[str, Any]
    score_of_day: float | None
    asked: Sequence[str]
    verdict: str | None = None
    rivals: Mapping[UUID, float | None] = field(default_factory=dict)


def line_of(now: Selection, first: date, last: date, part: Part = Part(), figure: str = "score") -> list[Point]:
    """The measured days of these, both included. `now`: the answers of now to this part, whose figures the last day
    of all has."""
    if part.is_whole:
        return _stored(now.brand, first, last)
    days = past_days(now, first, last, topics=part.topics, engines=part.engines, markets=part.markets)
    return [point for day in days if (point := _point(day, part.rivals, figure))]


def ends_of(figures: Mapping[str, Any], name: str, low: str, high: str) -> tuple[float | None, float | None]:
    """The interval to show: where topics are few that of the score on these prompts, and none of other figures."""
    if figures.get("topics", 0) < FEW_TOPICS:
        low, high = ("panelLow", "panelHigh") if name == "score" else ("", "")
    return figures.get(low), figures.get(high)


def _stored(brand: Brand, first: date, last: date) -> list[Point]:
    """A day whose window is not written yet, after an upgrade, has its own figures."""
    scores = DailyScore.objects.of_brand(brand).filter(Q(date=None) | Q(date__gte=first))
    rows = list(scores.defer("change", "runs").annotate(verdict=KT("change__verdict")).order_by("date"))
    now = rows.pop() if rows and rows[-1].date is None else None  # the last in this order
    points = [
        Point(
            row.date,
            row.window or row.every_figure,
            row.score,
            sorted({each["engine"] for each in row.figures["engines"]}),
            row.verdict,
        )
        for row in rows
        if row.date is not None
    ]
    if now is not None and points:
        points[-1] = replace(points[-1], figures=now.every_figure)
    return [each for each in points if each.day <= last]


def _point(past: PastDay, rivals: Sequence[UUID], figure: str) -> Point | None:
    """A day of a part; None where no answer counts."""
    made = _scores(past.window, rivals) if figure == "score" else _figures(past.window, rivals, figure)
    if made is None:
        return None
    alone = past.alone.rows()
    asked = sorted({engine for engine, _ in past.alone.engines})
    return Point(past.day, made[0], alone[0].score if alone else None, asked, rivals=made[1])


def _scores(window: Selection, rivals: Sequence[UUID]) -> tuple[dict[str, Any], dict[UUID, float | None]] | None:
    """The score with both intervals, and that of competitors: a fifth of the work that all figures take."""
    rows = {row.competitor_id: row for row in window.rows("subject", subjects=[None, *rivals])}
    if None not in rows:
        return None
    own = rows[None]
    figures = {
        "score": own.score,
        "low": own.low,
        "high": own.high,
        "panelLow": own.panel_low,
        "panelHigh": own.panel_high,
        "answers": own.of,
        "topics": len({each.topic for each in own.group.own}),
    }
    return figures, {pk: rows[pk].score if pk in rows else None for pk in rivals}


def _figures(
    window: Selection, rivals: Sequence[UUID], figure: str
) -> tuple[dict[str, Any], dict[UUID, float | None]] | None:
    own = figures_of(window)
    if own is None:
        return None
    name, subjects = FIGURES[figure], window.figures
    others = {pk: subjects[subject_key(pk)] for pk in rivals if subject_key(pk) in subjects}
    values = {pk: rounded(getattr(each.overall, name).value) for pk, each in others.items()}
    return own.model_dump(mode="json", by_alias=True), {pk: values.get(pk) for pk in rivals}

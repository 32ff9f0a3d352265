"""The measured days of a generation around some of them: what was asked, what counted, the answers as counts."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from visibility.measured.counts import unpacked
from visibility.metrics.development import DISTANCES, Span
from visibility.metrics.pairs import DayCounts
from visibility.models import DailyScore, DayCount, Panel
from visibility.pipeline.days.panels import Why, causes, engine_causes, no_counts, no_score

MAX_LOOK = 60
"""Measured days that are looked at, before and after, for those on which an engine counted."""
WINDOW = timedelta(days=DISTANCES[Span.MONTH][1])
"""How far back a day is compared with others."""


@dataclass(frozen=True, slots=True)
class MeasuredDay:
    """A day as its brand's own score tells it. `scores` are those of the engines that counted; `content` are its
    packed counts, None where it was measured before counts were kept."""

    day: date
    score: float | None
    scores: Mapping[str, float] = field(compare=False)
    panel: int | None
    content: bytes | None

    @property
    def engines(self) -> frozenset[str]:
        """The engines that counted."""
        return frozenset(self.scores)


class History:
    """Measured days of a generation, oldest first, and what is known of any two of them."""

    def __init__(self, generation: UUID, days: Sequence[MeasuredDay], panels: Mapping[int, Any]) -> None:
        self.days = days
        self._generation = generation
        self._panels = panels
        self._by_date = {measured_day.day: measured_day for measured_day in days}
        self.counts = lru_cache(maxsize=MAX_LOOK + 1)(self._counts)
        self._scores = lru_cache(maxsize=1)(self._scores_on)
        self._panel_causes = lru_cache(maxsize=None)(self._causes_of_panels)
        self._engine_causes = lru_cache(maxsize=None)(self._causes_of_engine)

    def before(self, day: date) -> list[MeasuredDay]:
        """The measured days before a day, oldest first."""
        return [measured_day for measured_day in self.days if measured_day.day < day][-MAX_LOOK:]

    def on(self, day: date) -> MeasuredDay:
        """The measured day of that date."""
        return self._by_date[day]

    def score_on(self, day: date, competitor: UUID | None) -> float | None:
        """The score of the brand (None) or of a competitor; those of one day are read at once."""
        return self._scores(day).get(competitor)

    def _scores_on(self, day: date) -> dict[UUID | None, float | None]:
        rows = DailyScore.of_all_generations.filter(generation=self._generation, date=day).order_by()
        return dict(rows.values_list("competitor_id", "score"))

    def _counts(self, day: date) -> DayCounts:
        """The counts of a day that has them."""
        content = self._by_date[day].content
        if content is None:
            raise LookupError(f"{day} has no counts")
        return unpacked(day, content)

    def causes(self, before: MeasuredDay, now: MeasuredDay) -> list[Why]:
        """Why the figures over engines of two days cannot be compared; empty where they can."""
        days = (before, now)
        if unscored := [no_score(str(measured_day.day)) for measured_day in days if measured_day.score is None]:
            return unscored
        differences = self._panel_causes(before.panel, now.panel)
        return differences or self._uncounted(days)

    def asked_otherwise(self, before: MeasuredDay, now: MeasuredDay) -> bool:
        """Whether other prompts were asked, whatever both share."""
        if not before.panel or not now.panel or before.panel == now.panel:
            return False
        return set(self._panels[before.panel]["prompts"]) != set(self._panels[now.panel]["prompts"])

    def engine_causes(self, before: MeasuredDay, now: MeasuredDay, engine: str) -> list[Why]:
        """The same of one engine that counted on both."""
        return self._uncounted((before, now)) or self._engine_causes(before.panel, now.panel, engine)

    def _uncounted(self, days: Iterable[MeasuredDay]) -> list[Why]:
        return [no_counts(str(measured_day.day)) for measured_day in days if measured_day.content is None]

    def _causes_of_panels(self, before: int | None, now: int | None) -> list[Why]:
        return causes(self._panels[before], self._panels[now]) if before and now and before != now else []

    def _causes_of_engine(self, before: int | None, now: int | None, engine: str) -> list[Why]:
        return engine_causes(self._panels[before], self._panels[now], engine) if before and now else []


def read_history(generation: UUID, days: Sequence[date]) -> History:
    """The measured days from 60 before the first of `days` to 60 behind the last one, in five statements."""
    fields = _measured(generation)
    known = [
        *reversed(fields.order_by("-date").filter(date__lt=days[0])[:MAX_LOOK]),
        *fields.filter(date__range=(days[0], days[-1])),
        *fields.filter(date__gt=days[-1])[:MAX_LOOK],
    ]
    return _history(generation, known)


def read_history_since(generation: UUID, first: date) -> History:
    """The measured days from `first` on, in three statements."""
    return _history(generation, list(_measured(generation).filter(date__gte=first)))


def _measured(generation: UUID) -> QuerySet[DailyScore, Any]:
    rows = DailyScore.of_all_generations.filter(generation=generation, competitor=None)
    return rows.order_by("date").values_list("date", "score", "engines", "panel_id")


def _history(generation: UUID, known: Sequence[tuple[Any, ...]]) -> History:
    if not known:
        return History(generation, [], {})
    counts = DayCount.of_all_generations.filter(generation=generation, date__range=(known[0][0], known[-1][0]))
    content = {day: bytes(packed) for day, packed in counts.order_by().values_list("date", "content")}
    panels = Panel.objects.filter(pk__in={panel for *_, panel in known if panel})
    return History(
        generation,
        [MeasuredDay(day, score, _scores(engines), panel, content.get(day)) for day, score, engines, panel in known],
        {panel.pk: panel.content for panel in panels},
    )


def counting(engines: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """The engines of a stored day that counted on it."""
    return frozenset(_scores(engines))


def _scores(engines: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {item["engine"]: item["score"] for item in engines if item["score"] is not None}


def looking_back(history: History, days: Collection[date]) -> list[date]:
    """The measured days among `days`, and the later ones that look back to one of them: those within eight weeks, the
    next one, and of each engine the next on which it counts."""
    dates = {measured_day.day for measured_day in history.days} & set(days)
    for day in days:
        dates |= set(_later(history, day))
    return sorted(dates)


def _later(history: History, day: date) -> Iterator[date]:
    known_engines: set[str] = set()
    after = [measured_day for measured_day in history.days if measured_day.day > day][:MAX_LOOK]
    for number, measured_day in enumerate(after):
        if number == 0 or measured_day.day - day <= WINDOW or measured_day.engines - known_engines:
            yield measured_day.day
        known_engines |= measured_day.engines


def narrowed(counts: DayCounts, engines: Collection[str], averaged: Collection[str]) -> DayCounts:
    """The counts of these engines alone, those `averaged` being the figure over engines."""
    places = [place for place, name in enumerate(counts.engines) if name in engines]
    if len(places) == len(counts.engines) and counts.averaged == frozenset(averaged):
        return counts
    chosen = np.array(places, dtype=np.int64)
    return replace(
        counts,
        engines=tuple(counts.engines[place] for place in places),
        averaged=frozenset(averaged) & frozenset(engines),
        answers=counts.answers[chosen],
        mentioned=counts.mentioned[chosen],
        cited=counts.cited[chosen],
    )

"""Which days of which engines count: on which an engine was measured, and the window of now."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce
from operator import or_

from django.db.models import Count, Q, QuerySet

from brands.models import Brand, Cadence
from visibility.models import Cell, ChangeRecord, Run, RunEngine, Surface
from visibility.models.changes import ChangeState, KnownBy

WINDOW_DAYS = 7
LEAST_REACH_DAYS = 14
CADENCE_DAYS = {Cadence.MANUAL: 0, Cadence.DAILY: 1, Cadence.WEEKLY: 7, Cadence.MONTHLY: 31}
LEAST_ANSWERED = 0.8
"""An engine counts on a day when at least this part of its planned prompts was answered, over all runs of the day."""
Place = tuple[int, str]
"""An engine's id and the surface that it was asked through."""
Served = tuple[frozenset[str], frozenset[str]]
"""The models that answers say they are of, and the countries; empty: they do not say."""
Days = Mapping[Place, Collection[date]]
"""Days by engine and surface."""


def measured_cells(brand: Brand) -> QuerySet[Cell]:
    """The cells of a brand's scans, on all topics."""
    cells: QuerySet[Cell] = Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY)
    return cells


def own_cells(brand: Brand) -> QuerySet[Cell]:
    """The same, without topics that are not the brand's own: those that figures count."""
    return measured_cells(brand).exclude(version__prompt__topic__own=False)


def foreign_cells(brand: Brand) -> QuerySet[Cell]:
    """Those on topics that are not the brand's own."""
    return measured_cells(brand).filter(version__prompt__topic__own=False)


def counted_days(cells: QuerySet[Cell]) -> dict[Place, list[date]]:
    """The days on which each engine answered enough of its planned prompts, the oldest first."""
    asked = Count("version", distinct=True)
    answered = Count("version", distinct=True, filter=Q(answers__gt=0))
    rows = cells.filter(competitor=None).order_by("day").values_list("engine", "surface", "day")
    days: dict[Place, list[date]] = defaultdict(list)
    for engine, surface, day, planned, came in rows.annotate(asked=asked, answered=answered):
        if came and came >= LEAST_ANSWERED * planned:
            days[engine, surface].append(day)
    return dict(days)


def on_days(days: Days) -> Q:
    """The condition for cells of these days."""
    places = (Q(engine=engine, surface=surface, day__in=list(each)) for (engine, surface), each in days.items())
    return reduce(or_, places, Q(pk=None))


def reach_of(brand: Brand) -> timedelta:
    """How long before the latest measured day an engine's last one may be, for it to be in use."""
    return timedelta(days=max(LEAST_REACH_DAYS, round(1.5 * CADENCE_DAYS[Cadence(brand.cadence)])))


@dataclass(frozen=True, slots=True)
class Calendar:
    """What the window of any day is made of: counted days, models and countries by engine, and the days from which
    on a confirmed change holds, by engine ("": of the score over engines)."""

    days: Mapping[Place, Sequence[date]]
    served: Mapping[tuple[Place, date], Served]
    changed: Mapping[Place | None, Collection[date]]
    reach: timedelta

    def window(self, day: date) -> dict[Place, list[date]]:
        """Of each engine in use on a day: its last measured day and those of the six days before it, of the same
        models and countries, and not before a confirmed change. Stored pages count only where they are alone."""
        last = {place: max((each for each in days if each <= day), default=None) for place, days in self.days.items()}
        newest = max((each for each in last.values() if each), default=day)
        window = {
            place: self._week(place, each) for place, each in last.items() if each and newest - each <= self.reach
        }
        answering = {place: days for place, days in window.items() if place[1] != Surface.PAGES}
        return answering or window

    def _week(self, place: Place, last: date) -> list[date]:
        first = last - timedelta(days=WINDOW_DAYS - 1)
        changed = (*self.changed.get(place, ()), *self.changed.get(None, ()))
        first = max((first, *(each for each in changed if each <= last)))
        served = self.served.get((place, last))
        return [
            each for each in self.days[place] if first <= each <= last and self.served.get((place, each)) == served
        ]


def calendar_of(brand: Brand, cells: QuerySet[Cell], first: date = date.min, last: date = date.max) -> Calendar:
    """The calendar of these cells for the windows of these days, both included."""
    reach = reach_of(brand)
    before = timedelta(days=WINDOW_DAYS) + reach
    since = first - before if first - date.min > before else date.min
    days = counted_days(cells.filter(day__range=(since, last)))
    return Calendar(days, _served(brand, since, last), _changed(brand), reach)


def last_day_of(cells: QuerySet[Cell]) -> date | None:
    """The latest day on which any of these cells counts an answer."""
    answered = cells.filter(competitor=None, answers__gt=0).order_by("-day")
    latest: date | None = answered.values_list("day", flat=True).first()
    return latest


def _served(brand: Brand, first: date, last: date) -> dict[tuple[Place, date], Served]:
    runs = RunEngine.objects.filter(run__brand=brand, run__kind=Run.Kind.VISIBILITY, run__day__range=(first, last))
    models: dict[tuple[Place, date], set[str]] = defaultdict(set)
    countries: dict[tuple[Place, date], set[str]] = defaultdict(set)
    columns = ("engine", "surface", "run__day", "served_models", "countries")
    for engine, surface, day, of_run, in_run in runs.values_list(*columns):
        models[(engine, surface), day].update(of_run)
        countries[(engine, surface), day].update(in_run)
    return {key: (frozenset(models[key]), frozenset(countries[key])) for key in models}


def _changed(brand: Brand) -> dict[Place | None, list[date]]:
    """The days from which on a confirmed change holds, or is over."""
    records = ChangeRecord.objects.filter(brand=brand, known_by=KnownBy.CONFIRMED)
    days: dict[Place | None, list[date]] = defaultdict(list)
    places = _places_by_name(brand, records)
    for record in records:
        since = [record.began, *([record.state_since] if record.state == ChangeState.RECOVERED else [])]
        if place := places.get(record.engine) if record.engine else None:
            days[place] += since
        elif not record.engine:
            days[None] += since
    return days


def _places_by_name(brand: Brand, records: Iterable[ChangeRecord]) -> dict[str, Place]:
    """Engines by the name and surface that records give them."""
    if not any(record.engine for record in records):
        return {}
    asked = RunEngine.objects.filter(run__brand=brand).order_by()
    rows = asked.values_list("engine", "engine__name", "surface").distinct()
    return {f"{name} {surface}": (engine, surface) for engine, name, surface in rows}

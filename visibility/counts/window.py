"""Which days of which engines count: on which an engine was measured, and the window of now."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce
from operator import or_

from django.db.models import Count, Q, QuerySet, Subquery, Value

from brands.models import Brand, Cadence
from visibility.models import Cell, Run, RunEngine, Surface
from visibility.models.changes import ChangeState, KnownBy

WINDOW_DAYS = 7
LEAST_REACH_DAYS = 14
CADENCE_DAYS = {Cadence.MANUAL: 0, Cadence.DAILY: 1, Cadence.WEEKLY: 7, Cadence.MONTHLY: 31}
LEAST_ANSWERED = 0.8
"""An engine counts on a day when at least this part of its planned prompts was answered, or is known to have no AI
answer, over all runs of the day."""
HAS_RESULT = Q(answers__gt=0) | Q(absent__gt=0)
"""The condition for cells with an answer, or for which no AI answer was shown."""
Place = tuple[str, str]
"""An engine's name and the surface that it was asked through."""
Served = tuple[frozenset[str], frozenset[str]]
"""The models that answers say they are of, and the countries where none was asked for; empty: they do not say."""
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
    return enough(_asked_days(cells))


def _asked_days(cells: QuerySet[Cell]) -> list[tuple[str, str, date, int, int]]:
    """By engine, surface and day, the oldest first: how many prompts were planned, and how many have a result."""
    asked = Count("version", distinct=True)
    answered = Count("version", distinct=True, filter=HAS_RESULT)
    rows = cells.filter(competitor=None).order_by("day").values_list("engine__name", "surface", "day")
    return list(rows.annotate(asked=asked, answered=answered))


def enough(rows: Iterable[tuple[str, str, date, int, int]]) -> dict[Place, list[date]]:
    """Of such rows the days that count, by engine."""
    days: dict[Place, list[date]] = defaultdict(list)
    for engine, surface, day, planned, came in rows:
        if came and came >= LEAST_ANSWERED * planned:
            days[engine, surface].append(day)
    return dict(days)


def on_days(days: Days) -> Q:
    """The condition for cells of these days."""
    every = [day for each in days.values() for day in each]
    if not every:
        return Q(pk=None)
    places = (Q(engine__name=engine, surface=surface, day__in=list(each)) for (engine, surface), each in days.items())
    return Q(day__range=(min(every), max(every))) & reduce(or_, places)  # the range alone is looked up in an index


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
            place: self.week(place, each) for place, each in last.items() if each and newest - each <= self.reach
        }
        answering = {place: days for place, days in window.items() if place[1] != Surface.PAGES}
        return answering or window

    def week(self, place: Place, last: date) -> list[date]:
        """Of the days of an engine this one and those of the six days before it that belong together with it."""
        first = last - timedelta(days=WINDOW_DAYS - 1)
        changed = (*self.changed.get(place, ()), *self.changed.get(None, ()))
        first = max((first, *(each for each in changed if each <= last)))
        served = self.served.get((place, last))
        return [
            each for each in self.days[place] if first <= each <= last and self.served.get((place, each)) == served
        ]


def calendar_of(brand: Brand, cells: QuerySet[Cell], first: date = date.min, last: date = date.max) -> Calendar:
    """The calendar of these cells for the windows of these days, both included."""
    since = first_needed(brand, first)
    return calendar_with(brand, counted_days(cells.filter(day__range=(since, last))), since, last)


def calendar_with(brand: Brand, days: Mapping[Place, Sequence[date]], first: date, last: date) -> Calendar:
    """The calendar with these counted days, all from `first` to `last`."""
    return Calendar(days, _served(brand, first, last), _changed(brand), reach_of(brand))


def first_needed(brand: Brand, day: date) -> date:
    """The first day that the window of a day may depend on."""
    before = timedelta(days=WINDOW_DAYS) + reach_of(brand)
    return day - before if day - date.min > before else date.min


def newest_window(brand: Brand, cells: QuerySet[Cell]) -> dict[Place, list[date]]:
    """The window of the latest day on which any of these cells has a result; empty where none does."""
    latest = cells.filter(HAS_RESULT, competitor=None).order_by("-day").values("day")[:1]
    before = timedelta(days=WINDOW_DAYS) + reach_of(brand)
    rows = _asked_days(cells.filter(day__gte=Subquery(latest) - Value(before)))
    day = max((day for _, _, day, _, came in rows if came), default=None)
    if day is None:
        return {}
    return calendar_with(brand, enough(rows), first_needed(brand, day), day).window(day)


def weeks_before(brand: Brand, lasts: Collection[tuple[Place, date]]) -> dict[tuple[Place, date], list[date]]:
    """Of each engine and day that day and those of the six days before it that the window of that day may have."""
    if not lasts:
        return {}
    week = [timedelta(days=number) for number in reversed(range(WINDOW_DAYS))]
    days: dict[Place, set[date]] = defaultdict(set)
    for place, last in lasts:
        days[place] |= {last - each for each in week}
    every = [day for each in days.values() for day in each]
    calendar = calendar_with(brand, {place: sorted(each) for place, each in days.items()}, min(every), max(every))
    return {(place, last): calendar.week(place, last) for place, last in lasts}


def last_day_of(cells: QuerySet[Cell]) -> date | None:
    """The latest day on which any of these cells has a result."""
    answered = cells.filter(HAS_RESULT, competitor=None).order_by("-day")
    latest: date | None = answered.values_list("day", flat=True).first()
    return latest


def _served(brand: Brand, first: date, last: date) -> dict[tuple[Place, date], Served]:
    runs = RunEngine.objects.filter(run__brand=brand, run__kind=Run.Kind.VISIBILITY, run__day__range=(first, last))
    models: dict[tuple[Place, date], set[str]] = defaultdict(set)
    countries: dict[tuple[Place, date], set[str]] = defaultdict(set)
    columns = ("engine__name", "surface", "run__day", "served_models", "countries")
    for engine, surface, day, of_run, in_run in runs.values_list(*columns):
        models[(engine, surface), day].update(of_run)
        countries[(engine, surface), day].update(in_run)
    return {key: (frozenset(models[key]), frozenset(countries[key])) for key in models}


def _changed(brand: Brand) -> dict[Place | None, list[date]]:
    """The days from which on a confirmed change holds, or is over."""
    days: dict[Place | None, list[date]] = defaultdict(list)
    for record in brand.change_records.all():
        if record.known_by != KnownBy.CONFIRMED:
            continue
        since = [record.began, *([record.state_since] if record.state == ChangeState.RECOVERED else [])]
        days[_place(record.engine) if record.engine else None] += since
    return days


def _place(name: str) -> Place:
    """An engine as records name it, with its surface."""
    engine, surface = name.rsplit(" ", 1)
    return engine, surface

"""The reader: the answers of now or of some days, narrowed, and rows of them by any axes."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, prefetch_related_objects

from brands.models import Brand
from visibility.answers.repeats import repeated_in
from visibility.counts.rows import Axis, CountRow, Group, rows_of
from visibility.counts.sums import (
    EngineKey,
    Sums,
    averaged_engines,
    of_latest_markets,
    sum_cells,
    table_of,
    without_pages,
)
from visibility.counts.window import (
    Calendar,
    counted_days,
    foreign_cells,
    newest_window,
    on_days,
    own_cells,
)
from visibility.metrics import Counts, Key, SubjectFigures, measure
from visibility.models import Answer, Cell, DailyScore, Prompt, Run, Topic

Subject = UUID | str | None
"""A competitor's id, the name of who is not tracked, None for the brand."""


@dataclass(frozen=True, eq=False)
class Selection:
    """Answers that count, by the cells that count them. Every figure, row and base is read from one.

    `known` are its sums where they are a part of others that were read, `tracked` the competitors where they were.
    """

    brand: Brand
    cells: QuerySet[Cell]
    known: Sequence[Sums] | None = None
    tracked: Mapping[UUID, str] | None = None

    def narrow(
        self,
        *,
        topics: Collection[Topic] = (),
        engines: Collection[str] = (),
        prompts: Collection[UUID] = (),
        markets: Collection[str] = (),
        surfaces: Collection[str] = (),
        days: Collection[date] = (),
    ) -> "Selection":
        """Only those on these topics, of these engines, to these prompts, for these markets, through these
        surfaces, of these days; empty: of all."""
        if not (topics or engines or prompts or markets or surfaces or days):
            return self
        cells, keys = self.cells, {topic.pk for topic in topics}
        if surfaces:
            cells = cells.filter(surface__in=surfaces)
        if days:
            cells = cells.filter(day__in=days)
        if topics:
            cells = cells.filter(version__prompt__topic__in=topics)
        if engines:
            cells = cells.filter(engine__name__in=engines)
        if prompts:
            cells = cells.filter(version__prompt__in=prompts)
        if markets:
            cells = cells.filter(market__in=markets)
        if days:  # sums do not tell them apart
            return self._part(cells)
        known = [
            each
            for each in self.every
            if (not keys or each.topic in keys)
            and (not engines or each.engine in engines)
            and (not prompts or each.prompt in prompts)
            and (not markets or each.market in markets)
            and (not surfaces or each.surface in surfaces)
        ]
        return self._part(cells, known)

    def _part(self, cells: QuerySet[Cell], known: Sequence[Sums] | None = None) -> "Selection":
        return Selection(self.brand, cells, known, self.names)

    @cached_property
    def names(self) -> Mapping[UUID, str]:
        """The competitors that history is counted with; without those that wait for a recount."""
        return counted_competitors(self.brand) if self.tracked is None else self.tracked

    @cached_property
    def every(self) -> Sequence[Sums]:
        """By engine, market, wording and subject, with those of stored pages, also where something else answered."""
        return sum_cells(self.cells) if self.known is None else self.known

    @cached_property
    def sums(self) -> Sequence[Sums]:
        """By engine, market, wording and subject: those that count."""
        return without_pages(self.every)

    @cached_property
    def prompts(self) -> Mapping[UUID, Prompt]:
        """The prompts that were asked, with their topics."""
        return Prompt.objects.select_related("topic").in_bulk({each.prompt for each in self.sums})

    @cached_property
    def sums_of_days(self) -> Mapping[date, Sequence[Sums]]:
        """The same of each day."""
        days: dict[date, list[Sums]] = defaultdict(list)
        for each in sum_cells(self.cells, by_day=True):
            days[each.last_day].append(each)
        return {day: without_pages(days[day]) for day in sorted(days)}

    @cached_property
    def engines(self) -> Mapping[EngineKey, tuple[date, date]]:
        """The engines that answered, and the first and last day of each."""
        days: dict[EngineKey, tuple[date, date]] = {}
        for each in self.sums:
            first, last = days.get(each.key, (each.first_day, each.last_day))
            days[each.key] = min(first, each.first_day), max(last, each.last_day)
        return dict(sorted(days.items()))

    @property
    def averaged(self) -> set[EngineKey]:
        """Of these the ones that make the figure over engines."""
        return averaged_engines(self.engines)

    @cached_property
    def of_figure(self) -> "Selection":
        """Only of the engines that make the figure over engines."""
        averaged = self.averaged
        places = (Q(engine__name=name, surface=surface) for name, surface in averaged)
        cells = self.cells.filter(reduce(or_, places, Q(pk=None)))
        return self._part(cells, [each for each in self.sums if each.key in averaged])

    @cached_property
    def scored(self) -> "Selection":
        """The answers that the brand's score counts: the same without prompts that name the brand."""
        part, branded = self.of_figure, self._branded
        sums = [each for each in part.sums if each.version not in branded]
        return self._part(part.cells.exclude(version__in=branded), sums)

    def counting(self, subject: UUID | None) -> "Selection":
        """The answers that the figures of a subject count, the brand (None) or a competitor: those that the score
        counts, without prompts that name the subject."""
        named = {each.version for each in self.sums if each.subject == subject and each.named}
        part = self.scored
        sums = [each for each in part.sums if each.version not in named]
        return self._part(part.cells.exclude(version__in=named), sums)

    @property
    def _branded(self) -> set[int]:
        """The wordings that name the brand."""
        return {each.version for each in self.sums if each.subject is None and each.named}

    @cached_property
    def table(self) -> Counts:
        """The input of figures: the brand and its competitors, all engines."""
        return table_of(self.sums, [None, *sorted(self.names, key=str)])

    @cached_property
    def figures(self) -> Mapping[Key, SubjectFigures]:
        """The figures of each subject by its key, over all engines and by engine."""
        return measure(self.table)

    @cached_property
    def answers(self) -> QuerySet[Answer]:
        """The answers behind the cells, without those that repeat others of their day."""
        asked = [each for each in self.sums if each.subject is None and each.answers]
        return self._behind(Answer.objects.answered().in_market(), self.cells.filter(answers__gt=0), asked)

    @cached_property
    def not_shown(self) -> QuerySet[Answer]:
        """The askings behind the cells for which no AI answer was shown."""
        asked = [each for each in self.sums if each.subject is None and each.absent]
        return self._behind(Answer.objects.absent().in_market(), self.cells.filter(absent__gt=0), asked)

    def _behind(self, answers: QuerySet[Answer], cells: QuerySet[Cell], asked: Sequence[Sums]) -> QuerySet[Answer]:
        """Of these answers those behind cells, to the wordings and of the days of these sums; by lists of what they
        count: without statistics of fresh rows PostgreSQL would join the tables for minutes."""
        runs: dict[tuple[int, str, str], list[UUID]] = defaultdict(list)
        again = set()
        columns = ("run", "run__repeated", "engine", "surface", "market")
        found = cells.filter(competitor=None).order_by().values_list(*columns).distinct()
        for run, repeated, engine, surface, market in found:
            runs[engine, surface, market].append(run)
            again |= {run} if repeated else set()
        places = (
            Q(engine=engine, surface=surface, market=market, run__in=each)
            for (engine, surface, market), each in runs.items()
        )
        days = [day for each in asked for day in (each.first_day, each.last_day)] or [date.min]
        versions = {each.version for each in asked}
        answers = answers.filter(brand=self.brand, day__range=(min(days), max(days)), version__in=versions)
        repeating = list(Run.objects.filter(pk__in=again)) if again else []
        return answers.filter(reduce(or_, places, Q(pk=None))).exclude(pk__in=repeated_in(repeating))

    def rows(
        self, *axes: Axis, untracked: Mapping[str, Sequence[Sums]] | None = None, subjects: Collection[Subject] = ()
    ) -> list[CountRow]:
        """Rows by these axes, the largest share of answers first; without "subject" of the brand alone, else of
        `subjects`, or of all. `untracked` are sums of names that nobody tracks, see `untracked.py`.

        Rows that are not by engine count the engines that make the figure over engines. Prompts that name the brand
        count in rows by prompt alone, so that everybody is compared in the same answers.
        """
        names: dict[Subject, str] = {None: self.brand.name}
        if "subject" in axes:
            names |= dict(self.names.items())
            names.update((name, name) for name in untracked or ())
        rows = [
            row for group in self._groups(axes, names, untracked or {}) for row in rows_of(group, subjects or names)
        ]
        return sorted(rows, key=lambda row: (-row.mentioned / row.of, -row.of, not row.is_own, row.subject))

    def _groups(
        self, axes: Collection[Axis], names: Mapping[Subject, str], untracked: Mapping[str, Sequence[Sums]]
    ) -> list[Group]:
        by_day = self.sums_of_days if "day" in axes else {None: self.sums}
        branded = set() if "prompt" in axes else self._branded
        places: dict[tuple[Any, ...], dict[Subject, list[Sums]]] = defaultdict(lambda: defaultdict(list))
        for day, sums in by_day.items():
            averaged = averaged_engines({each.key for each in sums})
            for each in (*sums, *(row for rows in untracked.values() for row in rows)):
                if each.version not in branded and ("engine" in axes or each.key in averaged):
                    place = (
                        day,
                        each.topic if "topic" in axes else None,
                        each.key if "engine" in axes else (None, None),
                        each.prompt if "prompt" in axes else None,
                    )
                    places[place][each.subject].append(each)
        topics = {each.pk: each for each in self.brand.topics.all()} if "topic" in axes else {}
        return [
            Group(names, sums, topics.get(topic), engine, surface, prompt, self)
            for (_, topic, (engine, surface), prompt), sums in places.items()
            if None in sums
        ]


def select_now(brand: Brand, *, foreign: bool = False) -> Selection:
    """The answers of now: of each engine in use those of its last measured day and the six days before it, to the
    prompts that are still asked, each in the newest wording that was asked, by the same models and countries, for the
    market of its last day; after a confirmed change only the days since. Where no prompt is asked any more, all stay.
    `foreign`: on topics that are not the brand's own, which no figure counts."""
    cells = foreign_cells(brand) if foreign else own_cells(brand)
    window = newest_window(brand, cells)
    if not window:
        return Selection(brand, cells.none())
    counted = cells.filter(on_days(window))
    sums = sum_cells(counted)
    # Until its new wording is asked, a prompt has the answers to the one before.
    asked = sorted((each for each in sums if each.archived_at is None), key=lambda each: each.number)
    newest = set({each.prompt: each.version for each in asked if each.subject is None}.values())
    if not newest:
        return _of_latest_markets(brand, counted, sums)
    of_newest = [each for each in sums if each.version in newest]
    return _of_latest_markets(brand, counted.filter(version__in=newest), of_newest)


def _of_latest_markets(brand: Brand, cells: QuerySet[Cell], sums: Sequence[Sums]) -> Selection:
    """Of these cells, with their sums, those for the market that an engine was asked for last, by wording."""
    return keep_only(brand, cells, sums, of_latest_markets(sums))


def keep_only(brand: Brand, cells: QuerySet[Cell], sums: Sequence[Sums], kept: Sequence[Sums]) -> Selection:
    """Of these cells, with their sums, those of the sums that are kept."""
    stays = {(each.key, each.market, each.version) for each in kept}
    gone: dict[tuple[EngineKey, str], set[int]] = defaultdict(set)
    for each in sums:
        if (each.key, each.market, each.version) not in stays:
            gone[each.key, each.market].add(each.version)
    for ((engine, surface), market), versions in gone.items():
        cells = cells.exclude(engine__name=engine, surface=surface, market=market, version__in=versions)
    return Selection(brand, cells, kept)


def select_window(brand: Brand, cells: QuerySet[Cell], calendar: Calendar, day: date) -> Selection:
    """Of these cells those of the window that ended on a day, to the wordings that each engine was asked on its last
    one, for the market of that day."""
    window = calendar.window(day)
    last = on_days({place: [days[-1]] for place, days in window.items()})
    asked = list(cells.filter(last, competitor=None).order_by().values_list("version", flat=True).distinct())
    counted = cells.filter(on_days(window), version__in=asked)
    return _of_latest_markets(brand, counted, sum_cells(counted))


def select_between(
    brand: Brand, first: date = date.min, last: date = date.max, *, foreign: bool = False
) -> Selection:
    """The answers of these days, both included, of the engines that counted on each. `foreign`: on topics that are
    not the brand's own."""
    cells = (foreign_cells(brand) if foreign else own_cells(brand)).filter(day__range=(first, last))
    return Selection(brand, cells.filter(on_days(counted_days(cells))))


def select_days(brand: Brand, days: Collection[date]) -> Selection:
    """The answers of these days, of the engines that counted on each."""
    cells = own_cells(brand).filter(day__in=days)
    return Selection(brand, cells.filter(on_days(counted_days(cells))))


def read_parts(brand: Brand) -> None:
    """Read at once what figures need of a brand, which each of their reads asks for else."""
    prefetch_related_objects([brand], "competitors", "topics", "change_records")


def counted_competitors(brand: Brand) -> dict[UUID, str]:
    """The names of the competitors that history is counted with, by id; without those that wait for a recount."""
    names = {competitor.pk: competitor.name for competitor in brand.competitors.all()}
    if brand.counted_version == brand.names_version:
        return names
    counted = set(DailyScore.objects.filter(brand=brand, date=None).values_list("competitor", flat=True))
    return {key: name for key, name in names.items() if key in counted}

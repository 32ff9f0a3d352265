"""The windows of now as they were on earlier days: points of a line, figures as of a day, prompts asked no more."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Max, Q, QuerySet

from brands.models import Brand
from visibility.counts.reader import Selection, keep_only, select_now, select_window
from visibility.counts.sums import EngineKey, Sums, of_latest_markets, pooled, sum_cells
from visibility.counts.window import (
    HAS_RESULT,
    Calendar,
    Place,
    calendar_of,
    calendar_with,
    enough,
    first_needed,
    foreign_cells,
    last_day_of,
    measured_cells,
    on_days,
    own_cells,
    weeks_before,
)
from visibility.models import Cell, Prompt, Topic

SumsByDay = Mapping[date, Sequence[Sums]]


@dataclass(frozen=True, slots=True)
class PastDay:
    """A measured day: the answers of the window that ended on it, and those of the day alone."""

    day: date
    window: Selection
    alone: Selection


def select_on(brand: Brand, day: date | None, *, foreign: bool = False) -> Selection:
    """The answers that were those of now on a day: the window that ends on the last day measured until then. None:
    those of now. `foreign`: on topics that are not the brand's own."""
    cells = foreign_cells(brand) if foreign else own_cells(brand)
    if day is None or (last_day_of(cells) or date.min) <= day:
        return select_now(brand, foreign=foreign)
    last = last_day_of(cells.filter(day__lte=day))
    if last is None:
        return Selection(brand, cells.none())
    return select_window(brand, cells, calendar_of(brand, cells, last, last), last)


def past_days(
    now: Selection,
    first: date,
    last: date,
    *,
    topics: Collection[Topic] = (),
    engines: Collection[str] = (),
    markets: Collection[str] = (),
) -> Iterator[PastDay]:
    """The measured days of these, both included, the oldest first, on these topics, of these engines and for these
    markets (empty: of all). `now`: the answers of now to the same, which are the window of its newest day."""
    brand, keys = now.brand, {topic.pk for topic in topics}
    newest = max((last for _, last in now.engines.values()), default=None)
    by_day, calendar = _sums_by_day(brand, first, last)

    def part(sums: Iterable[Sums]) -> list[Sums]:
        return [
            each
            for each in sums
            if (not keys or each.topic in keys)
            and (not engines or each.engine in engines)
            and (not markets or each.market in markets)
        ]

    def select(sums: Sequence[Sums]) -> Selection:
        return Selection(brand, now.cells.none(), sums, now.names)

    for day in sorted(by_day):
        alone = part(by_day[day])
        if first <= day <= last and alone:
            sums = of_latest_markets(list(_window(by_day, calendar.window(day))))
            window = now if day == newest else select(pooled(part(sums)))
            yield PastDay(day, window, select(alone))


def _sums_by_day(brand: Brand, first: date, last: date) -> tuple[SumsByDay, Calendar]:
    """What was answered on each day that counts, as far back as windows of these days reach, and their calendar."""
    since = first_needed(brand, first)
    sums = sum_cells(own_cells(brand).filter(day__range=(since, last)), by_day=True)
    wordings: dict[tuple[date, EngineKey], tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for each in sums:
        if each.subject is None:
            planned, came = wordings[each.last_day, each.key]
            planned.add(each.version)
            came.update({each.version} if each.answers or each.absent else ())
    rows = ((*key, day, len(planned), len(came)) for (day, key), (planned, came) in sorted(wordings.items()))
    days = enough(rows)
    found: dict[date, list[Sums]] = defaultdict(list)
    for each in sums:
        if each.last_day in days.get(each.key, ()):
            found[each.last_day].append(each)
    return found, calendar_with(brand, days, since, last)


def _window(by_day: SumsByDay, window: Mapping[EngineKey, Sequence[date]]) -> Iterator[Sums]:
    """The sums of a window, to the wordings that each engine was asked on its last day; see `select_window`."""
    ends = {key: days[-1] for key, days in window.items()}
    asked = {row.version for key, day in ends.items() for row in by_day.get(day, ()) if row.key == key}
    for day in {day for days in window.values() for day in days}:
        yield from (row for row in by_day.get(day, ()) if day in window.get(row.key, ()) and row.version in asked)


def select_archived(brand: Brand) -> Selection:
    """The answers to prompts that are asked no more, each of its last days as `select_prompt` has them."""
    return _of_last_days(brand, measured_cells(brand).filter(version__prompt__archived_at__isnull=False))


def select_prompt(prompt: Prompt) -> Selection:
    """The answers of now to a prompt; to one that is asked no more those of its last measured day with each engine
    and the six days before it, in the newest wording that this engine was asked."""
    is_foreign = prompt.topic is not None and prompt.topic.own is False
    now = select_now(prompt.brand, foreign=is_foreign).narrow(prompts=[prompt.pk])
    if prompt.archived_at is None and now.sums:
        return now
    cells = measured_cells(prompt.brand).filter(version__prompt=prompt)
    return _of_last_days(prompt.brand, cells)


def _of_last_days(brand: Brand, cells: QuerySet[Cell]) -> Selection:
    """Of these cells those of each prompt's last days with each engine, by the rules of the window of now."""
    prompts: dict[tuple[Place, date], list[UUID]] = defaultdict(list)
    columns = ("version__prompt", "engine__name", "surface")
    days = cells.filter(HAS_RESULT).order_by().values_list(*columns).annotate(Max("day"))
    for prompt, engine, surface, day in days:
        prompts[(engine, surface), day].append(prompt)
    on_last = Q(pk=None)
    for (place, last), week in weeks_before(brand, prompts).items():
        on_last |= on_days({place: week}) & Q(version__prompt__in=prompts[place, last])
    counted = cells.filter(on_last)
    sums = sum_cells(counted)
    asked = sorted((each for each in sums if each.subject is None), key=lambda each: each.number)
    newest = {(each.key, each.prompt): each.version for each in asked}
    of_newest = [each for each in sums if newest.get((each.key, each.prompt)) == each.version]
    return keep_only(brand, counted, sums, of_latest_markets(of_newest))

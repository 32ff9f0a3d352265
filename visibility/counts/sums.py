"""Sums over cells, by engine, wording and subject, and the tables that figures are made from."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import Max, Min, QuerySet, Sum

from visibility.answers.detect import subject_key
from visibility.metrics import Counts, Row, count
from visibility.models import Cell, Surface

SURFACE_ORDER = (Surface.API, Surface.APP, Surface.API_IMPORTED, Surface.IMPORTED, Surface.PAGES)
"""Of several surfaces the first that is there makes the figure over engines: they are never pooled."""
EngineKey = tuple[str, str]
"""An engine's name, and the surface that it was asked through."""
PLACE = ("engine__name", "surface", "market", "version", "version__prompt", "version__prompt__topic")
"""What answers are summed by: engine, surface, market, wording, prompt, topic."""
COUNTED = (
    "answers",
    "failed",
    "absent",
    "mentioned",
    "ranked",
    "first",
    "gain",
    "gain_squares",
    "recommended",
    "cautioned",
    "alone",
    "cited",
    "unsourced",
    "comentions",
    "without_brand",
)
"""The counts of a cell, in the order of a `Sums`."""


class Sums(NamedTuple):
    """The counts of one engine's answers to one wording for one market and subject, over some days. See `Cell`.

    `subject` is a competitor's id, None for the brand; of a name that nobody tracks the name, and only
    `mentioned`, `ranked` (offered) and `without_brand` are counted then. `named`: the wording itself names the
    subject; `number`: which one of its prompt it is; `archived_at`: since when the prompt is not asked any more.
    """

    engine: str
    surface: str
    market: str
    version: int
    prompt: UUID
    topic: UUID
    subject: UUID | str | None
    named: bool
    first_day: date
    last_day: date
    answers: int = 0
    failed: int = 0
    absent: int = 0
    mentioned: int = 0
    ranked: int = 0
    first: int = 0
    gain: float = 0
    gain_squares: float = 0
    recommended: int = 0
    cautioned: int = 0
    alone: int = 0
    cited: int = 0
    unsourced: int = 0
    comentions: int = 0
    without_brand: int = 0
    number: int = 1
    archived_at: datetime | None = None

    @property
    def key(self) -> EngineKey:
        """The engine with its surface."""
        return self.engine, self.surface


def sum_cells(cells: QuerySet[Cell], *, by_day: bool = False) -> list[Sums]:
    """The sums over these cells, or over those of each day; never over several markets."""
    days = {"first_of": Min("day"), "last_of": Max("day")}
    totals = {f"sum_{name}": Sum(name) for name in COUNTED}
    wording = ("version__number", "version__prompt__archived_at")
    keys = (*PLACE, *wording, "competitor", *(("day",) if by_day else ()))
    rows = cells.order_by().values(*keys).annotate(is_named=BoolOr("named"), **days, **totals)
    columns = (*PLACE, "competitor", "is_named", *days, *totals, *wording)
    return [Sums(*row[: len(columns)]) for row in rows.values_list(*columns)]


def pooled(sums: Iterable[Sums]) -> list[Sums]:
    """Sums of several days as those over all of them."""
    places: dict[tuple[object, ...], list[Sums]] = defaultdict(list)
    for each in sums:
        places[each.engine, each.surface, each.market, each.version, each.subject].append(each)
    return [rows[0] if len(rows) == 1 else _pool(rows) for rows in places.values()]


def _pool(rows: Sequence[Sums]) -> Sums:
    totals: dict[str, Any] = dict(
        zip(COUNTED, map(sum, zip(*(row[_COUNTS] for row in rows), strict=True)), strict=True)
    )
    return rows[0]._replace(
        named=any(row.named for row in rows),
        first_day=min(row.first_day for row in rows),
        last_day=max(row.last_day for row in rows),
        **totals,
    )


_COUNTS = slice(Sums._fields.index(COUNTED[0]), Sums._fields.index(COUNTED[-1]) + 1)


def without_pages(sums: Sequence[Sums]) -> Sequence[Sums]:
    """Without those of stored pages, which are no AI system, where anything else answered."""
    if any(each.surface != Surface.PAGES and (each.answers or each.absent) for each in sums):
        return [each for each in sums if each.surface != Surface.PAGES]
    return sums


def of_latest_markets(sums: Sequence[Sums]) -> Sequence[Sums]:
    """Of each engine's answers to a wording those for the market of its last day: where the brand's region changed,
    the earlier ones are of another."""
    of_market: dict[tuple[EngineKey, int, str], date] = {}
    latest: dict[tuple[EngineKey, int], date] = {}
    for each in sums:
        market, wording = (each.key, each.version, each.market), (each.key, each.version)
        of_market[market] = max(each.last_day, of_market.get(market, date.min))
        latest[wording] = max(each.last_day, latest.get(wording, date.min))
    if len(of_market) == len(latest):
        return sums
    return [each for each in sums if of_market[each.key, each.version, each.market] == latest[each.key, each.version]]


def averaged_engines(engines: Collection[EngineKey]) -> set[EngineKey]:
    """Those of these engines that make the figure over engines."""
    first = next((surface for surface in SURFACE_ORDER if any(key[1] == surface for key in engines)), None)
    return {key for key in engines if key[1] == first}


def rounded(value: float | None) -> float | None:
    """With two decimals, as figures are stored and shown; never -0.0."""
    return None if value is None else round(value, 2) + 0.0


def name_of(engine: EngineKey) -> str:
    """An engine as it is called in tables of figures and in records of changes."""
    return " ".join(engine)


def table_of(sums: Iterable[Sums], subjects: Sequence[UUID | str | None]) -> Counts:
    """The sums of these subjects, the brand (None) first, as the input of figures."""
    rows = list(sums)
    averaged = averaged_engines({each.key for each in rows})
    return count(map(_row, rows), [_key(each) for each in subjects], [name_of(key) for key in averaged])


def engines_of(sums: Iterable[Sums]) -> Mapping[str, EngineKey]:
    """The engines of a table by their names in it, in order."""
    return {name_of(key): key for key in sorted({each.key for each in sums}, key=name_of)}


def prompt_key(version: int, market: str) -> str:
    """A wording in a market as it is called in tables of figures and in records of changes: for another market it is
    another prompt."""
    return f"{version} {market}".rstrip()


def wording_of(key: object) -> str:
    """The id of the wording of such a prompt."""
    return str(key).partition(" ")[0]


def _row(each: Sums) -> Row:
    return Row(
        engine=name_of(each.key),
        prompt=prompt_key(each.version, each.market),
        topic=str(each.topic),
        subject=_key(each.subject),
        answers=each.answers,
        mentioned=each.mentioned,
        ranked=each.ranked,
        gain=each.gain,
        gain_squares=each.gain_squares,
        cited=each.cited,
        comentions=each.comentions,
        named=each.named,
        without_brand=each.without_brand,
        unsourced=each.unsourced,
        recommended=each.recommended,
        absent=each.absent,
    )


def _key(subject: UUID | str | None) -> str:
    return subject if isinstance(subject, str) else subject_key(subject)

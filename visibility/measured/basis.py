"""What *now* rests on: of each engine in use its latest counted day, and what is left out, and why. Pure.

*Now*: of each engine that is still in use, its latest counted day within the window that ends with the latest
measured day. The window has 14 days, or one and a half cadence intervals where that is longer. Where none of the
engines that counted is in use any more, nothing has taken their place yet: they all stay. So it is with prompts:
archived ones leave now, unless all that was asked is archived.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from uuid import UUID

from visibility.engines.adapters.local_search import is_local
from visibility.engines.surfaces import Surface

WINDOW_DAYS = 14
CADENCE_DAYS = {"daily": 1, "weekly": 7, "monthly": 31}


class Reason(StrEnum):
    """Why an engine is no part of the figure over engines, or of now at all."""

    LOCAL_SEARCH = "local_search"
    SURFACE = "surface"
    TOO_FEW_ANSWERS = "too_few_answers"
    TOO_OLD = "too_old"
    NOT_IN_USE = "not_in_use"
    PROMPTS_ARCHIVED = "prompts_archived"


@dataclass(frozen=True, slots=True)
class StoredEngine:
    """An engine on one day as a daily score keeps it; one that was asked and did not count has no score."""

    engine: str
    score: float | None
    answers: int
    surface: Surface = Surface.API


@dataclass(frozen=True, slots=True)
class StoredDay:
    """A measured day of a brand: the engines that were asked and the runs that were pooled."""

    day: date
    engines: Sequence[StoredEngine]
    runs: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class BrandState:
    """What decides besides the days. `archived_at` is when a prompt was archived last."""

    brand: UUID
    cadence: str
    latest: date | None
    archived_at: datetime | None
    has_imports: bool
    has_pages: bool


@dataclass(frozen=True, slots=True)
class EngineDay:
    """An engine with the day that now shows of it, and how many answers its score of that day rests on.
    `with_archived`: answers to archived prompts count, too, as no
    other prompt has taken their place."""

    engine: str
    day: date
    runs: tuple[UUID, ...]
    surface: Surface = Surface.API
    with_archived: bool = False
    answers: int = 0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An engine of which now shows nothing; `day` is its last one that is known, None where there is none."""

    engine: str
    day: date | None
    answers: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Basis:
    """What now rests on. `latest` is the latest measured day, None before the first. `is_latest_day`: the figures
    that are stored for that day are those of now. `missing` are engines in use without any day in the window.
    `archived_since`: prompts may have been archived that some of these days asked."""

    brand: UUID
    latest: date | None
    first: date | None
    engines: tuple[EngineDay, ...]
    left_out: tuple[LeftOut, ...]
    missing: tuple[str, ...]
    is_latest_day: bool
    archived_since: bool = False

    @property
    def with_archived(self) -> bool:
        """Whether all that the engines were asked is archived, so that it still counts."""
        return any(engine_day.with_archived for engine_day in self.engines)

    @property
    def compared(self) -> tuple[EngineDay, ...]:
        """The engines that findings rest on: all of now, those that quote stored pages only where no
        other is there."""
        others = tuple(engine_day for engine_day in self.engines if not is_local(engine_day.engine))
        return others or self.engines

    @property
    def days(self) -> tuple[date, ...]:
        """The days of the engines, each once, oldest first."""
        return tuple(sorted({engine_day.day for engine_day in self.engines}))


def window_of(state: BrandState) -> date | None:
    """The first day of the window; None before the first measured day."""
    if state.latest is None:
        return None
    return state.latest - timedelta(days=days_of_window(state.cadence))


def days_of_window(cadence: str) -> int:
    """How many days before the latest one the window begins."""
    return max(WINDOW_DAYS, CADENCE_DAYS.get(cadence, 0) * 3 // 2)


def decide(state: BrandState, days: Iterable[StoredDay], in_use: Collection[str]) -> Basis:
    """What now rests on; `days` are those of the window, in any order."""
    newest = sorted(days, key=lambda stored_day: stored_day.day, reverse=True)
    counted_days: dict[str, EngineDay] = {}
    last_days: dict[str, tuple[date, int]] = {}
    for stored_day in newest:
        for item in stored_day.engines:
            last_days.setdefault(item.engine, (stored_day.day, item.answers))
            if item.score is not None:
                engine_day = EngineDay(
                    item.engine, stored_day.day, tuple(stored_day.runs), item.surface, answers=item.answers
                )
                counted_days.setdefault(item.engine, engine_day)
    engine_days = {name: day for name, day in counted_days.items() if name in in_use} or counted_days
    left_out = [
        LeftOut(name, day, answers, Reason.TOO_FEW_ANSWERS if name in in_use else Reason.NOT_IN_USE)
        for name, (day, answers) in sorted(last_days.items())
        if name not in engine_days
    ]
    archived_since = _archived_since(state, engine_days.values())
    return Basis(
        brand=state.brand,
        latest=state.latest,
        first=window_of(state),
        engines=tuple(engine_days[name] for name in sorted(engine_days)),
        left_out=tuple(left_out),
        missing=tuple(sorted(set(in_use) - last_days.keys())),
        is_latest_day=not archived_since and _is_of_latest_day(state, engine_days, newest),
        archived_since=archived_since,
    )


def without_archived(basis: Basis, engines: Collection[str]) -> Basis:
    """The basis where only these `engines` were asked prompts that are still active: the others leave now,
    unless that would leave none, when all stay on all that they were asked."""
    if not basis.engines or {row.engine for row in basis.engines} <= set(engines):
        return basis
    if not engines:
        return replace(basis, engines=tuple(replace(row, with_archived=True) for row in basis.engines))
    gone = [
        LeftOut(row.engine, row.day, row.answers, Reason.PROMPTS_ARCHIVED)
        for row in basis.engines
        if row.engine not in engines
    ]
    return replace(
        basis,
        engines=tuple(row for row in basis.engines if row.engine in engines),
        left_out=tuple(sorted((*basis.left_out, *gone), key=lambda row: row.engine)),
    )


def _archived_since(state: BrandState, engine_days: Iterable[EngineDay]) -> bool:
    """Whether a prompt may have been archived that one of these days asked. An import may hold answers to prompts
    that were archived before."""
    oldest = min((engine_day.day for engine_day in engine_days), default=None)
    if state.archived_at is None or oldest is None:
        return False
    return state.has_imports or state.archived_at >= datetime.combine(oldest, time.min, UTC)


def _is_of_latest_day(state: BrandState, engine_days: Mapping[str, EngineDay], newest: Sequence[StoredDay]) -> bool:
    """Whether the engines of now are those that counted on the latest day, no more and no fewer."""
    if not newest or newest[0].day != state.latest:
        return True  # nothing was measured, or nothing is known of it
    scored_engines = {item.engine for item in newest[0].engines if item.score is not None}
    return scored_engines == engine_days.keys() and all(
        engine_day.day == state.latest for engine_day in engine_days.values()
    )

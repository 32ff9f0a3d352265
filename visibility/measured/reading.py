"""Reads what now rests on: for one brand or many in the same few statements, and the answers behind it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

import orjson
from django.conf import settings
from django.db.models import Count, Exists, FilteredRelation, Max, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast, Coalesce

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.snapshot import remembered
from brands.models import Brand
from visibility.engines.adapters.local_search import NAME, is_local
from visibility.engines.registry import load_engine
from visibility.engines.surfaces import surface_of
from visibility.measured.basis import (
    Basis,
    BrandState,
    EngineDay,
    LeftOut,
    Reason,
    StoredDay,
    StoredEngine,
    decide,
    window_of,
)
from visibility.models import Answer, DailyScore, EngineConfig, Page, Prompt, Run

MAX_OLDER_DAYS = 400
"""Measured days before the window that are looked at for engines that the window does not have."""

_Rows = Iterable[Sequence[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class KnownDays:
    """What was read of a brand before: all its measured days, and the engines whose answers were imported, None where
    that is not known. Compared by identity, as what is remembered of a snapshot is."""

    days: Sequence[StoredDay]
    imported: frozenset[str] | None


@remembered
def read_basis(brand_id: UUID, caller: Caller | None = None, known: KnownDays | None = None) -> Basis:
    """What now rests on for one brand. With a caller by prepared statements, through what the caller reaches; what is
    `known` already is not read again."""
    if caller is None:
        return read_bases([brand_id])[brand_id]
    states = [_state(row) for row in _STATE.rows(caller, brand_id=brand_id)]
    if not states or (first := window_of(states[0])) is None:
        return _decided(states, {}, ())[brand_id] if states else _nothing(brand_id)
    if known is None:
        days = _by_brand(_DAYS.rows(caller, brand_id=brand_id, first=first))
    else:
        days = {brand_id: [day for day in known.days if day.day >= first]}
    imported = {brand_id: known.imported} if known and known.imported is not None else None
    return _decided(states, days, _CHOICES.rows(caller, brand_id=brand_id), imported)[brand_id]


def read_bases(brands: Sequence[UUID]) -> dict[UUID, Basis]:
    """What now rests on, by brand: as many statements for one as for all."""
    states = [_state(row) for row in _states(Brand.objects.filter(pk__in=brands))]
    windows = [Q(brand=state.brand, date__gte=first) for state in states if (first := window_of(state))]
    days = _days(DailyScore.objects.filter(reduce(or_, windows))) if windows else ()
    bases = _decided(states, _by_brand(days), _choices(Q(choices__brand__in=brands)) if windows else ())
    return {brand: bases.get(brand) or _nothing(brand) for brand in brands}


def answers_of(engines: Iterable[EngineDay], *, active: bool = True) -> QuerySet[Answer, Any]:
    """The answers of these engines on their days; `active`: to prompts that are asked today alone."""
    by_day: dict[tuple[date, tuple[UUID, ...]], list[str]] = defaultdict(list)
    for engine_day in engines:
        by_day[engine_day.day, engine_day.runs].append(engine_day.engine)
    conditions = [_of_day(day, runs, names) for (day, runs), names in by_day.items()]
    answers = Answer.objects.filter(reduce(or_, conditions)) if conditions else Answer.objects.none()
    if active:
        answers = answers.filter(prompt__archived_at=None)
    return answers.order_by()


def older_days(basis: Basis) -> tuple[LeftOut, ...]:
    """Of the engines in use that the window does not have, those that counted before it, with their last day."""
    if not basis.missing or basis.first is None:
        return ()
    rows = DailyScore.objects.filter(brand=basis.brand, competitor=None, date__lt=basis.first).order_by("-date")
    last: dict[str, LeftOut] = {}
    for day, engines in rows.values_list("date", "engines")[:MAX_OLDER_DAYS]:
        for item in engines:
            if item["engine"] in basis.missing and item["score"] is not None:
                last.setdefault(item["engine"], LeftOut(item["engine"], day, item["answers"], Reason.TOO_OLD))
    return tuple(last[name] for name in sorted(last))


def _of_day(day: date, runs: Sequence[UUID], engines: Sequence[str]) -> Q:
    """Runs of imports may hold answers of other days."""
    start = datetime.combine(day, time.min, UTC)
    own_day = ~Q(run__trigger=Run.Trigger.IMPORT) | Q(
        answered_at__gte=start, answered_at__lt=start + timedelta(days=1)
    )
    return Q(run__in=runs, engine__in=engines) & own_day


def _by_brand(rows: _Rows) -> dict[UUID, list[StoredDay]]:
    days: dict[UUID, list[StoredDay]] = {}
    for brand, day, engines, runs in rows:
        days.setdefault(brand, []).append(_stored_day(day, engines, runs))
    return days


def _decided(
    states: Sequence[BrandState],
    days: Mapping[UUID, Sequence[StoredDay]],
    choices: _Rows,
    imported: Mapping[UUID, frozenset[str]] | None = None,
) -> dict[UUID, Basis]:
    if imported is None:
        imported = _imported([state.brand for state in states if state.has_imports and state.brand in days])
    configured = _configured(choices)
    return {
        state.brand: decide(
            state, days.get(state.brand, ()), _in_use(state, configured) | imported.get(state.brand, frozenset())
        )
        for state in states
    }


def _stored_day(day: date, engines: str, runs: str) -> StoredDay:
    return StoredDay(
        day,
        [_stored_engine(item) for item in orjson.loads(engines)],
        [UUID(run) for run in orjson.loads(runs)],
    )


def _stored_engine(item: Mapping[str, Any]) -> StoredEngine:
    surface = surface_of(item["engine"], item.get("surface"))
    return StoredEngine(item["engine"], item["score"], item["answers"], surface)


def _in_use(state: BrandState, configured: Mapping[UUID | None, set[str]]) -> set[str]:
    """The engines that scans of the brand would ask; whether a key is there is not looked at."""
    names = {load_engine(path).name for path in settings.EXTRA_ENGINES}
    names |= configured.get(state.brand, configured[None])
    return names | {NAME} if state.has_pages else {name for name in names if not is_local(name)}


def _configured(choices: _Rows) -> dict[UUID | None, set[str]]:
    """The enabled engines by brand that has chosen any, and under None those of all others."""
    names: dict[UUID | None, set[str]] = {None: set()}
    for name, enabled, brand in choices:
        engine_names = names.setdefault(brand, set())
        if enabled:
            engine_names.add(name)
            names[None].add(name)
    return names


def _imported(brands: Sequence[UUID]) -> dict[UUID, frozenset[str]]:
    """The engines whose answers were imported."""
    if not brands:
        return {}
    names: dict[UUID, set[str]] = defaultdict(set)
    runs = Run.objects.filter(brand__in=brands, trigger=Run.Trigger.IMPORT).order_by()
    for brand, engines in runs.values_list("brand_id", "engines"):
        names[brand] |= set(engines)
    return {brand: frozenset(engines) for brand, engines in names.items()}


def _state(row: Sequence[Any]) -> BrandState:
    brand, cadence, latest, prompts, archived_at, has_imports, has_pages, details = row
    engines = orjson.loads(details).get("engines", {}) if details else {}
    covered = {name: engine["prompts"] for name, engine in engines.items() if "prompts" in engine}
    return BrandState(brand, cadence, latest, prompts, archived_at, has_imports, has_pages, covered)


def _nothing(brand: UUID) -> Basis:
    return Basis(brand, None, None, (), (), (), is_latest_day=True)


def _states(brands: QuerySet[Brand]) -> QuerySet[Brand, Any]:
    """The fields of a `BrandState`, details of the latest day as text in place of the last."""
    latest = DailyScore.objects.filter(brand=OuterRef("pk"), competitor=None).order_by("-date")
    prompts = Prompt.objects.filter(brand=OuterRef("pk")).order_by()
    imports = Run.objects.filter(brand=OuterRef("pk"), trigger=Run.Trigger.IMPORT)
    return brands.order_by().values_list(
        "pk",
        "cadence",
        Subquery(latest.values("date")[:1]),
        Coalesce(Subquery(prompts.active().values("brand").annotate(number=Count("pk")).values("number")), 0),
        Subquery(prompts.tracked().values("brand").annotate(last=Max("archived_at")).values("last")),
        Exists(imports),
        Exists(Page.objects.filter(brand=OuterRef("pk"))),
        Subquery(latest.annotate(text=Cast("details", TextField())).values("text")[:1]),
    )


def _days(days: QuerySet[DailyScore]) -> QuerySet[DailyScore, Any]:
    texts = [Cast(name, TextField()) for name in ("engines", "runs")]
    return days.filter(competitor=None).order_by().values_list("brand_id", "date", *texts)


def _choices(of_brands: Q) -> QuerySet[EngineConfig, Any]:
    """Each configured engine with each of these brands that has chosen it, None where none has."""
    chosen = FilteredRelation("choices", condition=of_brands)
    return EngineConfig.objects.annotate(chosen=chosen).order_by().values_list("name", "enabled", "chosen__brand")


def _state_of(caller: Caller, brand_id: Slot) -> QuerySet[Brand, Any]:
    return _states(Brand.objects.restrict(caller, "view").filter(pk=brand_id))


def _days_of(caller: Caller, brand_id: Slot, first: Slot) -> QuerySet[DailyScore, Any]:
    return _days(DailyScore.objects.restrict(caller, "view").filter(brand=brand_id, date__gte=first))


def _choices_of(caller: Caller, brand_id: Slot) -> QuerySet[EngineConfig, Any]:
    return _choices(Q(choices__brand=brand_id))


_STATE = Prepared(_state_of)
_DAYS = Prepared(_days_of)
_CHOICES = Prepared(_choices_of)

"""Reads what now rests on: for one brand or many in the same few statements, and the answers behind it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

import orjson
from django.conf import settings
from django.db.models import Q, QuerySet

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
    without_archived,
)
from visibility.measured.basis_rows import STATE_FIELDS, BasisRows, rows_of_many, rows_of_one, states_of
from visibility.models import Answer, DailyScore, Run

MAX_OLDER_DAYS = 400
"""Measured days before the window that are looked at for engines that the window does not have."""

_Rows = Iterable[Sequence[Any]]


@remembered
def read_basis(brand_id: UUID) -> Basis:
    """What now rests on for one brand: in one statement, two where prompts were archived since."""
    rows = rows_of_one(brand_id)
    states = [_state(row) for row in rows.states]
    if not states or (first := window_of(states[0])) is None:
        return _decided(states, {}, ())[brand_id] if states else _nothing(brand_id)
    days = [day for day in _by_brand(rows.days).get(brand_id, ()) if day.day >= first]
    return _still_asked(_decided(states, {brand_id: days}, rows.choices))[brand_id]


def read_bases(brands: Sequence[UUID]) -> dict[UUID, Basis]:
    """What now rests on, by brand: as many statements for one as for all."""
    return bases_of([_state(row) for row in states_of(Brand.objects.filter(pk__in=brands))], brands)


def bases_of(states: Sequence[BrandState], brands: Sequence[UUID]) -> dict[UUID, Basis]:
    """As `read_bases`, where their states were read already."""
    windows = [Q(brand=state.brand, date__gte=first) for state in states if (first := window_of(state))]
    rows = rows_of_many(DailyScore.objects.filter(reduce(or_, windows)), brands) if windows else BasisRows()
    bases = _still_asked(_decided(states, _by_brand(rows.days), rows.choices))
    return {brand: bases.get(brand) or _nothing(brand) for brand in brands}


def answers_of(
    engines: Iterable[EngineDay], *, active: bool = True, all_topics: bool = False
) -> QuerySet[Answer, Any]:
    """The answers of these engines on their days; `active`: those that count now, of prompts that are still asked,
    or of all where none is; `all_topics`: also those on topics that the figures leave out."""
    by_day: dict[tuple[date, tuple[UUID, ...], bool], list[str]] = defaultdict(list)
    for engine_day in engines:
        by_day[engine_day.day, engine_day.runs, active and not engine_day.with_archived].append(engine_day.engine)
    conditions = [
        _of_day(day, runs, names) & (Q(prompt__archived_at=None) if of_active else Q())
        for (day, runs, of_active), names in by_day.items()
    ]
    answers = Answer.objects.filter(reduce(or_, conditions)) if conditions else Answer.objects.none()
    if not all_topics:
        answers = answers.counting()
    return answers.order_by()


def _still_asked(bases: dict[UUID, Basis]) -> dict[UUID, Basis]:
    """The bases without what is archived since: one statement for all of them, none where nothing is."""
    doubtful = [basis for basis in bases.values() if basis.archived_since]
    if not doubtful:
        return bases
    answers = answers_of([engine_day for basis in doubtful for engine_day in basis.engines])
    answers = answers.filter(state=Answer.State.ANSWERED)
    engines: dict[UUID, set[str]] = defaultdict(set)
    for brand, engine in answers.values_list("brand_id", "engine").distinct():
        engines[brand].add(engine)
    return bases | {basis.brand: without_archived(basis, engines[basis.brand]) for basis in doubtful}


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
    states: Sequence[BrandState], days: Mapping[UUID, Sequence[StoredDay]], choices: _Rows
) -> dict[UUID, Basis]:
    configured, imported = _configured(choices)
    return {
        state.brand: decide(
            state, days.get(state.brand, ()), _in_use(state, configured) | imported.get(state.brand, set())
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


def _configured(choices: _Rows) -> tuple[dict[UUID | None, set[str]], dict[UUID, set[str]]]:
    """The enabled engines by brand that has chosen any, and under None those of all others; and the engines whose
    answers were imported, by brand."""
    names: dict[UUID | None, set[str]] = {None: set()}
    imported: dict[UUID, set[str]] = defaultdict(set)
    for name, enabled, brand in choices:
        if enabled is None:
            imported[brand] |= set(orjson.loads(name))
            continue
        engine_names = names.setdefault(brand, set())
        if enabled:
            engine_names.add(name)
            names[None].add(name)
    return names, imported


def _state(row: Sequence[Any]) -> BrandState:
    return BrandState(*row)


def _nothing(brand: UUID) -> Basis:
    return Basis(brand, None, None, (), (), (), is_latest_day=True)


def state_of(brand: Brand) -> BrandState:
    """The state of a brand that was read `with_state`."""
    return _state([brand.pk, brand.cadence, *(getattr(brand, name) for name in STATE_FIELDS)])

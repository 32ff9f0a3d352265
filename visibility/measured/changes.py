"""What changed of engines that now shows on different days: of each since its own day before. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.formats import date_format

from visibility.engines.surfaces import averaged_together, surface_of
from visibility.measured.basis import EngineDay
from visibility.models import DailyScore

_FIGURES = ("delta", "low", "high", "interval", "verdict", "minimum_detectable")
_OF_DAY = ("comparable", "change", "change_week", "change_month", "confirmation", "monitor", "changes")
Stored = Mapping[date, DailyScore]
"""The stored scores of one subject by day."""


def tell_changes(
    row: DailyScore, engines: Sequence[EngineDay], averaged: Sequence[EngineDay], stored: Stored
) -> None:
    """Put into a row of now what its engines' days say of changes. Of the figure over engines only where these are
    all that made the figure of their one day; days that differ have no common day before."""
    days = {engine_day.day for engine_day in averaged}
    day_row = stored.get(next(iter(days))) if len(days) == 1 else None
    if day_row is not None and _averaged(day_row) == {engine_day.engine for engine_day in averaged}:
        for name in _OF_DAY:
            setattr(row, name, getattr(day_row, name))
        row.budget = {**row.budget, "change": day_row.budget.get("change")}
        return
    row.comparable = False
    row.changes = [
        change
        for engine_day in engines
        if engine_day.day in stored
        for change in _of(stored[engine_day.day].changes, engine_day.engine)
    ]
    engine_changes = [change for engine_day in engines if (change := _own(engine_day, stored.get(engine_day.day)))]
    row.change = _apart(engine_changes, engines) if engine_changes else None


def _averaged(row: DailyScore) -> set[str]:
    """The engines of the figure over engines."""
    surfaces = {
        item["engine"]: surface_of(item["engine"], item.get("surface"))
        for item in row.engines
        if item["score"] is not None
    }
    return set(averaged_together(surfaces))


def _of(changes: Iterable[dict[str, Any]], engine: str) -> list[dict[str, Any]]:
    return [change for change in changes if change["engine"] == engine]


def _own(engine: EngineDay, row: DailyScore | None) -> dict[str, Any] | None:
    """The change of the engine's score as its own day has it; None where that is the first measured day."""
    if row is None or row.change is None:
        return None
    for change in row.change.get("by_engine", ()):
        if change["engine"] == engine.engine:
            return dict(change)
    for change in _of(row.changes, engine.engine):
        if change["metric"] == "score":
            figures = {name: change.get(name) for name in _FIGURES}
            development = {name: change.get(name) for name in ("week", "month", "confirmation", "monitor")}
            return {"engine": engine.engine, "since": row.change["since"], "causes": [], **figures, **development}
    return None


def _apart(engine_changes: list[dict[str, Any]], engines: Sequence[EngineDay]) -> dict[str, Any]:
    days = ", ".join(f"{engine_day.engine} on {date_format(engine_day.day)}" for engine_day in engines)
    message = f"the engines were last measured on different days, or not all of that day count now: {days}"
    return {
        "since": min(change["since"] for change in engine_changes),
        **dict.fromkeys(_FIGURES),
        "verdict": "not_comparable",
        "causes": [{"code": "engines", "message": message}],
        "common": None,
        "by_engine": engine_changes,
    }

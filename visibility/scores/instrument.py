"""What of a change of a score is of engines that changed themselves at that time."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Any

from brands.models import Brand
from visibility.counts.sums import EngineKey, name_of, rounded
from visibility.models import ChangeRecord, EngineChange, OutsideEvent
from visibility.scores.engines import measured_of

NEAR = timedelta(days=2)
"""A change of an engine so long before or after one of a score belongs to it."""


def instrument_of(record: ChangeRecord) -> dict[str, Any]:
    """The changes of engines within two days of a change of a score, how many of its points are theirs, and the score
    of the other engines before and after. Empty where there are none.

    The names are those of the API.
    """
    parts: dict[str, dict[str, Any]] = {part["key"]: part for part in record.parts.get("engines", []) if part["key"]}
    near = engine_changes(record.brand, record.began - NEAR, record.began + NEAR)
    changes = [each for each in near if name_of(_key(each)) in parts]
    if not changes:
        return {}
    names = {name_of(_key(each)) for each in changes}
    others = [part for name, part in parts.items() if name not in names]
    return {
        "changes": [
            {"engine": each.engine.name, "surface": each.surface, "since": str(each.began), "features": each.features}
            for each in changes
        ],
        "points": rounded(sum(parts[name]["points"] for name in names)),
        "othersBefore": _mean(others, "before"),
        "othersAfter": _mean(others, "after"),
    }


def engine_changes(brand: Brand, first: date, last: date) -> Collection[EngineChange]:
    """The changes of engines on these days, both included, for markets that the brand asks for; the oldest first."""
    changes = EngineChange.objects.filter(began__range=(first, last)).select_related("engine")
    if not changes.exists():
        return []
    return changes.filter(market__in=["", *measured_of(brand).markets]).order_by("began", "engine__name", "pk")


def has_happened(first: date, last: date) -> bool:
    """Whether on these days any engine changed, or something happened outside, for whichever brand."""
    changes = EngineChange.objects.filter(began__range=(first, last)).order_by().values("pk")
    outside = OutsideEvent.objects.filter(day__range=(first, last)).order_by().values("pk")
    return changes.union(outside, all=True).exists()


def _mean(parts: Collection[Mapping[str, Any]], name: str) -> float | None:
    return rounded(sum(part[name] for part in parts) / len(parts)) if parts else None


def _key(change: EngineChange) -> EngineKey:
    return change.engine.name, change.surface

"""Reads the changes of a brand that may be called so, as the pipeline wrote them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q

from visibility.models import ChangeRecord

_ORDER = [ChangeRecord.Of.SCORE, ChangeRecord.Of.ENGINE, ChangeRecord.Of.TOPIC]


def told_changes(brand_id: UUID, day: date | None) -> Sequence[ChangeRecord]:
    """The changes that are told of a measured day (normally the latest): those that began by then and have neither
    recovered nor been known for more than 28 days. The score's first, then engines, then topics; the latest first."""
    return told_by_brand({brand_id: day}).get(brand_id, [])


def told_by_brand(days: Mapping[UUID, date | None]) -> dict[UUID, list[ChangeRecord]]:
    """As `told_changes`, of each of these brands on its own day, in one statement."""
    told_rows = [Q(brand=brand, began__lte=day, told_until__gte=day) for brand, day in days.items() if day]
    by_brand: dict[UUID, list[ChangeRecord]] = {}
    for row in in_order(ChangeRecord.objects.filter(reduce(or_, told_rows))) if told_rows else ():
        by_brand.setdefault(row.brand_id, []).append(row)
    return by_brand


def changes_within(brand_id: UUID, first: date, last: date) -> Sequence[ChangeRecord]:
    """All changes on record that were told on any day from `first` to `last`, in the same order."""
    return in_order(ChangeRecord.objects.filter(brand=brand_id, began__lte=last, told_until__gte=first))


def in_order(rows: Iterable[ChangeRecord]) -> list[ChangeRecord]:
    """The score's first, then engines, then topics; of each the latest first, then the largest."""
    return sorted(
        rows, key=lambda row: (_ORDER.index(ChangeRecord.Of(row.of)), -row.began.toordinal(), -abs(row.delta))
    )

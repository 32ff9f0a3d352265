"""Reads the changes of a brand that may be called so, as the pipeline wrote them."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from visibility.models import ChangeRecord


def told_changes(brand_id: UUID, day: date | None) -> Sequence[ChangeRecord]:
    """The changes that are told on a measured day (normally the latest): those that began by then and have neither
    recovered nor been known for more than 28 days. The score's first, then engines, then topics; the latest first."""
    if day is None:
        return []
    order = [ChangeRecord.Of.SCORE, ChangeRecord.Of.ENGINE, ChangeRecord.Of.TOPIC]
    rows = ChangeRecord.objects.filter(brand=brand_id, known_on__lte=day, told_until__gte=day).order_by("-began")
    return sorted(rows, key=lambda row: (order.index(ChangeRecord.Of(row.of)), -row.began.toordinal(), row.engine))

"""The queue: what measuring finds to be done becomes rows, and no decision of a person is ever lost by it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.utils import timezone

from brands.models import Brand
from visibility.models import Recommendation, Run
from visibility.models.recommendations import Level

Status = Recommendation.Status
WAITING = (Status.OPEN, Status.IN_PROGRESS)


@dataclass(frozen=True, slots=True)
class Card:
    """One thing to do, as it is seen now. `subject` tells it from the others of its kind, as long as it stays."""

    subject: str
    title: str
    summary: str
    priority: int
    impact: Level
    effort: Level
    evidence: Sequence[dict[str, Any]]
    payload: dict[str, Any]


def refresh(brand: Brand, run: Run, kind: str, cards: Sequence[Card], *, closes: bool) -> None:
    """Write what a run sees of a kind, in the caller's transaction.

    A new card is open, one that was resolved and is seen again is open again; what people have decided stays as it
    is. With `closes`, cards that wait and are not seen any more are resolved.
    """
    now = timezone.now()
    rows = Recommendation.objects.select_for_update(no_key=True).filter(brand=brand, kind=kind).order_by("pk")
    known = {row.subject: row for row in rows}
    for card in cards:
        row = known.pop(card.subject, None)
        if row is None:
            values = {field.name: getattr(card, field.name) for field in fields(card)}
            Recommendation.objects.create(brand=brand, kind=kind, first_seen_run=run, last_seen_run=run, **values)
            continue
        changed = [field.name for field in fields(card) if getattr(row, field.name) != getattr(card, field.name)]
        for name in changed:
            setattr(row, name, getattr(card, name))
        if changed:
            row.updated_at = now
        if row.status == Status.RESOLVED:
            row.status, row.status_changed_at, row.updated_at = Status.OPEN, now, now
        row.last_seen_run = run
        row.save()
    for row in known.values():
        if closes and row.status in WAITING:
            row.status, row.status_changed_at, row.updated_at = Status.RESOLVED, now, now
            row.save(update_fields=["status", "status_changed_at", "updated_at"])

"""The queue: recommendations become rows, and no decision of a person is ever lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.utils import timezone

from brands.models import Brand
from visibility.models import Recommendation, Run
from visibility.models.recommendations import Level, RecommendationStatus

Status = Recommendation.Status
UNRESOLVED = (Status.OPEN, Status.IN_PROGRESS, Status.DONE)


@dataclass(frozen=True, slots=True)
class Card:
    """One thing to do, as it is seen now. `subject` identifies it among its kind, from scan to scan."""

    subject: str
    title: str
    summary: str
    priority: int
    impact: Level
    effort: Level
    evidence: list[dict[str, Any]]
    payload: dict[str, Any]


def refresh(
    brand: Brand, run: Run, kind: str, cards: Sequence[Card], closed: Callable[[Recommendation], str | None]
) -> None:
    """Write the cards of a kind that a run sees, in the caller's transaction.

    A new card is open; a resolved one that is seen again is open again; what people have decided stays. A card that
    is not seen is resolved if it is not dismissed and `closed` gives a reason; else too little is known.
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
            _move(row, Status.OPEN, "It was seen again.", now)
        row.last_seen_run = run
        row.save()
    for row in known.values():
        if row.status in UNRESOLVED and (reason := closed(row)):
            _move(row, Status.RESOLVED, reason, now)
            row.save()


def _move(row: Recommendation, status: RecommendationStatus, reason: str, now: datetime) -> None:
    row.status, row.status_reason, row.status_changed_by = status, reason, ""
    row.status_changed_at = row.updated_at = now

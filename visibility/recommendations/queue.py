"""The queue: recommendations become rows, and no decision of a person is ever lost."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone

from apikeys.text import storable
from visibility.audits.words import to_store
from visibility.models import Recommendation, Run
from visibility.models.recommendations import RecommendationStatus
from visibility.recommendations.facts import Facts
from visibility.recommendations.kinds.base import Card, CardFacts, Kind

Status = Recommendation.Status
REPLACED = "replaced"
"""Why a recommendation of an earlier edition is dismissed that nothing of now is like."""
UNRESOLVED = (Status.OPEN, Status.IN_PROGRESS, Status.DONE)


def refresh(facts: Facts, run: Run, kind: Kind[Any], cards: Iterable[Card[Any]]) -> None:
    """Write the cards of a kind that a run shows, in the caller's transaction.

    A new card is open; a resolved one that is found again is open again; what people have decided stays. A card that
    is not found is resolved if it is not dismissed and the kind gives a reason; else too little is known.
    """
    now = timezone.now()
    rows = Recommendation.objects.select_for_update(no_key=True).filter(brand=facts.brand, kind=kind.name)
    known = {row.subject: row for row in rows.order_by("pk")}
    for card in cards:
        values = _values(kind, card)
        row = known.pop(card.subject, None)
        if row is None:
            Recommendation.objects.create(
                brand=facts.brand,
                kind=kind.name,
                subject=card.subject,
                first_seen_run=run,
                last_seen_run=run,
                **values,
            )
            continue
        changed = [name for name, value in values.items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, values[name])
        if changed:
            row.updated_at = now
        if row.status == Status.RESOLVED or _is_replaced(row):
            _move(row, Status.OPEN, "It was seen again.", now)
        row.last_seen_run = run
        row.save()
    for row in known.values():
        if row.status not in UNRESOLVED:
            continue
        if "written" in row.facts and row.status != Status.DONE:
            _move(row, Status.DISMISSED, REPLACED, now)
            row.save()
        elif reason := _reason(facts, kind, row):
            _move(row, Status.RESOLVED, reason, now)
            row.save()


def facts_of(row: Recommendation, kind: Kind[Any]) -> CardFacts | None:
    """The facts of a row; None where they were written by an earlier edition and nothing has renewed them."""
    return None if "written" in row.facts else kind.facts.model_validate(row.facts)


def _is_replaced(row: Recommendation) -> bool:
    """Whether it was closed because nothing of now was like it, and not by a person."""
    return row.status == Status.DISMISSED and row.status_reason == REPLACED and not row.status_changed_by


def _reason(facts: Facts, kind: Kind[Any], row: Recommendation) -> str | None:
    """Why a card that is not found any more is over, if it is."""
    if facts.is_unsure and kind.claims_absence:
        return "Answers have a name that may be yours: decide about that first."
    card = facts_of(row, kind)
    return kind.end(facts, card, row.subject) if card is not None else None


def _values(kind: Kind[Any], card: Card[Any]) -> dict[str, Any]:
    return {
        "facts": storable(to_store(card.facts.model_dump(by_alias=False))),
        "evidence": storable(to_store(list(card.evidence))),
        "priority": kind.priority(card),
        "impact": kind.impact(card),
        "effort": card.effort,
    }


def _move(row: Recommendation, status: RecommendationStatus, reason: str, now: datetime) -> None:
    row.status, row.status_reason, row.status_changed_by = status, reason, ""
    row.status_changed_at = row.updated_at = now

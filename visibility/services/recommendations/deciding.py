"""What people decide about recommendations, and what follows from it: work that is done is to be proven."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.errors import ServiceError, invalid, not_found
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.insights.proofs.planning import begin, drop_unjudged, note_scan
from visibility.insights.proofs.stored import plan_of
from visibility.models import Proof, Recommendation, Run, StatusChange
from visibility.models.recommendations import MAX_REASON
from visibility.services.scans.starting import StartReason, start_scan

_Status = Recommendation.Status
SET_BY_PEOPLE = (_Status.OPEN, _Status.IN_PROGRESS, _Status.DONE, _Status.DISMISSED)
_WRITTEN = ("status", "status_reason", "status_by", "updated_at", "status_changed_at", "proof")


@transaction.atomic
def set_status(
    caller: Caller, *, recommendation: Recommendation, status: str, reason: str = "", now: datetime | None = None
) -> Recommendation:
    """Say where the work stands, and why; a reason is required to dismiss. `resolved` comes from measurement alone.

    Done freezes the plan of its proof, as far as its kind can be proven; where there is no day yet to hold later ones
    against, a scan is started for it as the caller, and the plan says why not where none can be. What is done no more
    is no longer proven, unless the verdict is there. The status it has already changes nothing. `now` is when it is
    said; the demo says it on days of its past.
    Raises not_found, read_only_collaborator and invalid_arguments.
    """
    brand = editable_brand(caller, recommendation.brand_id, lock=True)
    reason = _checked(status, reason)
    row: Recommendation | None = (
        Recommendation.objects.select_for_update(of=("self",), no_key=True)
        .select_related("proof")
        .filter(brand=brand, pk=recommendation.pk)
        .first()
    )
    if row is None:
        raise not_found()
    if row.status != status:
        _change(caller, brand, row, status, reason, now or timezone.now())
    return row


def set_status_by_id(
    caller: Caller,
    *,
    brand_id: UUID,
    recommendation_id: UUID,
    status: str,
    reason: str = "",
    now: datetime | None = None,
) -> Recommendation:
    """As `set_status`, for the brand's recommendation with this id; not_found for one of another brand."""
    brand = editable_brand(caller, brand_id)
    row: Recommendation | None = Recommendation.objects.filter(brand=brand, pk=recommendation_id).first()
    if row is None:
        raise not_found()
    return set_status(caller, recommendation=row, status=status, reason=reason, now=now)


def _checked(status: str, reason: str) -> str:
    if status not in SET_BY_PEOPLE:
        raise invalid(
            "status",
            f"People set a recommendation to {', '.join(SET_BY_PEOPLE)}; only measurement sets it to resolved.",
        )
    reason = clean_line("reason", reason, longest=MAX_REASON, required=False)
    if status == _Status.DISMISSED and not reason:
        raise invalid("reason", "Say why it is dismissed: those who come after you will want to know.")
    return reason


def _change(caller: Caller, brand: Brand, row: Recommendation, status: str, reason: str, now: datetime) -> None:
    StatusChange.objects.create(
        recommendation=row, before=row.status, status=status, reason=reason, actor=caller.actor, changed_at=now
    )
    row.status, row.status_reason, row.status_by = status, reason, caller.actor
    row.updated_at = row.status_changed_at = now
    if status == _Status.DONE:
        _prove(caller, brand, row, now)
        row.save(update_fields=_WRITTEN)
    else:
        former, row.proof = row.proof, None if row.proof and row.proof.state != Proof.State.JUDGED else row.proof
        row.save(update_fields=_WRITTEN)
        drop_unjudged(former)


def _prove(caller: Caller, brand: Brand, row: Recommendation, now: datetime) -> None:
    if row.proof and row.proof.state != Proof.State.JUDGED:
        return  # measurement resolved it meanwhile; what was done is still being proven
    row.proof = begin(brand, row, now)
    if row.proof and row.proof.state == Proof.State.BASELINE:
        note_scan(row.proof, _ordered(caller, brand, row.proof, now))


def _ordered(caller: Caller, brand: Brand, proof: Proof, now: datetime) -> str:
    """Start the scan that becomes the baseline; what came of that, in a sentence."""
    gap_days = plan_of(proof).gap_days
    today = now.astimezone(UTC).date()
    if today in gap_days:
        tomorrow = date_format(today + timedelta(days=1))
        return f"Today's answers are among those that found the gap: scan again on {tomorrow}."
    trigger = Run.Trigger.OPERATOR if caller.is_operator else Run.Trigger.WEB
    try:
        started = start_scan(caller, brand_id=brand.pk, trigger=trigger)
    except ServiceError as refusal:
        return f"No scan could be started for it: {refusal.message}"
    if started.started:
        return f"A scan was started for it: {started.run.total} answers."
    if started.reason == StartReason.ACTIVE and started.run.created_at.astimezone(UTC).date() not in gap_days:
        return "The scan that is under way becomes it."
    allowed_at = date_format(started.next_allowed_at.astimezone(UTC), "DATETIME_FORMAT")
    return f"No scan could be started for it yet, as the last one was just now: another can start at {allowed_at}."

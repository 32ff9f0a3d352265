"""What people decide about recommendations."""

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import invalid, not_found
from apikeys.text.validation import clean_line
from brands.services.access import editable_brand
from visibility.models import Recommendation, StatusChange
from visibility.models.recommendations import MAX_REASON

SET_BY_PEOPLE = (
    Recommendation.Status.OPEN,
    Recommendation.Status.IN_PROGRESS,
    Recommendation.Status.DONE,
    Recommendation.Status.DISMISSED,
)


@transaction.atomic
def set_status(caller: Caller, *, recommendation: Recommendation, status: str, reason: str = "") -> Recommendation:
    """Say where the work stands, and why. `resolved` comes from measurement alone: the gap has closed.

    A resolved recommendation may be opened again. The status it has already changes nothing.
    """
    editable_brand(caller, recommendation.brand_id)
    if status not in SET_BY_PEOPLE:
        raise invalid(
            "status",
            f"People set a recommendation to {', '.join(SET_BY_PEOPLE)}; only measurement sets it to resolved.",
        )
    reason = clean_line("reason", reason, longest=MAX_REASON, required=False)
    rows = Recommendation.objects.select_for_update(of=("self",), no_key=True)
    locked: Recommendation | None = rows.filter(pk=recommendation.pk).first()
    if locked is None:
        raise not_found()
    if locked.status != status:
        before, locked.status = locked.status, status
        locked.updated_at = locked.status_changed_at = timezone.now()
        locked.status_reason, locked.status_by = reason, caller.actor
        locked.save(update_fields=["status", "updated_at", "status_changed_at", "status_reason", "status_by"])
        StatusChange.objects.create(
            recommendation=locked, before=before, status=status, reason=reason, actor=caller.actor
        )
    return locked

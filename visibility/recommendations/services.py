"""What people decide about recommendations."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.errors import conflict, invalid, not_found
from apikeys.text import clean_line
from brands.access import editable_brand
from visibility.models import Recommendation
from visibility.recommendations.proofs import plan_proof

Status = Recommendation.Status
DECISIONS = (Status.OPEN, Status.IN_PROGRESS, Status.DONE, Status.DISMISSED)
LONGEST_REASON = 300


@transaction.atomic
def decide(
    caller: Caller, *, brand_id: UUID, recommendation_id: UUID, status: str, seen: str, reason: str = ""
) -> Recommendation:
    """Move a recommendation to another status. `seen` is the status that the person had before their eyes.

    What is marked as done is proved from then on. Raises not_found, read_only_collaborator, invalid_arguments (no
    status that people may set), conflict (somebody else, or a scan, has moved it meanwhile).
    """
    brand = editable_brand(caller, brand_id)
    if status not in DECISIONS:
        raise invalid(
            "status",
            gettext("Choose one of {choices}. Only a measurement resolves.").format(choices=", ".join(DECISIONS)),
        )
    rows = Recommendation.objects.select_for_update(no_key=True).filter(brand=brand)
    row: Recommendation | None = rows.filter(pk=recommendation_id).first()
    if row is None:
        raise not_found()
    if row.status == status:
        return row
    if row.status != seen:
        by_person = gettext("It was moved to {status} by another person meanwhile. Look at it again.")
        words = (
            by_person
            if row.status_changed_by
            else gettext("It was moved to {status} by a scan meanwhile. Look at it again.")
        )
        raise conflict(
            words.format(status=row.status),
            status=row.status,
        )
    row.status, row.status_changed_at, row.status_changed_by = status, timezone.now(), caller.actor
    row.status_reason = clean_line("reason", reason, longest=LONGEST_REASON, required=False)
    row.brand = brand
    row.proof = plan_proof(row) if status == Status.DONE else None
    row.updated_at = row.status_changed_at
    row.save()
    return row

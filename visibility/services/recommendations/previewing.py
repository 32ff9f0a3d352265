"""What would be frozen if a recommendation were done now: shown before anybody says so."""

from dataclasses import dataclass
from datetime import UTC
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ServiceError, not_found
from apikeys.scopes import Scope
from brands.services.access import editable_brand
from visibility.insights.proofs.planning import begin, proven_by
from visibility.insights.proofs.stored import plan_of
from visibility.insights.proofs.wording import UNPROVEN
from visibility.models import Proof, Recommendation
from visibility.services.scans.estimates import estimate_scan


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What shows whether doing it helps. `proof` is the plan as it would be frozen now, which is not stored; None
    where no scan proves it, and then `unproven` says what does. `shared`: other work on the topic is being proven
    with it. `starts_scan`: a scan would be started for its baseline, unless one ran just now; `scan_credits` are what
    that costs; `no_scan` is why none can be started, in a sentence."""

    unproven: str
    proof: Proof | None
    shared: bool
    starts_scan: bool
    scan_credits: int | None
    no_scan: str


def proof_preview(caller: Caller, *, brand_id: UUID, recommendation_id: UUID) -> Preview:
    """The plan that would be frozen if this were done now, by doing it and taking all of it back.

    Requires read:recommendations and a caller who may change the brand. Raises not_found and
    read_only_collaborator.
    """
    caller.require(Scope.READ_RECOMMENDATIONS)
    with transaction.atomic():
        brand = editable_brand(caller, brand_id, lock=True)
        row: Recommendation | None = Recommendation.objects.filter(brand=brand, pk=recommendation_id).first()
        if row is None:
            raise not_found()
        under_way = Proof.objects.filter(brand=brand, topic=row.topic).exclude(state=Proof.State.JUDGED)
        known = set(under_way.values_list("pk", flat=True))
        now = timezone.now()
        proof = begin(brand, row, now)
        transaction.set_rollback(True)
    needs_scan = proof is not None and proof.state == Proof.State.BASELINE
    is_gap_day = proof is not None and now.astimezone(UTC).date() in plan_of(proof).gap_days
    credits, no_scan = _scan(caller, brand_id) if needs_scan else (None, "")
    return Preview(
        unproven="" if proof else UNPROVEN[proven_by(row.kind)],
        proof=proof,
        shared=proof is not None and proof.pk in known,
        starts_scan=needs_scan and not is_gap_day,
        scan_credits=credits,
        no_scan=no_scan,
    )


def _scan(caller: Caller, brand_id: UUID) -> tuple[int | None, str]:
    """What a scan costs, or why there can be none."""
    try:
        return estimate_scan(caller, brand_id=brand_id).credits, ""
    except ServiceError as refusal:
        return None, refusal.message

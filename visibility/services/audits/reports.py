"""Site audits, as far as this service has them."""

from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.services.access import readable_brand
from visibility.models import Run
from visibility.resources.audits import AuditFindings, AuditScores
from visibility.services.scans.status import run_resource


def audit_scores(caller: Caller, *, brand_id: UUID) -> AuditScores:
    """The scores of the latest audit; without one all of them are null or empty."""
    run = _latest_audit(caller, brand_id)
    return AuditScores(
        site=brand_id,
        run=run_resource(run) if run else None,
        overall=run.score if run else None,
        categories=[],
        critical_defects=[],
        how_to_get_one=None if run else NO_AUDIT,
    )


def audit_findings(
    caller: Caller, *, brand_id: UUID, severity: str | None = None, category: str | None = None
) -> AuditFindings:
    """The findings of the latest audit; without one there are none."""
    run = _latest_audit(caller, brand_id)
    return AuditFindings(
        site=brand_id,
        run=run_resource(run) if run else None,
        findings=[],
        how_to_get_one=None if run else NO_AUDIT,
    )


NO_AUDIT = "This site has not been audited, and this service has no site audit switched on. Ask the operator."


def _latest_audit(caller: Caller, brand_id: UUID) -> Run | None:
    caller.require(Scope.READ_AUDITS)
    readable_brand(caller, brand_id)
    audits = Run.objects.restrict(caller, "view").filter(brand=brand_id, kind=Run.Kind.AUDIT)
    run: Run | None = audits.order_by("-created_at", "-id").first()
    return run

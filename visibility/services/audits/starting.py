"""Starting audits: one at a time of each site, paid for when it starts."""

from dataclasses import dataclass
from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from brands.services.access import editable_brand
from visibility.models import Run
from visibility.resources.scans import StartedAudit
from visibility.services.scans.status import run_resource

MAX_PAGES = 50


@dataclass(frozen=True, slots=True)
class StartedAuditRun:
    """What came of a request to audit: the new run, or the one that is active; and what this request reserved."""

    run: Run
    started: bool
    credits_spent: int


def start_audit(
    caller: Caller, *, brand_id: UUID, trigger: Run.Trigger, max_pages: int = MAX_PAGES
) -> StartedAuditRun:
    """Start an audit of the brand's site. Raises not_available: no part of this service crawls sites."""
    editable_brand(caller, brand_id)
    raise ServiceError(
        ErrorCode.NOT_AVAILABLE,
        "This service has no site audit switched on. Work with recommendations and visibility scores instead, or ask "
        "the operator.",
    )


def started_audit_resource(audit: StartedAuditRun) -> StartedAudit:
    """What came of a request to audit, as every door shows it."""
    return StartedAudit(
        run=run_resource(audit.run),
        started=audit.started,
        reason=None if audit.started else "already_active",
        credits_spent=audit.credits_spent,
    )

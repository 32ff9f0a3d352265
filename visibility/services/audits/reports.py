"""Site audits: what the latest one found, in scores and in findings."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from apikeys.scopes import Scope
from brands.services.access import readable_brand
from visibility.audit.catalogue import CATALOGUE
from visibility.measured.audits import CheckedEntry, FoundDefect, read_audit
from visibility.resources.audits import (
    AuditFindings,
    AuditScores,
    EarlierFinding,
)
from visibility.services.audits.presenting import (
    categories_of,
    check_counts,
    counts_by_severity,
    critical_defects,
    earlier_finding,
    full_finding,
    pages_of,
    since_last,
)
from visibility.services.audits.state import audit_state, how_to_get_one, note
from visibility.services.scans.status import run_resource

MAX_EARLIER = 10


@snapshot()
def audit_scores(caller: Caller, *, brand_id: UUID) -> AuditScores:
    """The scores of the latest finished audit; without one all of them are null or empty.

    Raises insufficient_scope and not_found.
    """
    caller.require(Scope.READ_AUDITS)
    readable_brand(caller, brand_id)
    state = audit_state(caller, brand_id)
    facts = read_audit(state.finished) if state.finished else None
    pages = pages_of(facts.run) if facts else None
    return AuditScores(
        site=brand_id,
        run=run_resource(facts.run) if facts else None,
        running=run_resource(state.running) if state.running else None,
        failed=run_resource(state.failed) if state.failed else None,
        overall=facts.run.score if facts else None,
        categories=categories_of(facts) if facts else [],
        critical_defects=critical_defects(facts) if facts else [],
        findings=counts_by_severity(facts.defects if facts else ()),
        checks=check_counts(facts) if facts else None,
        pages=pages,
        since_last=since_last(facts) if facts else None,
        note=note(state, pages),
        how_to_get_one=how_to_get_one(state),
    )


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Which findings are wanted; None: of any, and all."""

    severity: str | None = None
    category: str | None = None
    check: str | None = None
    limit: int | None = None

    def holds(self, entry: CheckedEntry | FoundDefect) -> bool:
        """Whether a check is of the severity, the category and the id that are wanted."""
        wanted = (
            (self.severity, entry.severity),
            (self.category, entry.entry.category),
            (self.check, entry.entry.id),
        )
        return all(value is None or value == actual for value, actual in wanted)


ALL = FindingFilter()


@snapshot()
def audit_findings(caller: Caller, *, brand_id: UUID, wanted: FindingFilter = ALL) -> AuditFindings:
    """The findings of the latest finished audit, in the order of their consequence.

    Raises insufficient_scope, not_found, and invalid_arguments for a check that there is none of.
    """
    caller.require(Scope.READ_AUDITS)
    readable_brand(caller, brand_id)
    if wanted.check is not None and wanted.check not in CATALOGUE:
        raise invalid("check", f"{wanted.check[:20]} is no check. Leave it out to list the findings with their ids.")
    state = audit_state(caller, brand_id)
    facts = read_audit(state.finished) if state.finished else None
    meant = [defect for defect in facts.defects if wanted.holds(defect)] if facts else []
    listed = meant[: wanted.limit]
    return AuditFindings(
        site=brand_id,
        run=facts.run.pk if facts else None,
        created_at=facts.run.created_at if facts else None,
        findings=[full_finding(defect) for defect in listed],
        more=len(meant) - len(listed),
        fixed=_earlier(facts.fixed, wanted) if facts else [],
        unclear=_earlier(facts.unclear, wanted) if facts else [],
        note=note(state, None),
        how_to_get_one=how_to_get_one(state),
    )


def _earlier(entries: Sequence[CheckedEntry], wanted: FindingFilter) -> list[EarlierFinding]:
    return [earlier_finding(check) for check in entries if wanted.holds(check)][:MAX_EARLIER]

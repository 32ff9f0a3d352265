"""Reads of site audits."""

from typing import Any
from uuid import UUID

from apikeys.accounts.caller import Caller
from apikeys.errors import invalid
from brands.access import readable_brand
from brands.models import Brand
from visibility.audit import CATALOGUE
from visibility.audits.resources import AuditFindingResource, AuditFindings, AuditScores, SiteAudit
from visibility.models import Run
from visibility.runs.reads import run_resource

SHORT_URLS = 3
CATEGORIES = tuple(dict.fromkeys(check.category for check in CATALOGUE.values()))
EMPTY = AuditScores(overall=None, categories=[], critical_defects=[])


def read_audit(caller: Caller, brand_id: UUID) -> SiteAudit:
    """The scores of the latest audit that ended well, the one that is under way, and the last one if it failed."""
    brand = readable_brand(caller, brand_id)
    run = latest_audit(brand)
    running = Run.objects.active().filter(brand=brand, kind=Run.Kind.AUDIT).first()
    ended = Run.objects.filter(brand=brand, kind=Run.Kind.AUDIT).exclude(status__in=Run.ACTIVE).newest().first()
    failed = ended if ended and ended.status == Run.Status.FAILED else None
    scores = AuditScores.model_validate(run.audit.report) if run else EMPTY
    return SiteAudit(
        site_id=brand.pk,
        run=run and run_resource(caller, run, []),
        overall=scores.overall,
        categories=scores.categories,
        critical_defects=scores.critical_defects,
        slowed=scores.slowed,
        running=running and run_resource(caller, running, []),
        failed=failed and run_resource(caller, failed, []),
    )


def read_findings(
    caller: Caller,
    brand_id: UUID,
    *,
    severity: str | None = None,
    category: str | None = None,
    full: bool = True,
    limit: int | None = None,
) -> AuditFindings:
    """The findings of the latest audit, by consequence; unless `full`, with one piece of evidence and without fix
    prompts. Raises invalid_arguments for an unknown category."""
    if category is not None and category not in CATEGORIES:
        raise invalid("category", f"No category is called so. The categories are {', '.join(CATEGORIES)}.")
    brand = readable_brand(caller, brand_id)
    run = latest_audit(brand)
    if run is None:
        return AuditFindings(site_id=brand.pk, audited_at=None, findings=[], all_findings=0)
    chosen = run.findings.order_by("position")
    if severity is not None:
        chosen = chosen.filter(severity=severity)
    if category is not None:
        chosen = chosen.filter(category=category)
    rows = chosen.values_list("finding", flat=True)[:limit]
    return AuditFindings(
        site_id=brand.pk,
        audited_at=run.finished_at,
        findings=[_finding(row, full) for row in rows],
        all_findings=run.findings.count(),
    )


def _finding(stored: dict[str, Any], full: bool) -> AuditFindingResource:
    finding = AuditFindingResource.model_validate(stored)
    if full:
        return finding
    return finding.model_copy(
        update={"evidence": finding.evidence[:1], "urls": finding.urls[:SHORT_URLS], "fix_prompt": None}
    )


def latest_audit(brand: Brand) -> Run | None:
    """The latest audit that has a score, if any."""
    audits = Run.objects.measured().filter(brand=brand, kind=Run.Kind.AUDIT, audit__report__isnull=False)
    run: Run | None = audits.newest().select_related("audit").first()
    return run

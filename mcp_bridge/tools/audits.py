"""Tools about site audits."""

from typing import Literal

from pydantic import Field

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import Creating, SiteArguments, SiteListing
from mcp_bridge.registry import Reply, Step, editable_site, tool
from visibility.audits.reads import read_audit, read_findings
from visibility.audits.resources import AuditFindings, SiteAudit
from visibility.audits.services import MOST_PAGES, start_audit
from visibility.models import Run
from visibility.runs import reads as runs
from visibility.runs.resources import StartedScan


class AuditArguments(SiteArguments, Creating):
    """The site to audit."""

    max_pages: int = Field(
        default=MOST_PAGES, ge=1, le=MOST_PAGES, description=f"1 to {MOST_PAGES}; each is a credit"
    )


class FindingArguments(SiteListing):
    """The site, and which findings."""

    severity: Literal["critical", "high", "medium", "low", "info"] | None = None
    category: str | None = Field(default=None, description="an id of {prefix}get_audit_scores")


@tool("Start a site audit", Scope.RUN_AUDITS, creates=editable_site)
def run_audit_scan(caller: Caller, arguments: AuditArguments) -> Reply[StartedScan]:
    """Fetches pages of the site as AI crawlers do and checks how well they can be read, trusted and cited; a page is
    a credit: ask the user first. An audit under way is returned, at no cost."""
    started = start_audit(
        caller, brand_id=arguments.site_id, trigger=Run.Trigger.AGENT, max_pages=arguments.max_pages
    )
    found = runs.started_scan(caller, started, dry_run=arguments.dry_run)
    step = Step("get_audit_scores", {"siteId": found.site_id}, "how far it is, and its scores at the end")
    return Reply(found, step if found.run else run_audit_scan.for_real(arguments, "starts it"))


@tool("Audit scores", Scope.READ_AUDITS)
def get_audit_scores(caller: Caller, arguments: SiteArguments) -> Reply[SiteAudit]:
    """Tells how ready a site is for AI systems, 0 to 100 overall and by category, with critical defects; running is
    the audit under way and its progress."""
    found = read_audit(caller, arguments.site_id)
    step = (
        Step("get_audit_findings", {"siteId": found.site_id}, "what is wrong, by consequence") if found.run else None
    )
    return Reply(found, step)


@tool("Audit findings", Scope.READ_AUDITS)
def get_audit_findings(caller: Caller, arguments: FindingArguments) -> Reply[AuditFindings]:
    """Lists what the latest audit found wrong with a site, by consequence. detail: "full" adds all evidence and
    fixPrompt, a prompt to paste into an assistant; combine it with limit."""
    found = read_findings(
        caller,
        arguments.site_id,
        severity=arguments.severity,
        category=arguments.category,
        full=arguments.is_full,
        limit=arguments.limit,
    )
    step = None
    if found.findings and not arguments.is_full:
        call = {"siteId": found.site_id, "detail": "full", "limit": 1}
        step = Step("get_audit_findings", call, "evidence and fix prompt of the first")
    return Reply(found, step, rows="findings")

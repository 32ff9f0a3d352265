"""Audit: how ready the pages of a site are to be read and cited."""

from typing import Any

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteArguments
from mcp_bridge.registry import Tool
from visibility.resources.audits import AuditFindings, AuditScores, Category, Severity
from visibility.services.audits.reports import audit_findings, audit_scores


class FindingsArguments(SiteArguments):
    severity: Severity | None = Field(default=None, description="only findings this severe")
    category: Category | None = Field(default=None, description="only findings of this category")


def _scores(caller: Caller, arguments: SiteArguments) -> AuditScores:
    return audit_scores(caller, brand_id=arguments.site_id)


def _findings(caller: Caller, arguments: FindingsArguments) -> AuditFindings:
    return audit_findings(
        caller, brand_id=arguments.site_id, severity=arguments.severity, category=arguments.category
    )


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_audit_scores",
        title="Audit scores",
        description=(
            "Returns how ready a site's pages are for AI systems by the latest audit: overall, by category, with "
            "critical defects apart. Shows how far a running audit is, so poll it after {prefix}run_audit_scan."
        ),
        scope=Scope.READ_AUDITS,
        arguments=SiteArguments,
        result=AuditScores,
        handler=_scores,
    ),
    Tool(
        name="get_audit_findings",
        title="Audit findings",
        description=(
            "Lists the checks that a site does not pass, most severe first, each with evidence, the pages it "
            "concerns, its source and a fixPrompt. Use it to plan technical work on the site."
        ),
        scope=Scope.READ_AUDITS,
        arguments=FindingsArguments,
        result=AuditFindings,
        handler=_findings,
    ),
)

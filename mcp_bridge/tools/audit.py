"""Audit: how ready the pages of a site are to be read and cited."""

from typing import Any, Literal

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteArguments
from mcp_bridge.registry import Tool
from visibility.resources.audits import AuditFindings, AuditScores, Category, Severity
from visibility.services.audits.reports import FindingFilter, audit_findings, audit_scores


class FindingsArguments(SiteArguments):
    severity: Severity | None = Field(default=None, description="only findings this severe")
    category: Category | None = Field(default=None, description="only findings of this category")
    check: str | None = Field(
        default=None, max_length=20, description="only the finding of this check, such as CIT-06"
    )
    limit: int | None = Field(
        default=None, ge=1, le=100, description="at most so many; left out: what fits into 2,000 tokens, 10 in full"
    )
    detail: Literal["short", "full"] | None = Field(
        default=None,
        description="full: with evidence, fixPrompt, effect and source; left out: short, and full with check",
    )


def _scores(caller: Caller, arguments: SiteArguments) -> AuditScores:
    return audit_scores(caller, brand_id=arguments.site_id)


def _findings(caller: Caller, arguments: FindingsArguments) -> AuditFindings:
    wanted = FindingFilter(
        severity=arguments.severity,
        category=arguments.category,
        check=arguments.check,
        limit=arguments.limit,
        full=(arguments.detail or ("full" if arguments.check else "short")) == "full",
    )
    return audit_findings(caller, brand_id=arguments.site_id, wanted=wanted)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_audit_scores",
        title="Audit scores",
        description=(
            "Returns how ready a site's pages are for AI systems by the latest finished audit: overall, by category, "
            "critical defects apart, what changed since the audit before. `running` shows how far an audit under way "
            "is: poll it after {prefix}run_audit_scan."
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
            "Lists the checks that a site does not pass, most severe first, in short: what was found, on how many "
            "pages, new or still there, what is fixed. With check (or detail full) also evidence, pages, fixPrompt, "
            "its source and what is known of its effect. Use it to plan and do work on the site."
        ),
        scope=Scope.READ_AUDITS,
        arguments=FindingsArguments,
        result=AuditFindings,
        handler=_findings,
    ),
)

"""Audit: how ready the pages of a site are to be read and cited."""

from typing import Any

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteListingArguments
from mcp_bridge.following import from_audit, from_findings
from mcp_bridge.missing import audit
from mcp_bridge.registry import Tool
from mcp_bridge.short.projection import Short
from visibility.resources.audits import AuditFindings, AuditScores, Category, Severity
from visibility.services.audits.reports import FindingFilter, audit_findings, audit_scores


class FindingsArguments(SiteListingArguments):
    severity: Severity | None = Field(default=None, description="only findings this severe")
    category: Category | None = Field(default=None, description="only findings of this category")
    check: str | None = Field(
        default=None, max_length=20, description="only the finding of this check, such as CIT-06, in full"
    )

    @property
    def whole(self) -> bool:
        """Whether the findings are wanted whole: one that is asked for by its check is."""
        return super().whole or (self.check is not None and "detail" not in self.model_fields_set)


def _scores(caller: Caller, arguments: SiteListingArguments) -> AuditScores:
    return audit_scores(caller, brand_id=arguments.site_id)


def _findings(caller: Caller, arguments: FindingsArguments) -> AuditFindings:
    wanted = FindingFilter(severity=arguments.severity, category=arguments.category, check=arguments.check)
    return audit_findings(caller, brand_id=arguments.site_id, wanted=wanted)


_OF_RUN = ("trigger", "startedAt", "score", "low", "high", "engines")

_SCORES = Short(
    rows=("criticalDefects", "categories"),
    digest=True,
    leave_out=tuple(f"run.{name}" for name in (*_OF_RUN, "progress")),
    texts={"criticalDefects[].what": 200},
)

_FINDINGS = Short(
    rows=("findings", "fixed", "unclear"),
    whole_rows=10,
    leave_out=tuple(f"findings[].{name}" for name in ("evidence", "fixPrompt", "effect", "source")),
    at_most={"findings[].urls": 1, "fixed": 5, "unclear": 5},
    texts={"findings[].what": 200, "findings[].urls": 120},
    unless={"findings[].critical": False},
)

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
        arguments=SiteListingArguments,
        result=AuditScores,
        handler=_scores,
        leads_to=from_audit,
        missing=(audit,),
        short=_SCORES,
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
        leads_to=from_findings,
        missing=(audit,),
        short=_FINDINGS,
    ),
)

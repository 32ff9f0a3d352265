"""Scans: the latest one, how far one is, and starting one."""

from typing import Any
from uuid import UUID

from pydantic import Field

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from mcp_bridge.arguments import CreatingArguments, SiteArguments, SiteListingArguments
from mcp_bridge.following import from_scan
from mcp_bridge.missing import no_run
from mcp_bridge.registry import Tool, editable_site
from mcp_bridge.short.projection import Short
from visibility.models import Run
from visibility.resources.brands import RunKind
from visibility.resources.scans import LatestScan, ScanStatus, StartedAudit, StartedScanResource
from visibility.services.audits.starting import MAX_PAGES, start_audit, started_audit_resource
from visibility.services.scans.starting import start_scan
from visibility.services.scans.status import latest_scan, scan_status, started_resource


class LatestScanArguments(SiteListingArguments):
    kind: RunKind | None = Field(default=None, description="only runs of this kind; left out: of any")


class ScanStatusArguments(SiteArguments):
    run_id: UUID = Field(description="id of a run of this site")


class RunScanArguments(SiteArguments, CreatingArguments):
    pass


class RunAuditArguments(SiteArguments, CreatingArguments):
    max_pages: int = Field(
        default=MAX_PAGES, ge=1, le=MAX_PAGES, description="pages to look at; each that is fetched costs a credit"
    )


def _latest(caller: Caller, arguments: LatestScanArguments) -> LatestScan:
    return latest_scan(caller, brand_id=arguments.site_id, kind=arguments.kind)


def _status(caller: Caller, arguments: ScanStatusArguments) -> ScanStatus:
    return scan_status(caller, brand_id=arguments.site_id, run_id=arguments.run_id)


def _run_scan(caller: Caller, arguments: RunScanArguments) -> StartedScanResource:
    return started_resource(start_scan(caller, brand_id=arguments.site_id, trigger=Run.Trigger.AGENT))


def _run_audit(caller: Caller, arguments: RunAuditArguments) -> StartedAudit:
    audit = start_audit(caller, brand_id=arguments.site_id, trigger=Run.Trigger.AGENT, max_pages=arguments.max_pages)
    return started_audit_resource(audit)


_LATEST = Short(
    rows=("comparison.competitors",),
    at_most={
        "comparison.competitors[].prompts": 3,
        "comparison.competitors[].prompts[].engines": 4,
        "comparison.competitors[].prompts[].engines[].quotes": 1,
    },
    leave_out=("comparison.competitors[].prompts[].engines[].quotes[].rule",),
    texts={"comparison.competitors[].prompts[].engines[].quotes[].text": 150},
)

TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_latest_scan",
        title="Latest scan",
        description=(
            "Returns the most recent run of a site, of any kind or of one: when it was, whether it succeeded, its "
            "score; of a comparison whom answers prefer. Use it to see whether there are fresh figures before you "
            "start a scan, and with kind comparison to read that."
        ),
        scope=Scope.READ_VISIBILITY,
        arguments=LatestScanArguments,
        result=LatestScan,
        handler=_latest,
        leads_to=from_scan,
        missing=(no_run,),
        short=_LATEST,
    ),
    Tool(
        name="get_scan_status",
        title="Scan status",
        description=(
            "Tells how far a run is, engine by engine, about how long it will take and after how many seconds to "
            "look again. Use it after {prefix}run_visibility_scan until the status is no longer queued or running."
        ),
        scope=Scope.READ_VISIBILITY,
        arguments=ScanStatusArguments,
        result=ScanStatus,
        handler=_status,
        leads_to=from_scan,
    ),
    Tool(
        name="run_visibility_scan",
        title="Run a visibility scan",
        description=(
            "Asks the engines all prompts of a site anew, which spends credits and takes minutes. Within an hour of "
            "the last scan nothing is started or charged: you get that run. Use it when the user wants fresh "
            "figures."
        ),
        scope=Scope.RUN_VISIBILITY,
        arguments=RunScanArguments,
        result=StartedScanResource,
        handler=_run_scan,
        brand_of=editable_site,
        open_world=True,
        errors=frozenset(
            {ErrorCode.QUOTA_EXCEEDED, ErrorCode.NO_ENGINE_CONFIGURED, ErrorCode.NO_PROMPTS, ErrorCode.CONFLICT}
        ),
    ),
    Tool(
        name="run_audit_scan",
        title="Run a site audit",
        description=(
            "Crawls a site and checks how ready its pages are to be read and cited by AI systems: minutes, and a "
            "credit for each page. An audit that is active is returned and charges nothing. Then poll "
            "{prefix}get_audit_scores until nothing is running."
        ),
        scope=Scope.RUN_AUDITS,
        arguments=RunAuditArguments,
        result=StartedAudit,
        handler=_run_audit,
        brand_of=editable_site,
        open_world=True,
        errors=frozenset({ErrorCode.QUOTA_EXCEEDED, ErrorCode.CONFLICT}),
    ),
)

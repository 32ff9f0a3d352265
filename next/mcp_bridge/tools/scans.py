"""Tools about scans."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import Creating, SiteArguments
from mcp_bridge.registry import Reply, Step, editable_site, tool
from visibility.models import Run
from visibility.runs import scan_reads
from visibility.runs.scan_resources import LatestScan, ScanStatus, StartedScan
from visibility.runs.services import start_scan


class LatestArguments(SiteArguments):
    """The site and a kind of run."""

    kind: Literal["visibility", "audit", "comparison"] | None = Field(default=None, description="default: any")


class StatusArguments(SiteArguments):
    """The site and one of its runs."""

    run_id: UUID = Field(description="id of a run, from {prefix}get_latest_scan")


class ScanArguments(SiteArguments, Creating):
    """The site to scan."""


@tool("Latest scan", Scope.READ_VISIBILITY)
def get_latest_scan(caller: Caller, arguments: LatestArguments) -> Reply[LatestScan]:
    """Tells the most recent run of a site and how it ended. Use it to see when the site was last measured, or to get
    a run's id; null: there is none."""
    found = scan_reads.read_latest_scan(caller, arguments.site_id, arguments.kind)
    site = {"siteId": found.site_id}
    if found.run is not None and found.run.finished_at is None:
        return Reply(found, Step("get_scan_status", {**site, "runId": found.run.id}, "how far it is"))
    return Reply(found, Step("get_visibility_scores", site, "what was measured") if found.run else None)


@tool("Scan status", Scope.READ_VISIBILITY)
def get_scan_status(caller: Caller, arguments: StatusArguments) -> Reply[ScanStatus]:
    """Tells how far a run is, by engine. While it works, call again after pollAfterSeconds; null there: it has
    ended."""
    found = scan_reads.read_scan_status(caller, arguments.site_id, arguments.run_id)
    site = {"siteId": found.site_id}
    if found.poll_after_seconds is None:
        return Reply(found, Step("get_visibility_scores", site, "what it measured"))
    why = f"the same call again in {found.poll_after_seconds} seconds"
    return Reply(found, Step("get_scan_status", {**site, "runId": found.run.id}, why))


@tool("Start a visibility scan", Scope.RUN_VISIBILITY, creates=editable_site, asks_engines=True)
def run_visibility_scan(caller: Caller, arguments: ScanArguments) -> Reply[StartedScan]:
    """Asks all engines all active prompts of a site, which spends one credit an answer: ask the user first. Within an
    hour of the last scan it returns that one and spends nothing."""
    started = start_scan(caller, brand_id=arguments.site_id, trigger=Run.Trigger.AGENT)
    found = scan_reads.started_scan(caller, started)
    return Reply(found, Step("get_scan_status", {"siteId": found.site_id, "runId": found.run.id}, "how far it is"))

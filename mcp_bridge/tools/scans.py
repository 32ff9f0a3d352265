"""Tools about scans."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from apikeys.scopes import Scope
from brands.access import readable_brand
from mcp_bridge.arguments import Creating, SiteArguments, SiteListing
from mcp_bridge.registry import Reply, Step, Tool, editable_site, tool
from visibility.competitors.comparisons import MOST_COMPETITORS, start_comparison
from visibility.competitors.reads import read_latest_run
from visibility.competitors.resources import LatestRun
from visibility.models import Run
from visibility.runs import reads as runs
from visibility.runs.resources import ScanStatus, StartedScan
from visibility.runs.services import Started, start_scan
from visibility.runs.what_if import what_if, with_what_if


class LatestArguments(SiteListing):
    """The site and a kind of run."""

    kind: Literal["visibility", "audit", "comparison"] | None = Field(default=None, description="default: any")


class StatusArguments(SiteArguments):
    """The site and one of its runs."""

    run_id: UUID = Field(description="from {prefix}get_latest_scan")


class ScanArguments(SiteArguments, Creating):
    """The site to scan."""


class ComparisonArguments(SiteArguments, Creating):
    """The site, and whom to compare it with."""

    competitor_ids: list[UUID] | None = Field(
        default=None,
        min_length=1,
        max_length=MOST_COMPETITORS,
        description="from {prefix}list_competitors; default: the five most visible",
    )


def _follow(found: LatestRun | ScanStatus | StartedScan) -> Step | None:
    """What to call about a run: how far it is, or what it measured."""
    run, site = found.run, {"siteId": found.site_id}
    if run is None or run.status in (Run.Status.FAILED, Run.Status.CANCELLED):
        return None
    if run.status in Run.ACTIVE:
        return Step("get_scan_status", {**site, "runId": run.id}, "how far it is")
    if run.kind == Run.Kind.COMPARISON:
        return Step("get_latest_scan", {**site, "kind": run.kind}, "whom the answers prefer")
    if run.kind == Run.Kind.AUDIT:
        return Step("get_audit_scores", site, "what it found")
    return Step("get_visibility_scores", site, "what it measured")


@tool("Latest scan", Scope.READ_VISIBILITY)
def get_latest_scan(caller: Caller, arguments: LatestArguments) -> Reply[LatestRun]:
    """Tells the most recent run of a site and how it ended, or its id; null: there is none. With kind "comparison" it
    also tells whom answers prefer, the site or each competitor, with their words."""
    found = read_latest_run(caller, arguments.site_id, arguments.kind, full=arguments.is_full)
    if found.comparison:
        step = Step("get_competitor_gaps", {"siteId": found.site_id}, "where answers name only competitors")
        return Reply(found, step, rows="comparison")
    return Reply(found, _follow(found))


@tool("Scan status", Scope.READ_VISIBILITY)
def get_scan_status(caller: Caller, arguments: StatusArguments) -> Reply[ScanStatus]:
    """Tells how far a run is, by engine. While it works, call again after pollAfterSeconds; null there: it has
    ended."""
    found = runs.read_scan_status(caller, arguments.site_id, arguments.run_id)
    step = _follow(found)
    if step and found.poll_after_seconds:
        step = replace(step, why=f"the same call again in {found.poll_after_seconds} seconds")
    return Reply(found, step)


@tool("Start a visibility scan", Scope.RUN_VISIBILITY, creates=editable_site, asks_engines=True)
def run_visibility_scan(caller: Caller, arguments: ScanArguments) -> Reply[StartedScan]:
    """Asks all engines all active prompts of a site, which spends one credit an answer: ask the user first. Within an
    hour of the last scan it returns that one and spends nothing."""
    with _priced(caller, arguments):
        started = start_scan(caller, brand_id=arguments.site_id, trigger=Run.Trigger.AGENT)
    return _came_of(run_visibility_scan, caller, arguments, started)


@tool("Start a comparison", Scope.RUN_VISIBILITY, creates=editable_site, asks_engines=True)
def run_competitor_comparison(caller: Caller, arguments: ComparisonArguments) -> Reply[StartedScan]:
    """Asks all engines to choose between the site and competitors, which spends one credit an answer: ask the user
    first. Within an hour of the last comparison it returns that one and spends nothing."""
    with _priced(caller, arguments):
        started = start_comparison(
            caller, brand_id=arguments.site_id, trigger=Run.Trigger.AGENT, competitor_ids=arguments.competitor_ids
        )
    return _came_of(run_competitor_comparison, caller, arguments, started)


@contextmanager
def _priced(caller: Caller, arguments: ScanArguments | ComparisonArguments) -> Iterator[None]:
    """Within it the refusal of a dry run for want of an engine says what one would cost."""
    try:
        yield
    except ServiceError as refusal:
        if not arguments.dry_run:
            raise
        raise with_what_if(refusal, readable_brand(caller, arguments.site_id)) from None


def _came_of(
    called: Tool, caller: Caller, arguments: ScanArguments | ComparisonArguments, started: Started
) -> Reply[StartedScan]:
    found = runs.started_scan(caller, started, dry_run=arguments.dry_run)
    if arguments.dry_run and started.started:
        found.what_if = what_if(readable_brand(caller, arguments.site_id))
    return Reply(found, _follow(found) if found.run else called.for_real(arguments, "starts it"))

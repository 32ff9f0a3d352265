"""How scans stand, for those who wait for them."""

from datetime import timedelta
from math import ceil
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import ErrorCode, not_found
from apikeys.scopes import Scope
from brands.services.access import readable_brand
from visibility.measured.charges import Part, charges_by_part, total
from visibility.models import Answer, Run
from visibility.pipeline.items import items_of
from visibility.resources.brands import RUN_FIELDS, RunResource
from visibility.resources.scans import (
    EngineProgress,
    LatestScan,
    ScanStatus,
    StartedComparisonResource,
    StartedScanResource,
)
from visibility.services.reading.withheld import run_for
from visibility.services.scans.comparisons import compared_competitors, comparison_of
from visibility.services.scans.starting import StartedScan

FIRST_POLL = 10
MIN_POLL, MAX_POLL = 5, 60
RECENT_SECONDS = 60


def run_resource(run: Run) -> RunResource:
    """The run with its score: for those who may read it, or while it has none; `run_resource_for` for all others."""
    return RunResource.from_row(_fields(run))


def run_resource_for(caller: Caller, run: Run) -> RunResource:
    """The run as the caller may see it."""
    return run_for(caller, _fields(run))


def _fields(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in RUN_FIELDS}


@snapshot()
def latest_scan(caller: Caller, *, brand_id: UUID, kind: str | None = None) -> LatestScan:
    """The most recent run, of one kind or of any; runs cancelled for lack of credits are passed over.

    Where it is a comparison, whom its answers prefer comes with it.
    """
    caller.require(Scope.READ_VISIBILITY)
    brand = readable_brand(caller, brand_id)
    runs = Run.objects.restrict(caller, "view").filter(brand=brand)
    runs = runs.exclude(status=Run.Status.CANCELLED, error_code=ErrorCode.QUOTA_EXCEEDED)
    if kind is not None:
        runs = runs.filter(kind=kind)
    run: Run | None = runs.order_by("-created_at", "-id").first()
    return LatestScan(
        site=brand.pk,
        run=run_resource_for(caller, run) if run else None,
        comparison=comparison_of(run) if run and run.kind == Run.Kind.COMPARISON else None,
    )


def scan_status(caller: Caller, *, brand_id: UUID, run_id: UUID) -> ScanStatus:
    """How far a run of the brand is; not_found for one of another brand."""
    caller.require(Scope.READ_VISIBILITY)
    run: Run | None = Run.objects.restrict(caller, "view").filter(brand=brand_id, pk=run_id).first()
    if run is None:
        raise not_found()
    eta = eta_seconds(run)
    resource = run_resource_for(caller, run)
    by_part = {part: total(charges.values()) for part, charges in charges_by_part(run.pk).items()}
    failures, charges = by_part[Part.FAILURES], total(by_part.values())
    return ScanStatus(
        site=brand_id,
        run=resource,
        percent=resource.progress.percent,
        eta_seconds=eta,
        poll_after_seconds=_poll_after(eta) if run.is_active else None,
        engines=engine_progress(run),
        cost_usd=float(charges.cost),
        unanswered_cost_usd=float(failures.cost),
        uncosted_calls=charges.calls - charges.known,
    )


def started_resource(scan: StartedScan) -> StartedScanResource:
    """What came of a request to start a run, as every door shows it."""
    return StartedScanResource(
        run=run_resource(scan.run),
        started=scan.started,
        reason=scan.reason.value,
        next_allowed_at=scan.next_allowed_at,
        credits_spent=scan.credits_spent,
    )


def started_comparison_resource(scan: StartedScan) -> StartedComparisonResource:
    """What came of a request to compare, with the competitors that the run in hand is about, whoever asked for it."""
    return StartedComparisonResource(
        **dict(started_resource(scan)), competitors=[rival.pk for rival in compared_competitors(scan.run)]
    )


def eta_seconds(run: Run) -> int | None:
    """How long what is left takes, at the speed of the last minute; where nothing came in it, at the speed since the
    start. None where that is not known yet. One statement at most."""
    now, settled = timezone.now(), run.done + run.failed
    if not run.is_active or run.started_at is None or not settled:
        return None
    elapsed = (now - run.started_at).total_seconds()
    recent = items_of(run).came_since(run.pk, now - timedelta(seconds=RECENT_SECONDS))
    seconds_per_item = min(elapsed, RECENT_SECONDS) / recent if recent else elapsed / settled
    return ceil(seconds_per_item * max(run.total - settled, 0))


def _poll_after(eta: int | None) -> int:
    """A quarter of what is left, so that a scan is looked at a few times, however long it is."""
    return FIRST_POLL if eta is None else min(max(ceil(eta / 4), MIN_POLL), MAX_POLL)


def engine_progress(run: Run) -> list[EngineProgress]:
    """How far each engine of the run is, by name; one statement."""
    answers = Answer.objects.filter(run=run).order_by("engine").values("engine")
    rows = answers.annotate(
        total=Count("pk"),
        done=Count("pk", filter=Q(state=Answer.State.ANSWERED)),
        failed=Count("pk", filter=Q(state=Answer.State.FAILED)),
    )
    return [EngineProgress(**row) for row in rows]

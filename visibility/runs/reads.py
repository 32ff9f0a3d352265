"""Reads of runs, and of scans for those who wait for one."""

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.access import readable_brand
from visibility.models import Run, RunEngine
from visibility.runs.resources import (
    EngineProgress,
    LatestScan,
    Progress,
    RunProblem,
    RunResource,
    Runs,
    RunSummary,
    ScanStatus,
    StartedScan,
)
from visibility.runs.services import Started

RUN_HISTORY_CAP = 60
SOONEST, LATEST = 5, 60
"""Seconds between two looks at a run."""


def list_runs(caller: Caller, brand_id: UUID) -> Runs:
    """The 60 most recent runs of a brand, newest first."""
    brand = readable_brand(caller, brand_id)
    runs = list(Run.objects.filter(brand=brand).newest()[:RUN_HISTORY_CAP])
    engines = engine_names(runs)
    return Runs(brand=brand.pk, runs=[run_resource(caller, run, engines[run.pk]) for run in runs])


def latest_runs(caller: Caller, brand_ids: Iterable[UUID]) -> dict[UUID, RunSummary]:
    """The most recent run of each brand that has one, of any kind; slots left out for want of credits are no runs."""
    newest = Run.objects.not_refused().newest().first_of_each(brand_ids)
    return {
        run.brand_id: RunSummary(
            id=run.pk,
            kind=Run.Kind(run.kind),
            status=Run.Status(run.status),
            created_at=run.created_at,
            finished_at=run.finished_at,
            score=visible_score(caller, run),
        )
        for run in newest
    }


def engine_names(runs: Iterable[Run]) -> defaultdict[UUID, set[str]]:
    """The names of the engines that each run asks."""
    names: defaultdict[UUID, set[str]] = defaultdict(set)
    for run_id, name in RunEngine.objects.filter(run__in=runs).values_list("run", "engine__name"):
        names[run_id].add(name)
    return names


def run_resource(caller: Caller, run: Run, engines: Iterable[str]) -> RunResource:
    """A run as the caller may see it, with the names of its engines."""
    has_interval = run.kind == Run.Kind.VISIBILITY
    return RunResource(
        id=run.pk,
        kind=Run.Kind(run.kind),
        status=Run.Status(run.status),
        trigger=Run.Trigger(run.trigger),
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
        progress=Progress.of(run),
        score=visible_score(caller, run),
        low=run.low if has_interval else None,
        high=run.high if has_interval else None,
        engines=sorted(engines),
        error=RunProblem(code=run.error_code, message=run.error_message) if run.error_code else None,
    )


def visible_score(caller: Caller, run: Run) -> float | None:
    """The score of a run; an audit's needs the scope read:audits, and a comparison has none."""
    is_withheld = run.kind == Run.Kind.AUDIT and Scope.READ_AUDITS not in caller.scopes
    return None if is_withheld or run.kind == Run.Kind.COMPARISON else run.score


def read_latest_scan(caller: Caller, brand_id: UUID, kind: str | None = None) -> LatestScan:
    """The most recent run of a brand, of one kind or of any; slots left out for want of credits are no runs."""
    brand = readable_brand(caller, brand_id)
    runs = Run.objects.filter(brand=brand).not_refused().newest()
    run = (runs.filter(kind=kind) if kind else runs).first()
    return LatestScan(site_id=brand.pk, run=run and run_resource(caller, run, engine_names([run])[run.pk]))


def read_scan_status(caller: Caller, brand_id: UUID, run_id: UUID) -> ScanStatus:
    """How far a run of a brand is, and when to look again. Raises not_found."""
    brand = readable_brand(caller, brand_id)
    run = Run.objects.filter(brand=brand, pk=run_id).first()
    if run is None:
        raise not_found()
    engines = run.engines.select_related("engine").order_by("engine__name", "surface")
    eta = _eta_seconds(run)
    return ScanStatus(
        site_id=brand.pk,
        run=run_resource(caller, run, {each.engine.name for each in engines}),
        percent=Progress.of(run).percent,
        eta_seconds=eta,
        poll_after_seconds=min(max(eta or 0, SOONEST), LATEST) if run.is_active else None,
        engines=[
            EngineProgress(
                engine=each.engine.name, surface=each.surface, total=each.total, done=each.done, failed=each.failed
            )
            for each in engines
        ],
        repeated=run.repeated,
    )


def started_scan(caller: Caller, started: Started, *, dry_run: bool = False) -> StartedScan:
    """What came of starting a scan, or would come of it."""
    run = started.run
    if dry_run and started.started:
        return StartedScan(
            site_id=run.brand_id,
            run=None,
            started=False,
            reason="dry_run",
            next_allowed_at=run.created_at,
            credits_spent=0,
        )
    return StartedScan(
        site_id=run.brand_id,
        run=run_resource(caller, run, engine_names([run])[run.pk]),
        started=started.started,
        reason=started.reason,
        next_allowed_at=started.next_allowed_at,
        credits_spent=started.credits_spent,
    )


def _eta_seconds(run: Run) -> int | None:
    """At the pace so far."""
    ended = run.done + run.failed
    if not run.is_active or run.started_at is None or not ended:
        return None
    elapsed = (timezone.now() - run.started_at).total_seconds()
    return round(elapsed / ended * (run.total - ended))

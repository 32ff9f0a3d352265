"""Reads of scans for those who wait for one."""

from uuid import UUID

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import not_found
from brands.access import readable_brand
from visibility.models import Run
from visibility.runs.reads import engine_names, run_resource
from visibility.runs.resources import Progress
from visibility.runs.scan_resources import EngineProgress, LatestScan, ScanStatus, StartedScan
from visibility.runs.services import Started

SOONEST, LATEST = 5, 60
"""Seconds between two looks at a run."""


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
    )


def started_scan(caller: Caller, started: Started) -> StartedScan:
    """What came of starting a scan."""
    run = started.run
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

"""Reads of runs."""

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.access import readable_brand
from visibility.models import Run, RunEngine
from visibility.runs.resources import Progress, RunProblem, RunResource, Runs, RunSummary

RUN_HISTORY_CAP = 60


def list_runs(caller: Caller, brand_id: UUID) -> Runs:
    """The 60 most recent runs of a brand, newest first."""
    brand = readable_brand(caller, brand_id)
    runs = list(Run.objects.filter(brand=brand).newest()[:RUN_HISTORY_CAP])
    engines = engine_names(runs)
    return Runs(brand=brand.pk, runs=[run_resource(caller, run, engines[run.pk]) for run in runs])


def latest_runs(caller: Caller, brand_ids: Iterable[UUID]) -> dict[UUID, RunSummary]:
    """The most recent run of each brand that has one, of any kind; slots left out for want of credits are no runs."""
    newest = Run.objects.filter(brand__in=brand_ids).not_refused().order_by("brand_id", "-created_at", "-id")
    return {run.brand_id: run_summary(caller, run) for run in newest.distinct("brand_id")}


def run_summary(caller: Caller, run: Run) -> RunSummary:
    """A run in short, as the caller may see it."""
    return RunSummary(
        id=run.pk,
        kind=Run.Kind(run.kind),
        status=Run.Status(run.status),
        created_at=run.created_at,
        finished_at=run.finished_at,
        score=visible_score(caller, run),
    )


def engine_names(runs: Iterable[Run]) -> defaultdict[UUID, set[str]]:
    """The names of the engines that each run asks."""
    names: defaultdict[UUID, set[str]] = defaultdict(set)
    for run_id, name in RunEngine.objects.filter(run__in=runs).values_list("run", "engine__name"):
        names[run_id].add(name)
    return names


def run_resource(caller: Caller, run: Run, engines: Iterable[str]) -> RunResource:
    """A run as the caller may see it, with the names of its engines."""
    has_interval = run.kind == Run.Kind.VISIBILITY
    problem = RunProblem(code=run.error_code, message=run.error_message) if run.error_code else None
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
        error=problem,
    )


def visible_score(caller: Caller, run: Run) -> float | None:
    """The score of a run; an audit's needs the scope read:audits, and a comparison has none."""
    if run.kind == Run.Kind.COMPARISON:
        return None
    if run.kind == Run.Kind.AUDIT and Scope.READ_AUDITS not in caller.scopes:
        return None
    return run.score

"""Builds a brand's next generation of figures from the stored answers, and makes it the current one."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from visibility.insights.proofs.judging import judge_proofs
from visibility.insights.recommendations import refresh_recommendations
from visibility.insights.suggestions import refresh_suggestions
from visibility.jobs.lease import NO_LEASE, hold_brand
from visibility.measured.generations import tracked_names_in
from visibility.measured.names import TrackedNames
from visibility.measured.sampling import analysed_runs, days_of
from visibility.models import DailyScore, Generation, Run, RunScore
from visibility.pipeline.days.scoring import Read, day_reader, score_days, score_run
from visibility.pipeline.detect.detecting import Guard, analyse
from visibility.pipeline.detect.reusing import origin_of
from visibility.pipeline.generations.planning import plan_generation, retire, show_topics

AT_ONCE = 500
"""Runs that are written in one statement."""


def build_steps(generation: Generation, guard: Guard) -> Iterator[None]:
    """Build the generation, step by step; each step is stored when it is yielded, so that any worker can go on.

    It covers the runs of the current generation, those included that end meanwhile; at its last step it becomes
    the current one. `guard` is the fenced transaction of the worker.
    """
    tracked = tracked_names_in(generation)
    while not _switch(generation, guard):
        origin = origin_of(generation)
        for run in _missing(generation):
            for _ in analyse(tracked, run, guard, origin):
                yield
        read = day_reader(tracked)
        for day, complete in sorted(_unscored(generation).items()):
            _score(generation, tracked, day, complete, read, guard)
            yield


def _missing(generation: Generation) -> QuerySet[Run]:
    """Runs whose answers count in the current generation and are not all analysed for this one."""
    current = Generation.objects.get(brand=generation.brand_id, state=Generation.State.CURRENT)
    analysed = RunScore.objects.filter(generation=generation).exclude(stage=RunScore.Stage.ANALYSING)
    missing: QuerySet[Run] = (
        analysed_runs(current.pk).exclude(pk__in=analysed.values("run")).order_by("created_at", "pk")
    )
    return missing


def _unscored(generation: Generation) -> dict[date, list[Run]]:
    """The days that runs are not scored on yet, each with the runs that are complete with it, as it is their last."""
    days: dict[date, list[Run]] = defaultdict(list)
    analysed = RunScore.objects.filter(generation=generation, stage=RunScore.Stage.ANALYSED)
    scored = DailyScore.of_all_generations.filter(generation=generation, competitor=None)
    pooled = {day: set(runs) for day, runs in scored.order_by().values_list("date", "runs")}
    for run in Run.objects.filter(pk__in=analysed.values("run"), kind=Run.Kind.VISIBILITY):
        of_run = days_of(run)
        for day in of_run:
            if day == of_run[-1] or str(run.pk) not in pooled.get(day, ()):
                days[day] += [run] if day == of_run[-1] else []
    return days


def _score(
    generation: Generation, tracked: TrackedNames, day: date, complete: Sequence[Run], read: Read, guard: Guard
) -> None:
    """Score the day, and the runs that are complete with it.

    What takes time is read before others are kept waiting: nobody else adds to the generation.
    """
    scores = {run.pk: score_run(tracked, run) for run in complete}
    read(day)
    with transaction.atomic():
        brand = hold_brand(generation.brand)
        with guard():
            score_days(brand, tracked, [day], read)
            for run, score in scores.items():
                RunScore.objects.filter(generation=generation, run=run).update(
                    stage=RunScore.Stage.SCORED, score=score.value, low=score.low, high=score.high
                )


def _switch(generation: Generation, guard: Guard) -> bool:
    """Make the generation the current one, in one transaction: its findings, days, runs' scores, recommendations.

    False when something has to be done before: a run has ended meanwhile, or the names have changed again (then the
    generation is given up, which the next fenced transaction tells).
    """
    with transaction.atomic():
        brand = hold_brand(generation.brand)
        with guard():
            current = plan_generation(brand)
            still = Generation.objects.filter(pk=generation.pk, state=Generation.State.BUILDING)
            if not still.exists() or _missing(generation).exists() or _unscored(generation):
                return False
            retire(current)
            still.update(
                state=Generation.State.CURRENT,
                current_since=timezone.now(),
                attempt=0,
                error_message="",
                **NO_LEASE,
            )
            _show_run_scores(generation)
            show_topics(generation)
            refresh_recommendations(brand)
            refresh_suggestions(brand)
            judge_proofs(brand, timezone.now())
    return True


def _show_run_scores(generation: Generation) -> None:
    scores = RunScore.objects.filter(generation=generation).order_by()
    runs = [
        Run(pk=run, score=score, low=low, high=high)
        for run, score, low, high in scores.values_list("run_id", "score", "low", "high")
    ]
    Run.objects.bulk_update(runs, ["score", "low", "high"], batch_size=AT_ONCE)

"""Builds a brand's next generation of figures from the stored answers, and makes it the current one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from visibility.models import Generation, Run, RunScore
from visibility.recommendations import refresh_recommendations
from visibility.scans.claim import hold_brand
from visibility.scans.detecting import Guard, look_through
from visibility.scans.generations import lexicon_in, plan_generation, retire
from visibility.scans.names import Lexicon
from visibility.scans.sampling import days_of, looked_through
from visibility.scans.scoring import score_days, score_run

DAYS = 10
"""Days that are scored in one transaction: a day is read for itself and for the day that is compared with it."""


def build_steps(generation: Generation, guard: Guard) -> Iterator[None]:
    """Build the generation, step by step; each step is stored when it is yielded, so that any worker can go on.

    It covers the runs of the current generation, those included that end meanwhile; at its last step it becomes
    the current one. `guard` is the fenced transaction of the worker.
    """
    lexicon = lexicon_in(generation)
    while not _switch(generation, guard):
        for run in _missing(generation):
            for _ in look_through(lexicon, run, guard):
                yield
        unscored = _unscored(generation)
        days = sorted(unscored)
        for start in range(0, len(days), DAYS):
            _score(generation, lexicon, {day: unscored[day] for day in days[start : start + DAYS]}, guard)
            yield


def _missing(generation: Generation) -> QuerySet[Run]:
    """Runs whose answers count in the current generation and are not all looked through for this one."""
    current = Generation.objects.get(brand=generation.brand_id, state=Generation.State.CURRENT)
    looked = RunScore.objects.filter(generation=generation).exclude(stage=RunScore.Stage.LOOKING)
    missing: QuerySet[Run] = (
        looked_through(current.pk).exclude(pk__in=looked.values("run")).order_by("created_at", "pk")
    )
    return missing


def _unscored(generation: Generation) -> dict[date, list[Run]]:
    """The days of runs whose days are not all scored yet, each with the runs that have it as their last."""
    days: dict[date, list[Run]] = defaultdict(list)
    looked = RunScore.objects.filter(generation=generation, stage=RunScore.Stage.LOOKED)
    for run in Run.objects.filter(pk__in=looked.values("run")):
        of_run = days_of(run)
        for day in of_run:
            days[day] += [run] if day == of_run[-1] else []
    return days


def _score(generation: Generation, lexicon: Lexicon, days: Mapping[date, Sequence[Run]], guard: Guard) -> None:
    """Score the days, and the runs whose days are complete with them."""
    scores = {run.pk: score_run(lexicon, run) for complete in days.values() for run in complete}
    with transaction.atomic():
        brand = hold_brand(generation.brand)
        with guard():
            score_days(brand, lexicon, days)
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
                worker="",
                lease_until=None,
                error_message="",
            )
            _show_run_scores(generation)
            refresh_recommendations(brand)
    return True


def _show_run_scores(generation: Generation) -> None:
    score = RunScore.objects.filter(generation=generation, run=OuterRef("pk"))
    Run.objects.filter(scores__generation=generation).update(
        score=Subquery(score.values("score")), low=Subquery(score.values("low")), high=Subquery(score.values("high"))
    )

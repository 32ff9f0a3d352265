"""One run, or one measured day: what was asked, what came, and what that says of each prompt beside before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, Exists, OuterRef, Q, Subquery, When

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.detection.names.matching import Dictionary
from visibility.measured.basis import EngineDay
from visibility.measured.reading import answers_of
from visibility.measured.sampling import MEASURED
from visibility.models import Answer, DailyScore, Generation, PromptVersion, Run, RunScore
from visibility.resources.brands import TREND_FIELDS, RunResource, TrendItem
from visibility.resources.change_records import ChangeRecord
from visibility.resources.scans import EngineProgress
from visibility.services.prompts.listing import is_branded, names_in_use
from visibility.services.reading.change_records import records_within, told_records
from visibility.services.runs.failures import progress_of
from visibility.services.runs.results import PromptOutcome, Tallies, count_results, pooled, side_by_side
from visibility.services.scans.status import run_resource_for


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run beside the one before it of its kind, None where there is none. `counted` and `before_counted`: whether
    the names in all its answers are found, without which nothing is told of prompts. `days` are the measured days
    that it is a part of, the newest first, `told` what is told as a change on any of them; `engines` how far each
    engine is."""

    run: RunResource
    counted: bool
    before: RunResource | None
    before_counted: bool
    prompts: Sequence[PromptOutcome]
    days: Sequence[TrendItem]
    told_rows: Sequence[ChangeRecord]
    engines: Sequence[EngineProgress]


@dataclass(frozen=True, slots=True)
class DayReport:
    """A measured day beside the measured day before it, None where it is the first; what is told of it as a change;
    its runs, oldest first."""

    day: TrendItem
    told_rows: Sequence[ChangeRecord]
    before: TrendItem | None
    runs: Sequence[RunResource]
    prompts: Sequence[PromptOutcome]


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A prompt's outcome with the wording that was asked. Answers to `branded` ones are no part of the score."""

    outcome: PromptOutcome
    prompt: UUID
    text: str
    branded: bool


@snapshot()
def run_report(caller: Caller, *, brand_id: UUID, run_id: UUID) -> RunReport:
    """The run of the brand and the one before it, which a run that is under way is not held against yet; not_found
    for a run of another brand."""
    caller.require(Scope.READ_VISIBILITY)
    runs = with_counted(Run.objects.restrict(caller, "view").filter(brand=brand_id))
    run, before = run_and_before(runs, run_id)
    before = None if run.is_active else before
    counts = count_results(Answer.objects.filter(run__in=[row.pk for row in (run, before) if row]).counting())
    days = _days_of(caller, run)
    now, then = counts.get(run.pk, {}), counts.get(before.pk, {}) if before and before.is_counted else {}
    return RunReport(
        run=run_resource_for(caller, run),
        counted=run.is_counted,
        before=run_resource_for(caller, before) if before else None,
        before_counted=bool(before and before.is_counted),
        prompts=side_by_side(now, then if run.is_counted else {}),
        days=days,
        told_rows=records_within(brand_id, days[-1].date, days[0].date) if days else [],
        engines=progress_of(count_results(Answer.objects.filter(run=run)).get(run.pk, {})),
    )


def run_and_before(runs: BrandScopedQuerySet, run_id: UUID) -> tuple[Any, Any]:
    """The run of these with this id, and of its kind the latest one before it that gave answers, None where there is
    none; in one statement. Raises not_found."""
    chosen = Run.objects.filter(pk=run_id).values("kind", "created_at")
    earlier = Q(status__in=MEASURED, kind=Subquery(chosen.values("kind")))
    earlier &= Q(created_at__lte=Subquery(chosen.values("created_at")))
    is_earlier = Case(When(pk=run_id, then=0), default=1)
    pair = list(runs.filter(Q(pk=run_id) | earlier).order_by(is_earlier, "-created_at", "-id")[:2])
    if not pair or pair[0].pk != run_id:
        raise not_found()
    return pair[0], pair[1] if len(pair) > 1 else None


@snapshot()
def day_report(caller: Caller, *, brand_id: UUID, day: date) -> DayReport:
    """The measured day of the brand and the one before it; not_found for a day without measurement."""
    caller.require(Scope.READ_VISIBILITY)
    rows = DailyScore.objects.restrict(caller, "view").filter(brand=brand_id, competitor=None, date__lte=day)
    days = [_trend_item(row) for row in rows.order_by("-date")[:2]]
    if not days or days[0].date != day:
        raise not_found()
    before = days[1] if len(days) > 1 else None
    runs: Any = Run.objects.restrict(caller, "view").filter(pk__in=days[0].runs).order_by("created_at", "id")
    run_resources = [run_resource_for(caller, run) for run in runs]
    return DayReport(
        day=days[0],
        told_rows=told_records(brand_id, day),
        before=before,
        runs=run_resources,
        prompts=side_by_side(
            _counts_of(days[0], [run.id for run in run_resources]), _counts_of(before, before.runs) if before else {}
        ),
    )


def with_wordings(
    caller: Caller, *, brand: Brand, outcomes: Iterable[PromptOutcome], dictionary: Dictionary | None = None
) -> list[PromptRow]:
    """The outcomes with what was asked, in their order; `dictionary` has the brand's names where they were read."""
    caller.require(Scope.READ_PROMPTS)
    outcomes = list(outcomes)
    versions = PromptVersion.objects.restrict(caller, "view").in_bulk({outcome.version for outcome in outcomes})
    dictionary = dictionary or names_in_use(brand)
    return [
        PromptRow(outcome, version.prompt_id, version.text, is_branded(version.text, dictionary))
        for outcome in outcomes
        if (version := versions.get(outcome.version))
    ]


def with_counted(runs: BrandScopedQuerySet) -> BrandScopedQuerySet:
    """With `is_counted`: whether all answers are analysed for the figures that are shown."""
    scores = RunScore.objects.filter(run=OuterRef("pk"), generation__state=Generation.State.CURRENT)
    counted: BrandScopedQuerySet = runs.annotate(is_counted=Exists(scores.exclude(stage=RunScore.Stage.ANALYSING)))
    return counted


def _days_of(caller: Caller, run: Run) -> list[TrendItem]:
    """The days that the run's answers belong to, as far as they are measured."""
    if run.kind != Run.Kind.VISIBILITY or run.is_active:
        return []
    first, last = _span(run)
    rows = DailyScore.objects.restrict(caller, "view").filter(brand=run.brand_id, competitor=None)
    days = rows.filter(date__range=(first, last)).order_by("-date")
    return [_trend_item(row) for row in days if str(run.pk) in row.runs]


def _span(run: Run) -> tuple[date, date]:
    """The first and the last day of the answers; those of an import have days of their own."""
    moments = (run.created_at, run.created_at)
    if run.trigger == Run.Trigger.IMPORT and run.started_at and run.finished_at:
        moments = (run.started_at, run.finished_at)
    return _day(moments[0]), _day(moments[1])


def _day(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def _trend_item(row: DailyScore) -> TrendItem:
    return TrendItem.model_validate({name: getattr(row, name) for name in TREND_FIELDS})


def _counts_of(day: TrendItem, runs: Sequence[UUID]) -> Tallies:
    """What came of each question of the day, over its runs, which are given in their order."""
    engine_days = [EngineDay(engine.engine, day.date, tuple(runs)) for engine in day.engines]
    counts = count_results(answers_of(engine_days, active=False))
    return pooled(counts[run] for run in runs if run in counts)

"""Two runs side by side: what was asked, the scores, and what may be said of their difference, by the one rule for
differences of scores (`metrics.change`)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date
from typing import Any
from uuid import UUID

from django.db.models import Case, Q, When

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.detection.names.matching import Dictionary
from visibility.detection.types import BRAND
from visibility.measured.generations import tracked_names_of
from visibility.measured.names import TrackedNames
from visibility.measured.sampling import MEASURED, Sample, read_samples_of_runs
from visibility.measured.scoring import score_sample
from visibility.metrics.change import Change as JudgedChange
from visibility.metrics.change import Metric, compare
from visibility.metrics.pairs import DayCounts, count_day, pair_counts
from visibility.metrics.types import Estimate, rounded
from visibility.models import Run
from visibility.pipeline.days.history import narrowed
from visibility.pipeline.days.panels import RUNS, Why, causes, engine_causes, panel_content
from visibility.pipeline.days.writing import figures_since, kept
from visibility.resources.brands import RunResource
from visibility.resources.changes import Change, EngineChange
from visibility.services.runs.reports import with_counted
from visibility.services.runs.results import PromptOutcome, Question, Tallies, Tally, side_by_side
from visibility.services.scans.status import run_resource_for

MAX_CHOICES = 60
"""Runs to choose from."""


@dataclass(frozen=True, slots=True)
class EngineSides:
    """One engine in both runs, in percent with 95 % interval; `change` says what may be said of the difference."""

    engine: str
    before: Estimate | None
    now: Estimate | None
    change: EngineChange


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs, the earlier first, and the others that could be chosen, newest first. `change` is None where the
    names in the answers of either are not counted."""

    before: RunResource
    now: RunResource
    choices: Sequence[RunResource]
    change: Change | None
    engines: Sequence[EngineSides]
    prompts: Sequence[PromptOutcome]
    names: Dictionary


@snapshot()
def compare_runs(caller: Caller, *, brand: Brand, run_ids: Sequence[UUID]) -> RunComparison | None:
    """These two scans of the brand, or its latest two where none are named; None where there are not two. Raises
    not_found for a run that is none of its scans with answers."""
    caller.require(Scope.READ_VISIBILITY)
    runs = _choices(caller, brand, run_ids)
    chosen = [run for run in runs if run.pk in run_ids] if run_ids else runs[:2]
    if run_ids and len(chosen) < 2:
        raise not_found()
    if len(chosen) < 2:
        return None
    before, now = sorted(chosen[:2], key=lambda run: (run.created_at, run.pk))
    tracked = tracked_names_of(brand)
    is_counted = before.is_counted and now.is_counted
    samples = read_samples_of_runs(tracked, [before.pk, now.pk] if is_counted else [])
    sides = _Sides(tracked, before, now, samples) if is_counted else None
    return RunComparison(
        before=run_resource_for(caller, before),
        now=run_resource_for(caller, now),
        choices=[run_resource_for(caller, run) for run in runs],
        change=sides.change() if sides else None,
        engines=sides.engines() if sides else [],
        prompts=side_by_side(*(_tallies(run.pk, samples[run.pk]) for run in (now, before))) if sides else [],
        names=tracked.dictionary,
    )


def _choices(caller: Caller, brand: Brand, chosen: Sequence[UUID]) -> list[Any]:
    """The latest scans with answers, newest first; those that are `chosen` however old they are. One statement."""
    scans = Run.objects.restrict(caller, "view").filter(brand=brand, kind=Run.Kind.VISIBILITY)
    answered = scans.filter(Q(status__in=MEASURED) | Q(status=Run.Status.FAILED, done__gt=0))
    is_other = Case(When(pk__in=chosen, then=0), default=1)
    newest = with_counted(answered).order_by(is_other, "-created_at", "-id")[:MAX_CHOICES]
    return sorted(newest, key=lambda run: (run.created_at, run.pk), reverse=True)


def _tallies(run: UUID, sample: Sample) -> Tallies:
    """k of n by wording and engine, of answers alone."""
    tallies: dict[Question, Tally] = {}
    for engine, outcomes in sample.outcomes.items():
        for outcome in outcomes:
            question = Question(int(outcome.prompt), engine)
            tally = Tally(run, answers=1, named=int(BRAND in outcome.ranks))
            tallies[question] = tallies[question] + tally if question in tallies else tally
    return tallies


class _Sides:
    """What the answers of two runs say of each other, judged as two days are."""

    def __init__(self, tracked: TrackedNames, before: Run, now: Run, samples: Mapping[UUID, Sample]) -> None:
        self._days = [run.created_at.astimezone(UTC).date() for run in (before, now)]
        self._samples = [samples[run.pk] for run in (before, now)]
        self._scores = [score_sample(sample, [BRAND])[BRAND].by_engine for sample in self._samples]
        self._panels = [panel_content(sample) for sample in self._samples]
        self._causes = causes(self._panels[0], self._panels[1], RUNS)
        self._changes = self._judged(tracked.subjects)

    def change(self) -> Change:
        """Of the score over engines, and of each engine that both runs asked."""
        return Change(
            **self._figures(None),
            causes=_shown(self._causes),
            by_engine=[sides.change for sides in self.engines() if sides.before and sides.now],
        )

    def engines(self) -> list[EngineSides]:
        """Every engine that counted in either run, by name."""
        names = sorted({name for scores in self._scores for name in scores})
        return [self._engine(name) for name in names]

    def _engine(self, name: str) -> EngineSides:
        before, now = (_percent(scores[name].score) if name in scores else None for scores in self._scores)
        reasons = self._engine_causes(name) if before and now else []
        change = EngineChange(engine=name, causes=_shown(reasons), **self._figures(name))
        return EngineSides(name, before, now, change)

    def _figures(self, engine: str | None) -> dict[str, Any]:
        return figures_since(self._days[0], self._changes.get(engine))

    def _judged(self, subjects: Sequence[str]) -> dict[str | None, JudgedChange]:
        """By engine, None over engines, the change of the brand's score; one family of all that can be compared."""
        alike = self._alike()
        counts = [self._counts(*side, subjects) for side in zip(self._days, self._samples, strict=True)]
        averaged: frozenset[str] = frozenset() if self._causes else counts[1].averaged
        engines = alike | averaged
        pair = pair_counts(*(narrowed(day, engines, averaged) for day in counts)) if engines else None
        changes = compare(pair) if pair else []
        own = [change for change in changes if change.subject == BRAND and change.metric is Metric.SCORE]
        return {change.engine: change for change in own}

    def _alike(self) -> frozenset[str]:
        """The engines that were asked alike in both runs."""
        both = set(self._samples[0].counted) & set(self._samples[1].counted)
        return frozenset(name for name in both if not self._engine_causes(name))

    def _engine_causes(self, engine: str) -> list[Why]:
        return engine_causes(self._panels[0], self._panels[1], engine, RUNS)

    def _counts(self, day: date, sample: Sample, subjects: Sequence[str]) -> DayCounts:
        outcomes = [outcome for name in sample.counted for outcome in sample.outcomes[name]]
        return count_day(day, outcomes, subjects, sample.averaged)


def _shown(reasons: Sequence[Why]) -> list[Any]:
    return [asdict(cause) for cause in kept(reasons)]


def _percent(estimate: Estimate) -> Estimate:
    return Estimate(rounded(estimate.value), rounded(estimate.low), rounded(estimate.high), estimate.interval)

"""Reads stored answers as the outcomes that metrics are computed from: of one run, or of one day."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self
from uuid import UUID

from django.db.models import Q, QuerySet

from brands.querysets import BrandScopedQuerySet
from visibility.detection.detector import named_in
from visibility.engines.surfaces import Surface, averaged_together, surface_of
from visibility.measured.names import TrackedNames
from visibility.measured.sample_rows import AnswerRow, SampleRows, WordingRow, read_rows, read_rows_at_once
from visibility.metrics.types import NO_PAGES, AnswerOutcome
from visibility.models import Answer, Run, RunScore

MEASURED = (Run.Status.SUCCEEDED, Run.Status.PARTIAL)


@dataclass(frozen=True, slots=True)
class EngineSample:
    """What one engine was asked and answered. `versions` are the wordings that were planned."""

    versions: frozenset[int]
    answered: frozenset[int]
    answers: int
    models: frozenset[str]
    surface: Surface = Surface.API

    @property
    def counts(self) -> bool:
        """Whether enough was answered: at least 80 % of the planned wordings, each by one sample or more."""
        return bool(self.versions) and 5 * len(self.answered) >= 4 * len(self.versions)


@dataclass(frozen=True, slots=True)
class Sample:
    """A set of answers, ready to be measured. `outcomes` is keyed by engine; `locales` by wording.

    Engines that stand `aside` are measured by themselves and never enter the all-engine figure. Answers on topics
    that are not own are no part of it: with them it is `all_topics`, None where there are none. `runs` are all that
    were pooled.
    """

    outcomes: Mapping[str, Sequence[AnswerOutcome]]
    engines: Mapping[str, EngineSample]
    locales: Mapping[int, str]
    runs: Sequence[UUID]
    failed: int
    aside: frozenset[str] = frozenset()
    all_topics: Self | None = None

    @property
    def answers(self) -> int:
        """Answers that came and were analysed."""
        return sum(engine.answers for engine in self.engines.values())

    @property
    def counted(self) -> list[str]:
        """The engines with enough answers, by name."""
        return sorted(name for name, engine in self.engines.items() if engine.counts)

    @property
    def averaged(self) -> list[str]:
        """The engines of the all-engine figure: the counted ones of one surface, the first that is there."""
        candidates = [name for name in self.counted if name not in self.aside]
        return averaged_together({name: self.engines[name].surface for name in candidates})

    def locales_of(self, engine: str) -> set[str]:
        """The locales in which the engine was asked."""
        return {self.locales[version] for version in self.engines[engine].versions}


def days_of(run: Run) -> list[date]:
    """The UTC days that the run's answers belong to: its own day, or each answer's day for an import."""
    if run.trigger != Run.Trigger.IMPORT:
        return [_day(run.created_at)]
    if run.started_at and run.finished_at and _day(run.started_at) == _day(run.finished_at):
        return [_day(run.started_at)]
    moments = Answer.objects.filter(run=run, answered_at__isnull=False).order_by()
    return sorted(set(moments.values_list("answered_at__date", flat=True).distinct()))


def _day(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def answers_of_run(run: Run) -> BrandScopedQuerySet:
    """All answers of one run."""
    return Answer.objects.filter(run=run)


def analysed_runs(generation: UUID) -> BrandScopedQuerySet:
    """The runs of a generation that have ended with answers, all of them analysed; of every kind."""
    analysed = RunScore.objects.filter(generation=generation).exclude(stage=RunScore.Stage.ANALYSING)
    ended = Q(status__in=MEASURED) | Q(status=Run.Status.FAILED, done__gt=0)
    return Run.objects.filter(ended, pk__in=analysed.values("run"))


def answers_of_day(tracked: TrackedNames, day: date) -> BrandScopedQuerySet:
    """All answers of that UTC day from visibility runs that have ended and are analysed. Comparisons are no part of a
    day: their questions name the brand."""
    start = datetime.combine(day, time.min, UTC)
    end = start + timedelta(days=1)
    imported = Q(trigger=Run.Trigger.IMPORT)
    own_day = ~imported & Q(created_at__gte=start, created_at__lt=end)
    answers_day = imported & Q(started_at__lt=end, finished_at__gte=start)
    runs = analysed_runs(tracked.generation).filter(kind=Run.Kind.VISIBILITY)
    pooled = list(runs.filter(own_day | answers_day).values_list("pk", flat=True))
    of_day = ~Q(run__trigger=Run.Trigger.IMPORT) | Q(answered_at__gte=start, answered_at__lt=end)
    return Answer.objects.filter(of_day, run__in=pooled)


def read_sample(tracked: TrackedNames, answers: BrandScopedQuerySet) -> Sample:
    """The outcomes of `answers`, whose runs are analysed for `tracked`."""
    read = read_rows(answers, [tracked])
    return _sample(tracked, read.answers, read)


def read_samples(tracked_by_brand: Mapping[UUID, TrackedNames], answers: QuerySet[Answer, Any]) -> dict[UUID, Sample]:
    """As `read_sample`, of several brands at once, in one statement."""
    read = read_rows_at_once(answers, list(tracked_by_brand.values()))
    rows: dict[UUID, list[AnswerRow]] = {brand: [] for brand in tracked_by_brand}
    for row in read.answers:
        rows[row.brand_id].append(row)
    return {brand: _sample(tracked, rows[brand], read) for brand, tracked in tracked_by_brand.items()}


def read_samples_of_runs(tracked: TrackedNames, runs: Collection[UUID]) -> dict[UUID, Sample]:
    """As `read_sample`, of each of these runs by itself, in one statement; none for no run."""
    read = read_rows_at_once(Answer.objects.filter(run__in=runs), [tracked])
    return {run: _sample(tracked, [row for row in read.answers if row.run_id == run], read) for run in runs}


def _sample(tracked: TrackedNames, rows: Sequence[AnswerRow], read: SampleRows) -> Sample:
    not_own = tracked.vocabulary.not_own
    own = [row for row in rows if read.wordings[row.version_id].topic_key not in not_own]
    sample = _of_rows(tracked, own, read)
    if len(own) == len(rows):
        return sample
    all_topics = _of_rows(tracked, rows, read)
    return replace(sample, runs=all_topics.runs, all_topics=all_topics)


def _of_rows(tracked: TrackedNames, rows: Sequence[AnswerRow], read: SampleRows) -> Sample:
    versions = {pk: read.wordings[pk] for pk in {row.version_id for row in rows}}
    named = {pk: named_in(version.text, tracked.dictionary) for pk, version in versions.items()}
    planned_rows: dict[str, list[AnswerRow]] = defaultdict(list)
    answered_rows: dict[str, list[AnswerRow]] = defaultdict(list)
    for row in rows:
        planned_rows[row.engine].append(row)
        if row.state == Answer.State.ANSWERED:
            answered_rows[row.engine].append(row)
    return Sample(
        outcomes={
            engine: [
                AnswerOutcome(
                    prompt=str(row.version_id),
                    topic=_topic(versions[row.version_id]),
                    engine=engine,
                    ranks=read.ranks.get(row.pk, {}),
                    cited=frozenset(read.pages.get(row.pk, NO_PAGES).by_subject),
                    named=named[row.version_id],
                    pages=read.pages.get(row.pk, NO_PAGES),
                )
                for row in answered
            ]
            for engine, answered in answered_rows.items()
        },
        engines={
            engine: _engine_sample(planned, answered_rows[engine]) for engine, planned in sorted(planned_rows.items())
        },
        locales={pk: version.locale for pk, version in versions.items()},
        runs=sorted({row.run_id for row in rows}),
        failed=sum(row.state == Answer.State.FAILED for row in rows),
    )


def _engine_sample(planned_rows: Sequence[AnswerRow], answered_rows: Sequence[AnswerRow]) -> EngineSample:
    return EngineSample(
        versions=frozenset(row.version_id for row in planned_rows),
        answered=frozenset(row.version_id for row in answered_rows),
        answers=len(answered_rows),
        models=frozenset(row.served_model for row in answered_rows),
        surface=surface_of(planned_rows[0].engine, planned_rows[0].surface),
    )


def _topic(wording: WordingRow) -> str:
    """The need behind the wording; the prompt itself where it states none, so that its versions stay together."""
    return wording.topic or f"prompt {wording.prompt_id}"

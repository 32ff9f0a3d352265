"""Reads stored answers as the outcomes that metrics are computed from: of one run, or of one day."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import Count, Min, Model, Q, QuerySet, Sum

from brands.querysets import BrandScopedQuerySet
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.engines.surfaces import Surface, averaged_together, surface_of
from visibility.measured.names import TrackedNames
from visibility.metrics.types import NO_PAGES, AnswerOutcome, CitedPages
from visibility.models import Answer, Citation, Mention, PromptVersion, Run, RunScore

AT_ONCE = 10_000
"""Answers that are named in one statement."""

MEASURED = (Run.Status.SUCCEEDED, Run.Status.PARTIAL)

_Found = TypeVar("_Found", bound=Model)


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

    Engines that stand `aside` are measured by themselves and never enter the all-engine figure.
    """

    outcomes: Mapping[str, Sequence[AnswerOutcome]]
    engines: Mapping[str, EngineSample]
    locales: Mapping[int, str]
    runs: Sequence[UUID]
    failed: int
    aside: frozenset[str] = frozenset()

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


class _Row(NamedTuple):
    """What is read of each answer; the names are those of its fields."""

    pk: UUID
    brand_id: UUID
    run_id: UUID
    engine: str
    surface: str
    state: str
    version_id: int
    served_model: str


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


def answers_of_day(tracked: TrackedNames, day: date, finishing: Run | None = None) -> BrandScopedQuerySet:
    """All answers of that UTC day from visibility runs that are analysed, and from the one that is about to
    end. Comparisons are no part of a day: their questions name the brand."""
    start = datetime.combine(day, time.min, UTC)
    end = start + timedelta(days=1)
    imported = Q(trigger=Run.Trigger.IMPORT)
    own_day = ~imported & Q(created_at__gte=start, created_at__lt=end)
    answers_day = imported & Q(started_at__lt=end, finished_at__gte=start)
    runs = analysed_runs(tracked.generation).filter(kind=Run.Kind.VISIBILITY)
    if finishing:
        runs |= Run.objects.filter(pk=finishing.pk)
    pooled = list(runs.filter(own_day | answers_day).values_list("pk", flat=True))
    of_day = ~Q(run__trigger=Run.Trigger.IMPORT) | Q(answered_at__gte=start, answered_at__lt=end)
    return Answer.objects.filter(of_day, run__in=pooled)


def read_sample(tracked: TrackedNames, answers: BrandScopedQuerySet) -> Sample:
    """The outcomes of `answers`, whose runs are analysed for `tracked`."""
    read = _read(answers, [tracked])
    return _sample(tracked, read.rows, read)


def read_samples(tracked_by_brand: Mapping[UUID, TrackedNames], answers: QuerySet[Answer, Any]) -> dict[UUID, Sample]:
    """As `read_sample`, of several brands at once: as many statements for one as for all of them."""
    read = _read(answers, list(tracked_by_brand.values()))
    rows: dict[UUID, list[_Row]] = {brand: [] for brand in tracked_by_brand}
    for row in read.rows:
        rows[row.brand_id].append(row)
    return {brand: _sample(tracked, rows[brand], read) for brand, tracked in tracked_by_brand.items()}


def read_samples_of_runs(tracked: TrackedNames, runs: Collection[UUID]) -> dict[UUID, Sample]:
    """As `read_sample`, of each of these runs by itself: as many statements for one as for all of them."""
    read = _read(Answer.objects.filter(run__in=runs), [tracked])
    return {run: _sample(tracked, [row for row in read.rows if row.run_id == run], read) for run in runs}


@dataclass(frozen=True, slots=True)
class _Read:
    """What is stored of some answers: ranks and cited pages by answer, wordings by key."""

    rows: Sequence[_Row]
    versions: Mapping[int, PromptVersion]
    ranks: Mapping[UUID, Mapping[str, int | None]]
    pages: Mapping[UUID, CitedPages]


def _read(answers: QuerySet[Answer, Any], tracked_by_brand: Sequence[TrackedNames]) -> _Read:
    rows = [_Row(*row) for row in answers.order_by().values_list(*_Row._fields)]
    answered = [row.pk for row in rows if row.state == Answer.State.ANSWERED]
    return _Read(
        rows,
        PromptVersion.objects.select_related("prompt").in_bulk({row.version_id for row in rows}),
        _ranks(tracked_by_brand, answered),
        _pages(tracked_by_brand, answered),
    )


def _sample(tracked: TrackedNames, rows: Sequence[_Row], read: _Read) -> Sample:
    versions = {pk: read.versions[pk] for pk in {row.version_id for row in rows}}
    named = {pk: named_in(version.text, tracked.dictionary) for pk, version in versions.items()}
    planned_rows: dict[str, list[_Row]] = defaultdict(list)
    answered_rows: dict[str, list[_Row]] = defaultdict(list)
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


def _engine_sample(planned_rows: Sequence[_Row], answered_rows: Sequence[_Row]) -> EngineSample:
    return EngineSample(
        versions=frozenset(row.version_id for row in planned_rows),
        answered=frozenset(row.version_id for row in answered_rows),
        answers=len(answered_rows),
        models=frozenset(row.served_model for row in answered_rows),
        surface=surface_of(planned_rows[0].engine, planned_rows[0].surface),
    )


def _topic(version: PromptVersion) -> str:
    """The need behind the wording; the prompt itself where it states none, so that its versions stay together."""
    return version.prompt.topic or f"prompt {version.prompt_id}"


def _subject(competitor_id: UUID | None) -> str:
    return str(competitor_id) if competitor_id else BRAND


def _of_answers(
    rows: QuerySet[_Found], tracked_by_brand: Sequence[TrackedNames], answers: Sequence[UUID]
) -> Iterator[QuerySet[_Found]]:
    """The rows of these answers that belong to the tracked_by_brand' generations, some answers at a time.

    The answers are named one by one: of a run and a generation that are new the database knows nothing yet, takes
    both for a single row, and compares each row with each answer where they are joined.
    """
    generations = [tracked.generation for tracked in tracked_by_brand]
    for start in range(0, len(answers), AT_ONCE):
        yield rows.filter(generation__in=generations, answer__in=answers[start : start + AT_ONCE]).order_by()


def _ranks(tracked_by_brand: Sequence[TrackedNames], answers: Sequence[UUID]) -> dict[UUID, dict[str, int | None]]:
    """The best rank of each subject that is visible, by answer; None where none can be told."""
    ranks: dict[UUID, dict[str, int | None]] = defaultdict(dict)
    for mentions in _of_answers(Mention.of_all_generations.visible(), tracked_by_brand, answers):
        rows = mentions.values_list("answer_id", "competitor_id").annotate(first=Min("rank"))
        for answer, competitor, rank in rows:
            ranks[answer][_subject(competitor)] = rank
    return dict(ranks)


def _pages(tracked_by_brand: Sequence[TrackedNames], answers: Sequence[UUID]) -> dict[UUID, CitedPages]:
    """What is cited, by answer. Pages of a competitor that is removed meanwhile are anybody's."""
    pages: dict[UUID, CitedPages] = {}
    for citations in _of_answers(Citation.of_all_generations.all(), tracked_by_brand, answers):
        rows = citations.values_list("answer_id", "owner", "competitor_id").annotate(
            Count("pk"), Sum("impression"), Sum("impression_published")
        )
        _add_pages(pages, rows)
    return pages


def _add_pages(pages: dict[UUID, CitedPages], rows: Iterable[tuple[Any, ...]]) -> None:
    for answer, owner, competitor, number, attached, published in rows:
        known = pages.get(answer, NO_PAGES)
        if owner == Citation.Owner.OWN or (owner == Citation.Owner.COMPETITOR and competitor):
            subject = _subject(competitor)
            known = replace(
                known,
                by_subject={**known.by_subject, subject: number},
                attached={**known.attached, subject: attached or 0.0},
                published={**known.published, subject: published or 0.0},
            )
        pages[answer] = replace(known, total=known.total + number)

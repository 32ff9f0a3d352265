"""The demo brand's past: each day answered by the real engines from the bundled pages as they stood on that day.

The answers are stored as a run of their day and go through the stages that every run goes through. Nothing is asked
of anybody, so the runs are imports: they cost no credits and begin no cooldown.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from uuid import UUID

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import Max, Min, QuerySet

from apikeys.caller import Caller
from brands.models import Brand
from brands.services.access import lock_brand
from visibility.demo.content import Upheaval, corpus_on, upheaval
from visibility.demo.days import DAYS, SEEDER, Clock, day_of, first_day, moment_of
from visibility.engines.adapters.local_search import NAME, PREFIX, is_local
from visibility.engines.protocol import Engine, EngineAnswer, Question
from visibility.engines.surfaces import surface_of
from visibility.models import Answer, Page, PromptVersion, Run
from visibility.pipeline.ask.engines import engines_of
from visibility.pipeline.ask.storing import answer_fields
from visibility.pipeline.circumstances import Circumstances
from visibility.pipeline.plan import current_wordings
from visibility.services.engines.corpus import put_pages
from visibility.services.imports.importing import measure_import
from visibility.services.imports.progress import Progress, silent

SECOND_ENGINE = f"{PREFIX}recent"
FIRST_OF_SECOND = 8
"""The day on which the second engine was asked for the first time: the one before has another panel."""
ASKED_AT = 6
"""The hour, UTC, at which the engines are asked."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """The first and the last simulated day of a brand, and the day on which most pages of one site went."""

    first: date
    last: date
    upheaval: Upheaval


def simulated(brand_id: UUID) -> Simulated | None:
    """Which days of the brand's trend are simulated; None where none are."""
    days = _runs(brand_id).aggregate(first=Min("started_at"), last=Max("started_at"))
    if days["first"] is None:
        return None
    first = days["first"].astimezone(UTC).date()
    return Simulated(first, days["last"].astimezone(UTC).date(), upheaval(first))


def seed_history(
    caller: Caller,
    brand: Brand,
    progress: Progress = silent,
    days: Iterable[int] = range(1, DAYS + 1),
    then: Callable[[int], None] = lambda number: None,
) -> int:
    """Add those of the `days` (1 to 60, in order) that are not there yet, each measured before the next; `then` is
    what happens on a day once it is measured.

    Returns how many were added. A day is stored in one transaction and never twice: after a crash the rest is added,
    and what was stored but not measured is measured first. `then` may be called again for a day that is there.
    """
    rows = _runs(brand.pk).values_list("created_at", "status")
    runs = {moment.astimezone(UTC).date(): status for moment, status in rows}
    numbers = list(days)
    stored = {number for number in numbers if day_of(brand, number) in runs}
    missing = [number for number in numbers if runs.get(day_of(brand, number), Run.Status.QUEUED) in Run.ACTIVE]
    for number in numbers:
        if number in missing:
            run = _record(caller, brand, number)
            measure_import(run.pk, Circumstances(Clock(moment_of(brand, number, ASKED_AT))))
            progress("Days", missing.index(number) + 1, len(missing))
        then(number)
    return len(numbers) - len(stored)


def _runs(brand_id: UUID) -> QuerySet[Run]:
    runs: QuerySet[Run] = Run.objects.filter(brand=brand_id, kind=Run.Kind.VISIBILITY, trigger=Run.Trigger.IMPORT)
    return runs.filter(actor=SEEDER).order_by()


@transaction.atomic
def _record(caller: Caller, brand: Brand, number: int) -> Run:
    """Store the answers of a day as a run of it, to be analysed and scored; or the run that is there by now."""
    brand = lock_brand(brand)
    moment = moment_of(brand, number, ASKED_AT)
    if there := _runs(brand.pk).filter(created_at=moment).first():
        return there
    run = Run(
        brand=brand,
        trigger=Run.Trigger.IMPORT,
        actor=SEEDER,
        created_at=moment,
        started_at=moment,
        engines=[engine.name for engine in _engines(brand, number)],
    )
    answers = _answers(caller, run, number)
    run.total = run.done = len(answers)
    run.finished_at = answers[-1].answered_at
    run.save(force_insert=True)
    Answer.objects.bulk_create(answers, batch_size=500)
    return run


def _engines(brand: Brand, number: int) -> list[Engine]:
    """The brand's engines over its pages that were asked on that day."""
    engines = [engine for engine in engines_of(brand) if is_local(engine.name)]
    return [engine for engine in engines if engine.name == NAME or number >= FIRST_OF_SECOND]


def _answers(caller: Caller, run: Run, number: int) -> list[Answer]:
    """Ask each engine each wording once over the pages of that day, which are there for nobody else.

    Once is enough: to the same question over the same pages these engines have one answer.
    """
    wordings, engines = current_wordings(run.brand), _engines(run.brand, number)
    with transaction.atomic():
        _turn_back(caller, run.brand, number)
        order = [(version, engine) for version in wordings for engine in engines]
        answers = async_to_sync(_ask)(order)
        # The pages of today come back.
        transaction.set_rollback(True)
    return [
        Answer(
            surface=surface_of(engine.name, None).value,
            run=run,
            brand_id=run.brand_id,
            prompt_id=version.prompt_id,
            version=version,
            engine=engine.name,
            position=position,
            attempts=1,
            answered_at=run.created_at + timedelta(seconds=position),
            **answer_fields(answer),
        )
        for position, ((version, engine), answer) in enumerate(zip(order, answers, strict=True))
    ]


async def _ask(order: Sequence[tuple[PromptVersion, Engine]]) -> list[EngineAnswer]:
    return [await engine.ask(Question(version.text, version.locale)) for version, engine in order]


def _turn_back(caller: Caller, brand: Brand, number: int) -> None:
    """Make the pages those of a past day."""
    first = first_day(brand)
    then, now = corpus_on(number, first), corpus_on(DAYS, first)
    Page.objects.filter(brand=brand, url__in=now.keys() - then.keys()).delete()
    put_pages(caller, brand=brand, pages=[page for url, page in then.items() if now.get(url) != page])

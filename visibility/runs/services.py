"""Starting and cancelling scans. Limits are counted under the lock of the brand's row: one caller at a time."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from itertools import product
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import spend
from apikeys.errors import ErrorCode, ServiceError, conflict, invalid, not_found
from apikeys.models import Usage
from brands.access import editable_brand
from brands.later import defer_for_run
from brands.models import Brand
from brands.trail import What, note
from visibility.models import Answer, BrandEngine, Engine, Page, Prompt, PromptVersion, Run, RunEngine, Surface
from visibility.models.prompts import market_of
from visibility.models.runs import RunKind, RunTrigger
from visibility.runs.engines import Reached, engines_by_brand, engines_of
from visibility.runs.finish import settle_cancelled

COOLDOWN = timedelta(hours=1)
BATCH = 1_000


class StartReason(StrEnum):
    """Why nothing was started."""

    ACTIVE = "already_active"
    COOLDOWN = "cooldown"
    NOTHING_NEW = "nothing_new"

    def words(self, kind: str = gettext_noop("scan")) -> str:
        """The reason as a sentence for people; `kind` is what they call such a run."""
        if self is StartReason.NOTHING_NEW:
            return gettext(
                "Only stored pages would be asked, and none is new: every answer would repeat one of today."
            )
        words = gettext("A {kind} is under way.")
        if self is StartReason.COOLDOWN:
            words = gettext("A {kind} was started within the last hour.")
        return words.format(kind=gettext(kind))


@dataclass(frozen=True, slots=True)
class Started:
    """What came of a request to scan: the new run, or, with a reason, the one that is in its way.

    `next_allowed_at` is when the next one of this kind may start; `credits_spent` what this request reserved.
    """

    run: Run
    started: bool
    reason: StartReason | None
    next_allowed_at: datetime
    credits_spent: int


@dataclass(frozen=True, slots=True)
class ScanPlan:
    """What a scan asks: every wording of every engine, `samples` times each."""

    wordings: Sequence[PromptVersion]
    engines: Sequence[tuple[Reached, int]]

    @property
    def total(self) -> int:
        """Answers to ask for, one credit each."""
        return len(self.wordings) * sum(samples for _, samples in self.engines)


def plan_scan(brand: Brand) -> ScanPlan:
    """What a scan of the brand asks now: the wordings of its active prompts, of its engines.

    Raises no_engine_configured and no_prompts.
    """
    engines = plan_engines(brand)
    wordings = list(_wordings([brand.pk]).order_by("pk"))
    if not wordings:
        raise ServiceError(ErrorCode.NO_PROMPTS, gettext("The brand has no active prompt to ask. Add prompts first."))
    return ScanPlan(wordings, engines)


def scan_credits(brands: Collection[Brand]) -> dict[UUID, int]:
    """What a scan of each of these brands takes now, without those that cannot be scanned for want of prompts or
    engines. The brands come with their owners."""
    keys = [brand.pk for brand in brands]
    wordings = dict(_wordings(keys).order_by().values_list("prompt__brand").annotate(number=Count("pk")))
    reached = engines_by_brand(keys)
    credits = {
        brand.pk: wordings.get(brand.pk, 0) * sum(samples for _, samples in _with_samples(brand, reached[brand.pk]))
        for brand in brands
    }
    return {pk: number for pk, number in credits.items() if number}


def _wordings(brand_ids: Collection[UUID]) -> QuerySet[PromptVersion]:
    """The wordings of the active prompts of these brands."""
    active = Prompt.objects.filter(brand__in=brand_ids).active()
    return PromptVersion.objects.filter(prompt__in=active, number=F("prompt__version"))


def plan_engines(brand: Brand) -> list[tuple[Reached, int]]:
    """The engines to ask for the brand, each with its samples; raises no_engine_configured."""
    reached = engines_of(brand)
    if not reached:
        raise ServiceError(
            ErrorCode.NO_ENGINE_CONFIGURED,
            gettext(
                "No answer engine can be asked for this brand. Ask the operator of the service to enable an engine "
                "and "
                "to set its provider's key, or import answers."
            ),
        )
    return _with_samples(brand, reached)


def samples_of(brand: Brand) -> int:
    """How often a scan asks each prompt of an engine that sets no limit of its own."""
    return min(brand.samples, brand.owner.limit("max_samples"))


def _with_samples(brand: Brand, reached: Sequence[Reached]) -> list[tuple[Reached, int]]:
    most = samples_of(brand)
    return [(each, min(most, each.engine.max_samples or most)) for each in reached]


def start_scan(caller: Caller, *, brand_id: UUID, trigger: RunTrigger) -> Started:
    """Start a scan, or return the run that is active, inside of the cooldown, or already has all that the new one
    could be told; that costs nothing.

    Raises not_found, read_only_collaborator, no_engine_configured, no_prompts, quota_exceeded; then nothing is
    started or spent.
    """
    return start_run(caller, brand_id=brand_id, kind=Run.Kind.VISIBILITY, trigger=trigger, make_plan=plan_scan)


@transaction.atomic
def start_run(
    caller: Caller, *, brand_id: UUID, kind: RunKind, trigger: RunTrigger, make_plan: Callable[[Brand], ScanPlan]
) -> Started:
    """As `start_scan`, for any kind of run; each kind has its own cooldown. What `make_plan` writes for the locked
    brand is undone where the credits do not suffice."""
    brand = editable_brand(caller, brand_id, lock=True)
    if earlier := run_in_the_way(brand, kind):
        return earlier
    plan = make_plan(brand)
    if kind == Run.Kind.VISIBILITY and (same := run_with_all_answers(brand, plan)):
        return same
    run = _reserve(caller, brand, kind, trigger, plan)
    return Started(run, True, None, run.created_at + COOLDOWN, run.credits_reserved)


def run_in_the_way(brand: Brand, kind: RunKind) -> Started | None:
    """The run of this kind that is active or was started within the last hour; None where one may start now.

    Imports do not count, nor runs that failed before their first answer or found no credits.
    """
    now = timezone.now()
    runs = Run.objects.filter(brand=brand, kind=kind).exclude(trigger=Run.Trigger.IMPORT).not_refused().newest()
    if active := runs.active().first():
        return Started(active, False, StartReason.ACTIVE, max(now, active.created_at + COOLDOWN), 0)
    recent = runs.filter(created_at__gt=now - COOLDOWN).exclude(status=Run.Status.FAILED, done=0).first()
    if recent is not None:
        return Started(recent, False, StartReason.COOLDOWN, recent.created_at + COOLDOWN, 0)
    return None


def run_with_all_answers(brand: Brand, plan: ScanPlan) -> Started | None:
    """The scan of today whose answers the planned one could only repeat, word for word; None where there is none.

    Only stored pages are certain to answer the same again, as long as none of them was stored since.
    """
    now = timezone.now()
    runs = Run.objects.measured().filter(brand=brand, kind=Run.Kind.VISIBILITY, day=now.date())
    run = runs.exclude(trigger=Run.Trigger.IMPORT).newest().first()
    if run is None or any(reached.surface != Surface.PAGES for reached, _ in plan.engines):
        return None
    answered = set(run.answers.answered().values_list("version", "engine"))
    wanted = {(wording.pk, reached.engine.pk) for wording in plan.wordings for reached, _ in plan.engines}
    if not wanted <= answered or Page.objects.filter(brand=brand, stored_at__gte=run.created_at).exists():
        return None
    tomorrow = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
    return Started(run, False, StartReason.NOTHING_NEW, tomorrow, 0)


@transaction.atomic
def cancel_run(caller: Caller, *, brand_id: UUID, run_id: UUID) -> Run:
    """Stop a run. Answers that are there or under way stay and are paid; the other credits are given back.

    A run that is cancelled already is returned unchanged. Raises not_found, read_only_collaborator, conflict for a
    run that has ended, and for an import, whose answers are there.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    rows = Run.objects.select_for_update(of=("self",), no_key=True)
    run: Run | None = rows.filter(brand=brand, pk=run_id).first()
    if run is None:
        raise not_found()
    if run.status == Run.Status.CANCELLED:
        return run
    if run.trigger == Run.Trigger.IMPORT:
        raise conflict(
            gettext("An import cannot be cancelled: its answers are stored already and are being counted.")
        )
    if not run.is_active:
        raise conflict(
            gettext("The run has ended already ({status}). Only a run that waits or works can be cancelled.").format(
                status=run.status
            )
        )
    end_cancelled(run, "")
    return run


@transaction.atomic
def choose_engines(caller: Caller, *, brand_id: UUID, names: Collection[str]) -> None:
    """Have scans of the brand ask these engines; none: all that are enabled.

    Raises not_found, read_only_collaborator, invalid_arguments for one that scans cannot ask.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    engines = list(Engine.objects.asked().filter(name__in=names))
    if unknown := sorted(set(names) - {engine.name for engine in engines}):
        raise invalid(
            "engines",
            gettext("{unknown} is no AI engine that scans ask. Choose among those listed.").format(
                unknown=unknown[0][:100]
            ),
        )
    chosen = BrandEngine.objects.filter(brand=brand)
    before = ", ".join(sorted(chosen.values_list("engine__name", flat=True)))
    note(caller, brand, What.ENGINES, before, ", ".join(sorted(engine.name for engine in engines)))
    chosen.delete()
    BrandEngine.objects.bulk_create(BrandEngine(brand=brand, engine=engine) for engine in engines)


def cancel_ownerless_runs() -> None:
    """Cancel the runs of brands whose owner is deactivated; imports wait for the owner's return."""
    runs = Run.objects.active().filter(brand__owner__is_active=False).exclude(trigger=Run.Trigger.IMPORT)
    for run_id in runs.values_list("pk", flat=True):
        with transaction.atomic():
            run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
            if run is not None:
                end_cancelled(run, "The account of the brand's owner was deactivated.")


def end_cancelled(run: Run, reason: str) -> None:
    """Mark the locked run as cancelled. Its credits are settled once no call of it is under way."""
    run.status, run.finished_at, run.error_message = Run.Status.CANCELLED, timezone.now(), reason
    run.save(update_fields=["status", "finished_at", "error_message"])
    settle_cancelled(run)


def record_refused_slot(caller: Caller, brand: Brand, refusal: ServiceError) -> None:
    """Record a cancelled run for a slot of the cadence that could not be served, with the reason."""
    now = timezone.now()
    Run.objects.create(
        brand=brand,
        kind=Run.Kind.VISIBILITY,
        status=Run.Status.CANCELLED,
        trigger=Run.Trigger.SCHEDULE,
        actor=caller.actor,
        day=now.date(),
        created_at=now,
        finished_at=now,
        settled_at=now,
        error_code=refusal.code,
        error_message=refusal.message[:500],
    )


def _reserve(caller: Caller, brand: Brand, kind: RunKind, trigger: RunTrigger, plan: ScanPlan) -> Run:
    """The run with its pending answers and its job, paid for from the owner's month."""
    month = spend(brand.owner, Usage.Kind.CREDITS, plan.total)
    now = timezone.now()
    run = Run.objects.create(
        brand=brand,
        kind=kind,
        trigger=trigger,
        actor=caller.actor,
        day=now.date(),
        created_at=now,
        total=plan.total,
        credits_reserved=plan.total,
        credits_month=month,
        payer=brand.owner,
    )
    RunEngine.objects.bulk_create(
        RunEngine(
            run=run,
            engine=reached.engine,
            surface=reached.surface,
            samples=samples,
            total=samples * len(plan.wordings),
        )
        for reached, samples in plan.engines
    )
    Answer.objects.bulk_create(_pending(run, brand.region, plan), batch_size=BATCH)
    defer_for_run("ask", run.pk)
    return run


def _pending(run: Run, region: str, plan: ScanPlan) -> Iterator[Answer]:
    """Sample by sample, so that the samples of one prompt are never asked back to back."""
    assert run.day is not None  # noqa: S101 - mypy cannot know it
    rounds = max((samples for _, samples in plan.engines), default=0)
    places = product(range(1, rounds + 1), plan.wordings, plan.engines)
    asked = ((sample, wording, reached) for sample, wording, (reached, most) in places if sample <= most)
    for position, (sample, wording, reached) in enumerate(asked, start=1):
        yield Answer(
            run=run,
            brand_id=run.brand_id,
            day=run.day,
            prompt_id=wording.prompt_id,
            version=wording,
            engine=reached.engine,
            surface=reached.surface,
            market=market_of(wording.locale, region),
            sample=sample,
            position=position,
        )

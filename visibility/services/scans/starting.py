"""Starting and cancelling scans. Limits are counted under the lock of the brand's row: one caller at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Q, Subquery, When
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError, not_found
from apikeys.models import Usage
from apikeys.services.usage import spend
from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from brands.services.access import editable_brand
from visibility.jobs.kinds import RUN
from visibility.jobs.queue import enqueue
from visibility.models import Run
from visibility.pipeline.credits import settle
from visibility.pipeline.plan import plan_answers
from visibility.resources.brands import RUN_FIELDS, RunResource
from visibility.services.reading.reporting import latest_of
from visibility.services.reading.statements import latest_by_kind
from visibility.services.reading.withheld import run_for
from visibility.services.scans.plans import ScanPlan, plan_scan


class StartReason(StrEnum):
    """Why a scan was started or not."""

    STARTED = "started"
    ACTIVE = "already_active"
    COOLDOWN = "cooldown"


@dataclass(frozen=True, slots=True)
class StartedScan:
    """What came of a request to scan. `run` is the new run, or the one that stands in its way.

    `next_allowed_at` is when another scan of this kind can start; `credits_spent` what this request reserved.
    """

    run: Run
    started: bool
    reason: StartReason
    next_allowed_at: datetime
    credits_spent: int


def start_scan(
    caller: Caller,
    *,
    brand_id: UUID,
    trigger: Run.Trigger,
    samples: int | None = None,
    engines: Sequence[str] | None = None,
) -> StartedScan:
    """Start a visibility scan, or return the run that is active or inside the cooldown, which costs nothing.

    `samples` and `engines` default to the brand's choice. Raises not_found, read_only_collaborator,
    no_engine_configured, no_prompts, invalid_arguments and quota_exceeded; then nothing is started or spent.
    """
    plan = partial(plan_scan, engines=engines, samples=samples)
    return start_run(caller, brand_id=brand_id, kind=Run.Kind.VISIBILITY, trigger=trigger, plan=plan)


def start_run(
    caller: Caller, *, brand_id: UUID, kind: Run.Kind, trigger: Run.Trigger, plan: Callable[[Brand], ScanPlan]
) -> StartedScan:
    """Start what `plan` says of the held brand, unless a run of this kind is active or inside its cooldown.

    Each kind has its own clock. `plan` may write: where the credits do not suffice that is undone.
    """
    with transaction.atomic():
        brand = editable_brand(caller, brand_id, lock=True)
        now = timezone.now()
        standing = _standing(Run.objects.filter(brand=brand, kind=kind), now)
        if standing:
            return standing
        planned = plan(brand)
        run = reserve_run(caller, brand, kind, trigger, now, total=planned.total, engines=list(planned.samples))
        plan_answers(run, planned.wordings, planned.samples)
        transaction.on_commit(partial(enqueue, RUN, run.pk))
    return StartedScan(run, True, StartReason.STARTED, now + _cooldown(), run.credits_reserved)


def standing_run(caller: Caller, *, brand_id: UUID, kind: Run.Kind = Run.Kind.VISIBILITY) -> StartedScan | None:
    """The run in the way of another one of this kind, as `start_run` would return it; None where one can start now.
    None of a brand that the caller cannot see. Reads only."""
    runs = Run.objects.restrict(caller, "view").filter(brand=brand_id, kind=kind)
    return _standing(runs, timezone.now())


def before_a_scan(caller: Caller, *, brand_id: UUID) -> tuple[list[RunResource], StartedScan | None]:
    """The latest run of each kind, and `standing_run`, in one statement; nothing of a brand that the caller cannot
    see. Reads only."""
    every = Run.objects.restrict(caller, "view").filter(brand=brand_id).order_by("-created_at", "-id")
    first = in_the_way_first(every.filter(kind=Run.Kind.VISIBILITY)).values("pk")[:1]
    is_standing = Q(pk=Subquery(first))
    rows: list[Any] = list(every.filter(latest_by_kind(every) | is_standing).annotate(is_standing=is_standing))
    standing = next((run for run in rows if run.is_standing), None)
    runs = [run_for(caller, {name: getattr(run, name) for name in RUN_FIELDS}) for run in rows]
    return latest_of(runs), _in_the_way(standing, timezone.now())


def cancel_scan(caller: Caller, *, run: Run, wait_for_answers: bool = True, reason: str = "") -> Run:
    """Stop a waiting or working run: what was answered is kept and paid, the rest is given back.

    No further question is asked. Answers that are under way were paid for at the provider: the run's worker stores
    those that come within SCAN_CANCEL_GRACE_SECONDS, and then settles the credits; without `wait_for_answers` they
    are lost and the credits are settled now. `reason` is for who looks at the run. A run that is cancelled already is
    returned as it is. Raises conflict for one that has ended otherwise, and for an import: its answers are there and
    would never be counted, nor be imported again.
    """
    with transaction.atomic():
        editable_brand(caller, run.brand_id, lock=True)
        current: Run | None = Run.objects.select_for_update().filter(pk=run.pk).first()
        if current is None:
            raise not_found()
        if current.status != Run.Status.CANCELLED:
            _require_cancellable(current)
            current.status = Run.Status.CANCELLED
            current.finished_at = timezone.now()
            current.error_message = reason
            current.save(update_fields=["status", "finished_at", "error_message"])
        if not (wait_for_answers and current.lease_until and current.lease_until > timezone.now()):
            current.worker, current.lease_until = "", None
            current.save(update_fields=["worker", "lease_until"])
            settle(current)
    return current


def cancel_scan_by_id(caller: Caller, *, brand_id: UUID, run_id: UUID) -> Run:
    """As `cancel_scan`, for the brand's run with this id; not_found for one of another brand."""
    brand = editable_brand(caller, brand_id)
    run: Run | None = Run.objects.filter(brand=brand, pk=run_id).first()
    if run is None:
        raise not_found()
    return cancel_scan(caller, run=run)


def _require_cancellable(run: Run) -> None:
    if not run.is_active:
        what = "audit" if run.kind == Run.Kind.AUDIT else "scan"
        raise ServiceError(ErrorCode.CONFLICT, f"This {what} has already ended; start another one instead.")
    if run.trigger == Run.Trigger.IMPORT:
        raise ServiceError(
            ErrorCode.CONFLICT,
            "This run is an import, which asks nothing and cannot be cancelled. Wait until it is scored.",
        )


def record_unaffordable(caller: Caller, *, brand: Brand, refusal: ServiceError) -> Run:
    """Leave one cancelled run for a scheduled slot for which the owner's credits did not suffice."""
    now = timezone.now()
    run: Run = Run.objects.create(
        brand=brand,
        status=Run.Status.CANCELLED,
        trigger=Run.Trigger.SCHEDULE,
        actor=caller.actor,
        created_at=now,
        finished_at=now,
        settled_at=now,
        error_code=refusal.code,
        error_message=refusal.message,
    )
    return run


def _cooldown() -> timedelta:
    return timedelta(seconds=settings.SCAN_COOLDOWN_SECONDS)


def _standing(runs: BrandScopedQuerySet, now: datetime) -> StartedScan | None:
    return _in_the_way(in_the_way_first(runs).first(), now)


def in_the_way_first(runs: BrandScopedQuerySet) -> BrandScopedQuerySet:
    """The active run, else the last one: imports, runs that failed before their first answer and runs cancelled for
    lack of credits do not count."""
    scans = runs.exclude(trigger=Run.Trigger.IMPORT).exclude(Q(status=Run.Status.FAILED, done=0))
    is_past = Case(When(status__in=Run.ACTIVE, then=0), default=1)
    counting = scans.exclude(status=Run.Status.CANCELLED, error_code=ErrorCode.QUOTA_EXCEEDED)
    return counting.order_by(is_past, "-created_at", "-id")


def _in_the_way(last: Any, now: datetime) -> StartedScan | None:
    """The active run, else the last one if its cooldown is not over."""
    if last and last.is_active:
        return StartedScan(last, False, StartReason.ACTIVE, max(last.created_at + _cooldown(), now), 0)
    if last and now < last.created_at + _cooldown():
        return StartedScan(last, False, StartReason.COOLDOWN, last.created_at + _cooldown(), 0)
    return None


def reserve_run(
    caller: Caller,
    brand: Brand,
    kind: Run.Kind,
    trigger: Run.Trigger,
    now: datetime,
    *,
    total: int,
    engines: Sequence[str] = (),
) -> Run:
    """A queued run of so many items, their credits taken from the brand's owner; with the brand held.

    Raises quota_exceeded.
    """
    month = spend(brand.owner, Usage.Kind.CREDITS, total)
    run: Run = Run.objects.create(
        brand=brand,
        kind=kind,
        trigger=trigger,
        actor=caller.actor,
        created_at=now,
        not_before=now,
        total=total,
        engines=list(engines),
        credits_reserved=total,
        credits_month=month,
        credits_account=brand.owner,
    )
    return run


def active_run(brand: Brand, kind: Run.Kind) -> Run | None:
    """The brand's run of this kind that waits or works; imports do not count."""
    active = Run.objects.filter(brand=brand, kind=kind, status__in=Run.ACTIVE)
    run: Run | None = active.exclude(trigger=Run.Trigger.IMPORT).first()
    return run

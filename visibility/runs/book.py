"""Booking: which questions may be asked now. The ledger is the limiter: each call is a row before it is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from visibility.models import Answer, Engine, EngineAccount, ProviderCall, Run
from visibility.runs.engines import Reached
from visibility.runs.spending import GiveUp, budget_of

BATCH = 100
PATIENCE = timedelta(minutes=10)
"""How long an engine may fail without one success before its questions are given up."""
_PURPOSES = {Run.Kind.VISIBILITY: ProviderCall.Purpose.SCAN, Run.Kind.COMPARISON: ProviderCall.Purpose.COMPARISON}


@dataclass(frozen=True, slots=True)
class Booked:
    """Calls to make now, or why none will ever be made."""

    calls: Sequence[ProviderCall] = ()
    give_up: GiveUp | None = None


@transaction.atomic
def book(run_id: UUID, reached: Reached) -> Booked:
    """Book as many questions of a run to one engine as its account, pace and caps of money allow, at most 100.

    Nothing is booked for a run that is not active.
    """
    engine, now = reached.engine, timezone.now()
    EngineAccount.objects.get_or_create(digest=reached.account)
    account = EngineAccount.objects.select_for_update(no_key=True).get(digest=reached.account)
    run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
    if run is None:
        return Booked()
    if account.failing_since and now - max(account.failing_since, run.started_at or now) > PATIENCE:
        minutes = int(PATIENCE.total_seconds() // 60)
        return Booked(give_up=GiveUp("engine_down", f"{engine.name} has answered nothing for {minutes} minutes."))
    room = min(_room(account, engine, now), BATCH)
    if room <= 0:
        return Booked()
    open_calls = ProviderCall.objects.filter(answer=OuterRef("pk"), outcome=ProviderCall.Outcome.PENDING)
    pending = Answer.objects.pending().filter(run=run, engine=engine, surface=reached.surface)
    ready = pending.filter(Q(not_before=None) | Q(not_before__lte=now)).exclude(Exists(open_calls))
    answers = list(ready.order_by("position").values_list("pk", flat=True)[:room])
    if not answers:
        return Booked()
    budget = budget_of(run.payer, reached, run)
    if budget.give_up or not budget.calls:
        return Booked(give_up=budget.give_up)
    answers = answers[: budget.calls]
    if engine.requests_per_minute is not None:
        account.paced_until = now + timedelta(minutes=len(answers) / engine.requests_per_minute)
        account.save(update_fields=["paced_until"])
    return Booked(ProviderCall.objects.bulk_create(_call(run, reached, answer, budget.each) for answer in answers))


def _call(run: Run, reached: Reached, answer: int, reserved: Decimal) -> ProviderCall:
    return ProviderCall(
        purpose=_PURPOSES[Run.Kind(run.kind)],
        engine=reached.engine.name,
        account=reached.account,
        payer=run.payer_id,
        brand=run.brand_id,
        brand_name=run.brand.name,
        run=run.pk,
        answer=answer,
        reserved=reserved,
    )


def adopt(run_id: UUID) -> None:
    """Close the calls that a killed asker left open: how they ended is unknown, so they cost what they reserved."""
    left = ProviderCall.objects.filter(run=run_id, outcome=ProviderCall.Outcome.PENDING)
    left.update(outcome=ProviderCall.Outcome.UNKNOWN, settled_at=timezone.now())


def _room(account: EngineAccount, engine: Engine, now: datetime) -> int:
    """How many more questions may be under way. An engine of concurrency n takes 1/n of its account's window."""
    if any(until and until > now for until in (account.paused_until, account.open_until)):
        return 0
    is_open = Q(account=account.digest, outcome=ProviderCall.Outcome.PENDING)
    numbers = dict(ProviderCall.objects.filter(is_open).values_list("engine").annotate(Count("pk")).order_by())
    if account.open_until and numbers:
        return 0  # after the circuit breaker a single question tries
    widths = dict(Engine.objects.filter(name__in=numbers).values_list("name", "concurrency"))
    used = sum(number / widths.get(name, 1) for name, number in numbers.items())
    # With nothing under way one question is always allowed, however small the window has become.
    room = int((account.window - used) * engine.concurrency + 1e-6) or int(not numbers)
    if account.open_until:
        return min(room, 1)
    return min(room, _pace(account, engine, now))


def _pace(account: EngineAccount, engine: Engine, now: datetime) -> int:
    """How many requests the engine's rate allows now: those of one second, or a single one."""
    if engine.requests_per_minute is None:
        return BATCH
    waited = (now - max(account.paced_until or now, now - timedelta(seconds=1))).total_seconds()
    if waited < 0:
        return 0
    return max(1, int(engine.requests_per_minute / 60))

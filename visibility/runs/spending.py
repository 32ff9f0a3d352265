"""Spending: what calls to providers may still cost. The ledger is the only account of it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import connection
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from apikeys.models import User
from visibility.engines import PRESETS, price_ratio
from visibility.models import ProviderCall, Run
from visibility.runs.engines import Reached

RECENT_CALLS = 100
UNLIMITED = 1_000_000
"""Calls; more than are ever booked at once."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Why an engine's remaining questions of a run are not asked: a code, and a sentence for people."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Budget:
    """How many calls the caps allow, and what each reserves. With `give_up` none will ever be allowed."""

    calls: int = 0
    each: Decimal = Decimal(0)
    give_up: GiveUp | None = None


def budget_of(payer: User | None, reached: Reached, run: Run | None = None) -> Budget:
    """What the caps of the run, of the service's day and of the payer's day leave, in the caller's transaction.

    A call reserves the most that one of the engine's recent calls would cost now. Without a run: for a call that
    writes.
    """
    each = max(recent_costs(reached, timezone.now()), default=None)
    caps = _caps(payer, run)
    if not caps:
        return Budget(UNLIMITED, each or Decimal(0))
    with connection.cursor() as cursor:  # one booking under a cap at a time, until the transaction ends
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('spending', 0))")
    same = Q(run=run.pk) if run else Q(run=None, engine=reached.engine.name)
    waiting = ProviderCall.objects.filter(same, outcome=ProviderCall.Outcome.PENDING).exists()
    if each is None:
        return _unknown_price(reached.engine.name, waiting)
    left = {reason: cap - spent(calls) for reason, (cap, calls) in caps.items()}
    reason = min(left, key=lambda name: left[name])
    number = int(left[reason] / each) if each else UNLIMITED
    if number > 0:
        return Budget(number, each)
    # What is under way may cost less than it reserved: only when all is in is it certain that nothing is left.
    return Budget() if waiting else Budget(give_up=GiveUp("spend_limit", reason))


def recent_costs(reached: Reached, now: datetime) -> list[Decimal]:
    """What each of the engine's recent calls of known cost would cost `now`, in US dollars: some prices of the list
    depend on the hour."""
    known = ProviderCall.objects.filter(engine=reached.engine.name, cost__isnull=False).order_by("-pk")
    calls = known.values_list("created_at", "cost", "cost_source", "usage")[:RECENT_CALLS]
    ratios = {_hour_of(now): Decimal(1)}
    costs = []
    for begun, cost, source, usage in calls:
        assert cost is not None  # noqa: S101 - by the filter
        hour = _hour_of(begun)
        if source == "computed" and hour not in ratios:
            pricing = PRESETS[reached.settings.preset].pricing
            ratios[hour] = price_ratio(reached.settings, pricing, usage, then=begun, now=now)
        costs.append(cost * ratios[hour] if source == "computed" else cost)
    return costs


def _hour_of(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)


def spent(calls: Q) -> Decimal:
    """US dollars of these calls. What is not known counts as it was reserved, what failed at the provider nothing."""
    charged = ProviderCall.objects.filter(calls).exclude(outcome=ProviderCall.Outcome.FAILED)
    return charged.aggregate(spent=Sum(Coalesce("cost", "reserved")))["spent"] or Decimal(0)


def _caps(payer: User | None, run: Run | None) -> dict[str, tuple[Decimal, Q]]:
    """The caps that are set, each with the calls that it bounds, by what to say when it is reached."""
    today = Q(created_at__gte=timezone.now().replace(hour=0, minute=0, second=0, microsecond=0))
    caps = {
        "The run has cost as much as one run may (RUN_SPEND_LIMIT).": (
            settings.RUN_SPEND_LIMIT if run else None,
            Q(run=run.pk if run else None),
        ),
        "The service has spent as much as it may in a day (DAY_SPEND_LIMIT).": (settings.DAY_SPEND_LIMIT, today),
        "The calls of the brand's owner have cost as much as they may in a day.": (
            payer.provider_cost_per_day if payer else None,
            today & Q(payer=payer.pk if payer else None),
        ),
    }
    return {reason: (cap, calls) for reason, (cap, calls) in caps.items() if cap is not None}


def _unknown_price(engine: str, waiting: bool) -> Budget:
    """An engine of unknown price is asked once, to learn it; if its answer states no cost, it is asked no more."""
    if waiting:
        return Budget()
    if ProviderCall.objects.filter(engine=engine, outcome=ProviderCall.Outcome.ANSWERED).exists():
        return Budget(give_up=GiveUp("unknown_price", f"Enter the prices of {engine}, so that a limit can hold."))
    return Budget(1)

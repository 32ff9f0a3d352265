"""The first page of the admin: what an operator has to see: engines, spend, the queue and what failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django import template
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from apikeys.models import User
from apikeys.notes import OLDEST_BACKUP, last_backup
from brands.later import has_worker
from visibility.models import Engine, ProviderCall, Run
from visibility.runs.engines import state_of

register = template.Library()
SPEND_DAYS, ENGINE_HOURS, FAILED_DAYS = 14, 24, 7
MOST_SHOWN = 5
Outcome = ProviderCall.Outcome


@dataclass(frozen=True, slots=True)
class EngineLine:
    """An engine: whether scans ask it, its calls of the last day, how many of these failed and the last reason, and
    the mean cost of an answer in US dollars; None: not known."""

    engine: Engine
    state: str
    calls: int
    failed: int
    error: str
    price: Decimal | None


@dataclass(frozen=True, slots=True)
class Queue:
    """Runs that wait or work, since when the oldest does, and whether a worker is there."""

    waiting: int
    working: int
    since: datetime | None
    has_worker: bool


@dataclass(frozen=True, slots=True)
class Operator:
    """All that the page shows. Spend is US dollars of this month by name, the most first; `days` the newest first;
    `backup`: when one last ended, None: never."""

    engines: Sequence[EngineLine]
    days: Sequence[Mapping[str, Any]]
    spend: Mapping[str, Sequence[tuple[str, Decimal]]]
    queue: Queue
    failed: Sequence[Run]
    backup: datetime | None
    is_backup_old: bool


@register.simple_tag
def operator_home() -> Operator:
    """What an operator has to see now: some ten statements, whatever the size of the ledger."""
    now, backup = timezone.now(), last_backup()
    calls = ProviderCall.objects.filter(created_at__gte=now - timedelta(days=SPEND_DAYS))
    month = ProviderCall.objects.filter(created_at__gte=now.replace(day=1, hour=0, minute=0, second=0, microsecond=0))
    by_day = calls.annotate(day=TruncDate("created_at")).values("day")
    return Operator(
        engines=_engines(now),
        days=list(by_day.annotate(calls=Count("pk"), dollars=Sum("cost")).order_by("-day")),
        spend={
            "Engine": _spend(month, "engine"),
            "Brand": _spend(month.exclude(brand_name=""), "brand_name"),
            "Account": _of_accounts(_spend(month, "payer")),
        },
        queue=_queue(),
        failed=list(
            Run.objects.filter(status=Run.Status.FAILED, created_at__gte=now - timedelta(days=FAILED_DAYS))
            .select_related("brand")
            .newest()[:MOST_SHOWN]
        ),
        backup=backup,
        is_backup_old=backup is None or now - backup > OLDEST_BACKUP,
    )


def _engines(now: datetime) -> list[EngineLine]:
    """The engines that can be asked or have calls, those that fail first."""
    lately = ProviderCall.objects.filter(created_at__gte=now - timedelta(hours=ENGINE_HOURS)).order_by()
    failing = Q(outcome__in=[Outcome.FAILED, Outcome.CHARGED, Outcome.UNKNOWN])
    counts: dict[str, Any] = {
        row["engine"]: row
        for row in lately.values("engine").annotate(
            calls=Count("pk"),
            failed=Count("pk", filter=failing),
            answered=Count("pk", filter=Q(outcome=Outcome.ANSWERED, cost__isnull=False)),
            dollars=Sum("cost", filter=Q(outcome=Outcome.ANSWERED)),
            last=Max("pk", filter=failing),
        )
    }
    errors = dict(
        ProviderCall.objects.filter(pk__in=[row["last"] for row in counts.values()]).values_list("pk", "error_code")
    )
    nothing: dict[str, Any] = {"calls": 0, "failed": 0, "answered": 0, "dollars": None, "last": None}
    lines = [
        EngineLine(
            engine=engine,
            state=state_of(engine),
            calls=row["calls"],
            failed=row["failed"],
            error=errors.get(row["last"], ""),
            price=row["dollars"] / row["answered"] if row["answered"] else None,
        )
        for engine in Engine.objects.exclude(preset="").order_by("name")
        for row in [counts.get(engine.name, nothing)]
    ]
    return sorted(lines, key=lambda line: -line.failed)


def _spend(calls: QuerySet[ProviderCall], column: str) -> list[tuple[Any, Decimal]]:
    rows = calls.order_by().values_list(column).annotate(dollars=Sum("cost")).filter(dollars__gt=0)
    return list(rows.order_by("-dollars")[:MOST_SHOWN])


def _of_accounts(spend: Sequence[tuple[int | None, Decimal]]) -> list[tuple[str, Decimal]]:
    emails = dict(User.objects.filter(pk__in=[pk for pk, _ in spend if pk]).values_list("pk", "email"))
    return [(emails.get(pk, "deleted") if pk else "the operator", dollars) for pk, dollars in spend]


def _queue() -> Queue:
    active = Run.objects.active()
    waiting = active.filter(status=Run.Status.QUEUED)
    oldest = active.order_by("created_at").values_list("created_at", flat=True).first()
    return Queue(waiting.count(), active.count() - waiting.count(), oldest, has_worker())

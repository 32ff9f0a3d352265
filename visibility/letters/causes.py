"""What alerts are about: rows that say what happened, each with whom it concerns and the facts of its words.

A cause is of the last days only, so that a service that sends mail for the first time says nothing of its past.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, F, Max, Q
from django.urls import reverse

from apikeys.accounts.usage import limit_of, period_of, resets_at
from apikeys.models import ApiKey, Connection, ConnectionSecret, Usage, User
from apikeys.notes import OLDEST_BACKUP, last_backup
from brands.later import LONGEST_WAIT, waiting_jobs
from brands.models import Brand
from visibility.counts.figures import standings_of
from visibility.counts.past import select_on
from visibility.counts.reader import select_now
from visibility.counts.resources import TestedStanding
from visibility.letters.letter import change_facts
from visibility.models import ChangeRecord, ProviderCall, Recommendation, Run
from visibility.models.engines import CallOutcome
from visibility.runs.spending import spent

RECENT = timedelta(days=3)
SCANNED_WITHIN = timedelta(minutes=30)
"""After a scan the standings are looked at: longer than several looks are apart."""
LOOKED_BACK = (1, 8, 15, 22)
"""Days before the first one of now, on which earlier windows end: they share no answer with it."""
KEY_ENDS_WITHIN = timedelta(days=14)
NEARLY_USED = 0.9
NEARLY_SPENT = 0.8
LEAST_CALLS, FAILING = 10, 0.2
"""Calls to an engine within an hour, and the part of them that fails, from which on it fails."""
CLOSED = "ACC-01"
"""The check of the audit whether AI crawlers may fetch the site."""
BY_CAP = ("spend_limit", "unknown_price", "quota_exceeded")
"""Why a scan is stopped before it ends, or not begun, by a limit that somebody set."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What happened. `key` is the same as long as it is the same; `path` is the page that says it, too. `brand`: the
    id of the one it is about, if any."""

    key: str
    people: Iterable[User]
    path: str
    facts: Mapping[str, Any]
    brand: UUID | None = None


def people_of(brand: Brand) -> list[User]:
    """Who may see a brand at this moment, its owner among them."""
    works_on_it = Q(pk=brand.owner_id) | Q(collaborations__brand=brand)
    return list(User.objects.filter(works_on_it).distinct().order_by("pk"))


def operators() -> list[User]:
    """Who runs the service."""
    return list(User.objects.filter(is_staff=True).order_by("pk"))


def _of_brand(brand: Brand, key: str, page: str, **facts: object) -> Cause:
    path = reverse(page, args=[brand.pk])
    return Cause(key, people_of(brand), path, {"name": brand.name, **facts}, brand.pk)


def changes(now: datetime) -> Iterator[Cause]:
    """Falls and rises of a score over all engines, confirmed or raised by the monitor."""
    records = ChangeRecord.objects.filter(engine="", known_on__gte=(now - RECENT).date()).open()
    for record in records.select_related("brand"):
        key = f"{record.brand.pk}:{record.known_on}"
        yield _of_brand(record.brand, key, "brand-history", **change_facts(record))


def overtakers(now: datetime) -> Iterator[Cause]:
    """Competitors that are ahead now, and were surely not in an earlier window."""
    runs = Run.objects.measured().filter(kind=Run.Kind.VISIBILITY, finished_at__gte=now - SCANNED_WITHIN)
    for brand in Brand.objects.filter(pk__in=runs.values("brand")):
        yield from _overtakers_of(brand)


def _overtakers_of(brand: Brand) -> Iterator[Cause]:
    window = select_now(brand)
    standings = standings_of(window)
    ahead = {each.competitor_id: each for each in standings if each.competitor_id and each.relation == "ahead"}
    own = next((each for each in standings if each.competitor_id is None), None)
    if not ahead or own is None or brand.is_recounting:
        return
    first = min(day for day, _ in window.engines.values())
    for days in LOOKED_BACK:
        earlier = standings_of(select_on(brand, first - timedelta(days=days)))
        for before in earlier:
            if before.relation in ("behind", "level") and before.competitor_id in ahead:
                leader = ahead.pop(before.competitor_id)
                yield _of_brand(brand, str(leader.competitor_id), "brand-competitors", **_lead_facts(leader, own))


def _lead_facts(leader: TestedStanding, own: TestedStanding) -> dict[str, object]:
    return {
        "leader": leader.name,
        "theirs": leader.mentioned,
        "theirs_of": leader.of,
        "yours": own.mentioned,
        "yours_of": own.of,
    }


def troubled_scans(now: datetime) -> Iterator[Cause]:
    """Scans without any answer, and those that a limit stopped or did not let begin: of these one a month."""
    runs = Run.objects.filter(kind=Run.Kind.VISIBILITY, finished_at__gte=now - RECENT)
    ended = runs.filter(Q(status=Run.Status.FAILED) | Q(error_code__in=BY_CAP)).exclude(trigger=Run.Trigger.IMPORT)
    for run in ended.select_related("brand").order_by("finished_at"):
        is_refused = run.status == Run.Status.CANCELLED
        key = f"{run.brand.pk}:{run.created_at:%Y-%m}" if is_refused else str(run.pk)
        facts = {
            "day": run.created_at.date().isoformat(),
            "is_refused": is_refused,
            "code": run.error_code,
            "done": run.done,
            "total": run.total,
        }
        yield _of_brand(run.brand, key, "brand-history", **facts)


def closed_sites(now: datetime) -> Iterator[Cause]:
    """Sites that the newest audit found closed to AI crawlers."""
    rows = Recommendation.objects.filter(kind="blocked", subject=CLOSED, created_at__gte=now - RECENT, status="open")
    for row in rows.select_related("brand"):
        yield _of_brand(row.brand, str(row.pk), "brand-audit", domain=row.brand.domain)


def ending_keys(now: datetime) -> Iterator[Cause]:
    """Keys that work and will not in two weeks."""
    keys = ApiKey.objects.filter(revoked_at=None, expires_at__range=(now, now + KEY_ENDS_WITHIN))
    for key in keys.select_related("owner"):
        facts = {
            "label": key.name,
            "shown": f"{key.prefix}…{key.last_four}",
            "day": key.expires_at.date().isoformat() if key.expires_at else "",
        }
        yield Cause(f"{key.pk}:{facts['day']}", [key.owner], reverse("account"), facts)


def used_credits(now: datetime) -> Iterator[Cause]:
    """Accounts that have nearly used the credits of the month."""
    kind = Usage.Kind.CREDITS
    period = period_of(kind, now)
    rows = Usage.objects.filter(kind=kind, period=period, used__gt=0)
    for row in rows.select_related("user__plan"):
        limit = limit_of(row.user, kind)
        if row.used >= NEARLY_USED * limit:
            facts = {"used": row.used, "limit": limit, "day": resets_at(kind, period).date().isoformat()}
            yield Cause(f"{row.user.pk}:{period}", [row.user], reverse("account"), facts)


def ended_connections(now: datetime) -> Iterator[Cause]:
    """Connections of apps that ended, but not by their person; those that ran out, too."""
    ended = Connection.objects.filter(ended_at__gte=now - RECENT).exclude(ended_why="by its person")
    last = Max("secrets__expires_at", filter=Q(secrets__kind=ConnectionSecret.Kind.REFRESH))
    open_ones = Connection.objects.filter(ended_at=None, key__revoked_at=None).annotate(last=last)
    run_out = open_ones.filter(last__lt=now)
    for rows in (ended, run_out):
        for each in rows.select_related("app", "key__owner"):
            facts = {"app": each.app.host or each.app.name, "label": each.key.name}
            yield Cause(str(each.pk), [each.key.owner], reverse("connect"), facts)


def failing_engines(now: datetime) -> Iterator[Cause]:
    """Engines of whose calls within the hour a fifth and more failed."""
    calls = ProviderCall.objects.filter(created_at__gte=now - timedelta(hours=1))
    failing = Q(outcome__in=[CallOutcome.FAILED, CallOutcome.CHARGED, CallOutcome.UNKNOWN])
    counts = calls.order_by().values("engine").annotate(calls=Count("pk"), failed=Count("pk", filter=failing))
    for row in counts.filter(calls__gte=LEAST_CALLS, failed__gt=FAILING * F("calls")):
        yield _of_service(f"{row['engine']}:{now.date()}", **row)


def spent_money(now: datetime) -> Iterator[Cause]:
    """That calls of the day have nearly cost what they may."""
    if settings.DAY_SPEND_LIMIT is None:
        return
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    dollars = spent(Q(created_at__gte=day))
    if dollars >= settings.DAY_SPEND_LIMIT * type(settings.DAY_SPEND_LIMIT)(str(NEARLY_SPENT)):
        yield _of_service(str(now.date()), dollars=f"{dollars:.2f}", limit=f"{settings.DAY_SPEND_LIMIT:.2f}")


def late_jobs(now: datetime) -> Iterator[Cause]:
    """That jobs wait longer than they should."""
    number, wait = waiting_jobs()
    if wait > LONGEST_WAIT:
        yield _of_service(str(now.date()), number=number, minutes=int(wait.total_seconds() // 60))


def old_backups(now: datetime) -> Iterator[Cause]:
    """That the last backup is old; where none was ever made by this service nothing is known."""
    at = last_backup()
    if at is not None and now - at > OLDEST_BACKUP:
        yield _of_service(at.isoformat(), day=at.date().isoformat(), hours=int((now - at).total_seconds() // 3600))


def _of_service(key: str, **facts: object) -> Cause:
    return Cause(key, operators(), reverse("admin:index"), facts)

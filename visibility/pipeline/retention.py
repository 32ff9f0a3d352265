"""Lets go of what has been kept long enough: what providers sent, pages of audits, calls, sessions, what staff did,
invitations, calls that could be repeated. Answers stay, and what was found in them; so do the scores and findings of
audits. The table of docs/operators.md says how long each is kept."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, RestrictedError
from django.utils import timezone

from apikeys.db import purging
from apikeys.db.purging import MAX_DAYS, purge_batch
from apikeys.services.calls import purge_call_batch, purge_session_batch
from apikeys.services.idempotency import purge_repeatable_batch
from brands.services.invitations import purge_invitation_batch
from visibility.models import Audit, AuditPage, PageContent, RawBody, Run

PORTION = 200
"""Bodies that are deleted in one transaction: on SQLite other writers wait that long."""
PORTIONS = 5
"""At most this many in a tick: 12,000 bodies a minute, several times what a busy service stores."""

ONE_DAY = timedelta(days=1)


def purge_daily() -> int:
    """Once a day delete a batch of everything that is old enough; returns how many rows.

    Of several schedulers the first of a day does it. What is too much for one tick is left to those that follow.
    """
    today = f"purged-{timezone.now():%Y-%m-%d}"
    if not cache.add(today, True, ONE_DAY.total_seconds()):
        return 0
    purged = [
        purge_call_batch(_days_ago(settings.CALL_LOG_DAYS)),
        purge_admin_log_batch(),
        purge_session_batch(),
        purge_repeatable_batch(),
        purge_invitation_batch(),
        purge_audit_batch(),
    ]
    if max(purged) >= purging.PURGE_BATCH:
        cache.delete(today)
    return sum(purged)


def purge_admin_log_batch() -> int:
    """Delete what the admin noted of what staff did longer than ADMIN_LOG_DAYS ago, a batch; returns how many."""
    return purge_batch(LogEntry.objects.filter(action_time__lt=_days_ago(settings.ADMIN_LOG_DAYS)).order_by("pk"))


def _days_ago(days: int) -> datetime:
    return timezone.now() - timedelta(days=min(days, MAX_DAYS))


def purge_raw_bodies() -> int:
    """Delete bodies older than RAW_BODY_DAYS, oldest first, a little at a time; returns how many.

    Can be repeated, and run by several workers at once, at any time: what one holds the others pass over.
    """
    purged = 0
    for _ in range(PORTIONS):
        portion = _purge_portion()
        purged += portion
        if portion < PORTION:
            break
    return purged


def purge_audit_batch() -> int:
    """Delete pages of audits that ended more than AUDIT_PAGES_DAYS ago, where a later one was checked, and what pages
    said that no audit refers to; a batch of each at most. Returns how many rows."""
    later = Audit.objects.filter(run__brand=OuterRef("brand"), run__created_at__gt=OuterRef("created_at"))
    old = Run.objects.filter(
        Exists(later.exclude(checked_at=None)),
        kind=Run.Kind.AUDIT,
        finished_at__lt=_days_ago(settings.AUDIT_PAGES_DAYS),
    )
    pages = purge_batch(AuditPage.objects.filter(run__in=old).order_by("pk"))
    # What an audit stored just now, pages will refer to in a moment.
    lone = PageContent.objects.filter(created_at__lt=_days_ago(1))
    referred = AuditPage.objects.filter(content=OuterRef("pk"))
    try:
        return pages + purge_batch(lone.exclude(Exists(referred)).order_by("pk"))
    except RestrictedError:
        return pages  # an audit found one of them unchanged just now: for tomorrow


@transaction.atomic
def _purge_portion() -> int:
    """Keys rise with time: the first rows tell whether anything is due, without a search through the others."""
    cutoff = _days_ago(settings.RAW_BODY_DAYS)
    oldest = RawBody.objects.select_for_update(skip_locked=True).order_by("pk").values_list("pk", "created_at")
    due = [pk for pk, created_at in oldest[:PORTION] if created_at < cutoff]
    deleted: int = RawBody.objects.filter(pk__in=due).delete()[0] if due else 0
    return deleted

"""Lets go of what has been kept long enough: what providers sent, pages of audits, calls, sessions. Answers stay,
and what was found in them; so do the scores and findings of audits."""

from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, RestrictedError
from django.utils import timezone

from apikeys.services.calls import MAX_DAYS, PURGE_BATCH, purge_batch, purge_call_batch, purge_session_batch
from visibility.models import Audit, AuditPage, PageContent, RawBody, Run

PORTION = 200
"""Bodies that are deleted in one transaction: on SQLite other writers wait that long."""
PORTIONS = 5
"""At most this many in a tick: 12,000 bodies a minute, several times what a busy service stores."""

ONE_DAY = timedelta(days=1)


def purge_daily() -> int:
    """Once a day delete calls older than CALL_LOG_DAYS, expired sessions and old pages of audits; returns how many.

    Of several schedulers the first of a day does it. What is too much for one tick is left to those that follow.
    """
    now = timezone.now()
    today = f"purged-{now:%Y-%m-%d}"
    if not cache.add(today, True, ONE_DAY.total_seconds()):
        return 0
    cutoff = now - timedelta(days=min(settings.CALL_LOG_DAYS, MAX_DAYS))
    calls = purge_call_batch(cutoff)
    sessions = purge_session_batch()
    pages = purge_audit_batch()
    if max(calls, sessions, pages) >= PURGE_BATCH:
        cache.delete(today)
    return calls + sessions + pages


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
    now = timezone.now()
    later = Audit.objects.filter(run__brand=OuterRef("brand"), run__created_at__gt=OuterRef("created_at"))
    old = Run.objects.filter(
        Exists(later.exclude(checked_at=None)),
        kind=Run.Kind.AUDIT,
        finished_at__lt=now - timedelta(days=min(settings.AUDIT_PAGES_DAYS, MAX_DAYS)),
    )
    pages = purge_batch(AuditPage.objects.filter(run__in=old).order_by("pk"))
    # What an audit stored just now, pages will refer to in a moment.
    lone = PageContent.objects.filter(created_at__lt=now - timedelta(days=1))
    referred = AuditPage.objects.filter(content=OuterRef("pk"))
    try:
        return pages + purge_batch(lone.exclude(Exists(referred)).order_by("pk"))
    except RestrictedError:
        return pages  # an audit found one of them unchanged just now: for tomorrow


@transaction.atomic
def _purge_portion() -> int:
    """Keys rise with time: the first rows tell whether anything is due, without a search through the others."""
    cutoff = timezone.now() - timedelta(days=min(settings.RAW_BODY_DAYS, MAX_DAYS))
    oldest = RawBody.objects.select_for_update(skip_locked=True).order_by("pk").values_list("pk", "created_at")
    due = [pk for pk, created_at in oldest[:PORTION] if created_at < cutoff]
    deleted: int = RawBody.objects.filter(pk__in=due).delete()[0] if due else 0
    return deleted

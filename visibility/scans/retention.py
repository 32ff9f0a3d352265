"""Lets go of what providers sent once it has been kept long enough. Answers and what was found in them stay."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from visibility.models import RawBody

PORTION = 200
"""Bodies that are deleted in one transaction: on SQLite other writers wait that long."""
PORTIONS = 5
"""At most this many in a tick: 12,000 bodies a minute, several times what a busy service stores."""
LONGEST_DAYS = 36_500


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


@transaction.atomic
def _purge_portion() -> int:
    """Keys rise with time: the first rows tell whether anything is due, without a search through the others."""
    cutoff = timezone.now() - timedelta(days=min(settings.RAW_BODY_DAYS, LONGEST_DAYS))
    oldest = RawBody.objects.select_for_update(skip_locked=True).order_by("pk").values_list("pk", "created_at")
    due = [pk for pk, created_at in oldest[:PORTION] if created_at < cutoff]
    deleted: int = RawBody.objects.filter(pk__in=due).delete()[0] if due else 0
    return deleted

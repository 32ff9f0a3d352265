"""Deleting what has been kept long enough, a little at a time, so that nobody waits."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet

PURGE_BATCH = 2_000
MAX_DAYS = 36_500
"""More is no date any more."""


@transaction.atomic
def purge_batch(rows: QuerySet[Any, Any]) -> int:
    """Delete the first of these rows, as many as hold up nobody; return how many. What another deletes now, or holds,
    is left to it."""
    due = list(rows.select_for_update(skip_locked=True).values_list("pk", flat=True)[:PURGE_BATCH])
    return rows.model._default_manager.filter(pk__in=due).delete()[0] if due else 0

"""Notes on the service itself, which all processes share: when its last backup was made."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from apikeys.models import Counter

BACKUP = "last-backup"
OLDEST_BACKUP = timedelta(hours=26)
"""From this age on the last backup is late: one a day, and two hours for it."""
KEEP_NOTE = timedelta(days=400)


def note_backup() -> None:
    """Note that a backup was written now."""
    now = timezone.now()
    row = {"value": int(now.timestamp()), "expires_at": now + KEEP_NOTE}
    Counter.objects.update_or_create(key=BACKUP, defaults=row)


def last_backup() -> datetime | None:
    """When a backup of this database was last written; None: never, or PostgreSQL crashed since."""
    seconds = Counter.objects.filter(key=BACKUP).values_list("value", flat=True).first()
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)

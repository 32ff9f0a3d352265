"""When the database was last backed up from this machine."""

from datetime import UTC, datetime
from pathlib import Path

NAME = "last-backup"


def note_backup(folder: Path, at: datetime) -> None:
    """Keep in the folder of the service that a backup was made, and when."""
    (folder / NAME).write_text(at.astimezone(UTC).isoformat())


def last_backup(folder: Path) -> datetime | None:
    """When the last one was made, as far as this machine knows; None: never, or the note cannot be read."""
    try:
        made = datetime.fromisoformat((folder / NAME).read_text().strip())
    except (OSError, ValueError):
        return None
    return made if made.tzinfo else None

"""`manage.py backup FILE`: the whole database in one file, beside the running service."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from django.utils import timezone

from config.backups import postgres, sqlite
from config.backups.files import Refused, check_target, shown
from visibility.metrics.shown import shown as number
from visibility.services.operating.backups import note_backup

OWN_FOLDERS = ("static", "cache", "queue", "queue-control")


class Command(BaseCommand):
    help = "Write the whole database, as of this moment, to a new private file. The service may run meanwhile."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the backup to write")
        parser.add_argument("--force", action="store_true", help="overwrite a file that exists")

    def handle(self, *args: Any, **options: Any) -> None:
        target = Path(options["file"])
        embedded = connection.vendor == "sqlite"
        database = Path(connection.settings_dict["NAME"])
        try:
            check_target(
                target,
                force=options["force"],
                not_in=[settings.STATIC_ROOT, *(settings.VAR_DIR / name for name in OWN_FOLDERS)],
                not_these=sqlite.database_files(database) if embedded else [],
            )
            if embedded:
                sqlite.backup(database, target)
            else:
                postgres.backup(target)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        except Error as error:
            raise CommandError(f"The database does not answer: {error}. Check DATABASE_URL.") from error
        note_backup(settings.VAR_DIR, timezone.now())
        megabytes = number(target.stat().st_size / 2**20)
        self.stdout.write(
            f"The database is in {shown(target)} ({megabytes} MB). Keep SECRET_KEY apart: it is not in it."
        )
        if target.resolve().is_relative_to(settings.VAR_DIR.resolve()):
            self.stderr.write("The backup is in the folder of the data that it protects. Copy it to another disk.")

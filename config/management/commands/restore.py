"""`manage.py restore FILE`: the database as it was when the backup was made, while the service is stopped."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from config.backups import postgres, sqlite
from config.backups.files import POSTGRES, SQLITE, Refused, kind_of, shown
from config.local.running import Occupied, hold_alone


class Command(BaseCommand):
    help = "Replace the database by a backup of it. Refuses while the service runs, and a file that is damaged."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="what manage.py backup wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        source = Path(options["file"])
        try:
            check_kind(source)
            locks = hold_alone(settings.VAR_DIR)
            try:
                previous = self._restore(source)
            finally:
                for lock in locks:
                    lock.close()
        except Occupied as error:
            raise CommandError(f"The service runs on {error}. Stop it, then restore.") from error
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        except (Error, psycopg.Error) as error:
            raise CommandError(f"The database does not answer: {error}. Check DATABASE_URL.") from error
        self.stdout.write(f"The database is that of {shown(source)}.")
        if previous:
            self.stdout.write(f"The previous database is kept in {shown(previous)}. Delete it when everything works.")
        self.stdout.write(next_step())

    def _restore(self, source: Path) -> Path | None:
        if connection.vendor == "sqlite":
            connection.close()
            return sqlite.restore(source, Path(connection.settings_dict["NAME"]))
        postgres.restore(source)
        return None


def check_kind(source: Path) -> None:
    """Refuse the backup of another kind of database than the one that is configured."""
    kind, expected_kind = kind_of(source), SQLITE if connection.vendor == "sqlite" else POSTGRES
    if kind != expected_kind:
        raise Refused(
            f"{shown(source)} is a backup of {kind}, and this service is configured for {expected_kind}. "
            "Check DATABASE_URL."
        )


def next_step() -> str:
    """What is to be done before the service is started on what was restored."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "It was made by an earlier release. Run: python manage.py migrate, then start the service."
    return "Start the service."

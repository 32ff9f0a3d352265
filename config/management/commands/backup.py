"""A backup of the whole service: its database."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.dump import STDOUT, DumpError, dump


class Command(BaseCommand):
    help = "Write the database into FILE, or to standard output (-), by the pg_dump of the server's version."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"]
        try:
            dump(file)
        except DumpError as error:
            raise CommandError(str(error)) from error
        if file != STDOUT:
            self.stdout.write(f"{file}: {Path(file).stat().st_size:,} bytes.")

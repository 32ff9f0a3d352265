"""Import reviews of a brand from a JSON Lines or CSV file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from visibility.evidence.services import import_reviews
from visibility.management.arguments import find_brand


class Command(BaseCommand):
    help = "Import reviews from a JSON Lines or CSV file: all of it or nothing. The same file again adds nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="fields: text; stars (1 to 5), source, url, date")
        parser.add_argument("--brand", required=True, metavar="DOMAIN", help="the domain of the brand")
        parser.add_argument("--owner", metavar="EMAIL", help="whose brand it is, where several have the domain")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["file"].is_file():
            raise CommandError(f"{options['file']} is no file.")
        try:
            with open(options["file"], encoding="utf-8", errors="strict", newline="") as file:
                imported = import_reviews(
                    system_caller("command:import_reviews"), brand_id=find_brand(options).pk, file=file
                )
        except ServiceError as error:
            raise CommandError(error.message) from error
        except UnicodeDecodeError as error:
            raise CommandError(f"The file is not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
        self.stdout.write(
            f"{imported.added:,} reviews added to {imported.brand.name}, {imported.known:,} were there."
        )

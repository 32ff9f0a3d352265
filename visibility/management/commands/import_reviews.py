"""Import reviews of a brand from a JSON Lines or CSV file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apikeys.accounts.operators import system_caller
from visibility.evidence.services import import_reviews
from visibility.management.arguments import (
    add_brand_arguments,
    add_column_argument,
    find_brand,
    named_columns,
    opened,
)


class Command(BaseCommand):
    help = (
        "Import reviews from JSON Lines, CSV, or an export of Trustpilot, Google, Amazon, Judge.me or Yotpo: all of "
        "them or nothing. The same file again adds nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="fields: text; stars (1 to 5), source, url, date")
        add_column_argument(parser)
        add_brand_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        caller = system_caller("command:import_reviews")
        columns = named_columns(options)
        with opened(options["file"]) as file:
            imported = import_reviews(caller, brand_id=find_brand(options).pk, file=file, columns=columns)
        wordless = f" Passed over: {imported.wordless:,} without words." if imported.wordless else ""
        self.stdout.write(
            f"{imported.added:,} reviews added to {imported.brand.name}, {imported.known:,} were there.{wordless}"
        )

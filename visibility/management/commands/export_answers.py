"""Write the answers of a brand as CSV, with what was found in each."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apikeys.accounts.operators import system_caller
from visibility.answers.reads import COLUMNS, read_answers
from visibility.management.arguments import add_export_arguments, find_brand
from visibility.management.tables import write_table


class Command(BaseCommand):
    help = "Write the answers of a brand as CSV, the oldest day first, with what was found in each."

    def add_arguments(self, parser: CommandParser) -> None:
        add_export_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        brand = find_brand(options)
        write_table(options["out"], COLUMNS, read_answers(system_caller("command:export_answers"), brand.pk))

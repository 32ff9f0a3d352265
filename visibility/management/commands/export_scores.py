"""Write the measured days of a brand as CSV: the fields of the REST API, one row for each day."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apikeys.accounts.operators import system_caller
from visibility.management.arguments import add_export_arguments, find_brand
from visibility.management.tables import write_table
from visibility.scores.reads import TREND_COLUMNS, iterate_trend, trend_row


class Command(BaseCommand):
    help = "Write the measured days of a brand as CSV, the oldest first. Rates are 0 to 100; empty: not measured."

    def add_arguments(self, parser: CommandParser) -> None:
        add_export_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        brand = find_brand(options)
        trend = iterate_trend(system_caller("command:export_scores"), brand.pk)
        write_table(options["out"], TREND_COLUMNS, map(trend_row, trend))

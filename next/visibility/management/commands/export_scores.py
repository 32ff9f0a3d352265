"""Write the measured days of a brand as CSV: the fields of the REST API, one row for each day."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apikeys.operators import system_caller
from visibility.management.arguments import add_export_arguments, find_brand
from visibility.management.tables import write_table
from visibility.scores.reads import iterate_trend
from visibility.scores.resources import Change, TrendItem

CHANGE = [str(field.alias) for field in Change.model_fields.values()]
FIELDS = [str(field.alias) for field in TrendItem.model_fields.values() if field.alias != "change"]


class Command(BaseCommand):
    help = "Write the measured days of a brand as CSV, the oldest first. Rates are 0 to 100; empty: not measured."

    def add_arguments(self, parser: CommandParser) -> None:
        add_export_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        brand = find_brand(options)
        trend = iterate_trend(system_caller("command:export_scores"), brand.pk)
        write_table(options["out"], [*FIELDS, *(f"change.{name}" for name in CHANGE)], map(_row, trend))


def _row(item: TrendItem) -> list[Any]:
    day = item.model_dump(mode="json")
    change = day["change"] or {}
    return [*(day[name] for name in FIELDS), *(change.get(name) for name in CHANGE)]

"""Write answers, mentions, citations and days of many brands as files by month, for other engines to read."""

from datetime import date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from brands.models import Brand
from visibility.management.arguments import find_brand, find_owner

try:
    from visibility.management import parquet
except ModuleNotFoundError as missing:  # pyarrow is an extra
    if missing.name != "pyarrow":
        raise
    parquet = None  # type: ignore[assignment]


class Command(BaseCommand):
    help = "Write answers, mentions, citations and days as Parquet, a file a month; again, those that changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="made where it is not there")
        parser.add_argument("--format", required=True, choices=["parquet"])
        parser.add_argument("--brand", metavar="DOMAIN", help="the domain of a brand, or its id; default: all brands")
        parser.add_argument("--owner", metavar="EMAIL", help="the brands of an account alone")
        parser.add_argument("--since", type=_month, default=date.min, metavar="YYYY-MM", help="the first month")
        parser.add_argument("--again", action="store_true", help="write every month again that has rows")

    def handle(self, *args: Any, **options: Any) -> None:
        if parquet is None:
            raise CommandError("Parquet needs pyarrow, which is not installed. Install it: pip install pyarrow.")
        months = parquet.export_months(options["folder"], _brands(options), options["since"], again=options["again"])
        try:
            for each in months:
                self.stdout.write(f"{each.path}: {_words(each)}")
        except OSError as error:
            raise CommandError(f"The files cannot be written: {error.strerror}.") from error


def _month(text: str) -> date:
    return datetime.strptime(text, "%Y-%m").date()


def _brands(options: dict[str, Any]) -> list[UUID]:
    if options["brand"]:
        return [find_brand(options).pk]
    owner = find_owner(options["owner"])
    brands = Brand.objects.filter(owner=owner) if owner else Brand.objects.all()
    return list(brands.order_by("pk").values_list("pk", flat=True))


def _words(exported: Any) -> str:
    if exported.kept:
        return "has rows that were deleted since, so it stays as it is"
    return "is of today" if exported.rows is None else f"{exported.rows:,} rows"

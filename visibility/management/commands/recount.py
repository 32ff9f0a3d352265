"""Count the history of brands again, here and now."""

import sys
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import F
from tqdm import tqdm

from brands.models import Brand
from brands.names import raise_detector_version
from visibility.detection import VERSION
from visibility.scores.recount import Recounted, recount, rescore


class Command(BaseCommand):
    help = (
        "Count history again. Where names or the detector changed, answers are read again, as the worker does by "
        "itself; else every day is scored again from what was counted, as a new figure needs it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--brand", action="append", default=[], metavar="NAME_OR_ID", help="repeatable")
        which.add_argument("--all", action="store_true", help="every brand")

    def handle(self, *args: Any, **options: Any) -> None:
        brands = list(Brand.objects.all()) if options["all"] else _named_brands(options["brand"])
        raise_detector_version(VERSION)
        pks = [brand.pk for brand in brands]
        behind = list(Brand.objects.filter(pk__in=pks, counted_version__lt=F("names_version")))
        counted: list[Recounted] = []
        for brand in tqdm([brand for brand in brands if brand not in behind], desc="Days", file=sys.stderr):
            rescore(brand.pk)
        for brand in behind:
            with tqdm(desc=brand.name, unit=" answers", file=sys.stderr) as bar:

                def advance(number: int, total: int, bar: Any = bar) -> None:
                    bar.total = total
                    bar.update(number)

                one = recount(brand.pk, advance)
            if one is not None:  # else the worker was faster, or names changed meanwhile, and it follows
                counted.append(one)
        answers, read, changed = (
            sum(getattr(one, name) for one in counted) for name in ("answers", "read", "changed")
        )
        self.stdout.write(
            f"All days of {len(brands):,} brands are scored again. {len(counted):,} of them were behind their names "
            f"or the detector: of {answers:,} answers {read:,} could be touched and were read, and {changed:,} now "
            "say something else."
        )


def _named_brands(given: Iterable[str]) -> list[Brand]:
    """The brands of these ids or names, in whatever case; raises CommandError for what is neither, or several."""
    brands: list[Brand] = []
    for text in given:
        try:
            named = Brand.objects.filter(pk=UUID(text))
        except ValueError:
            named = Brand.objects.filter(name__iexact=text)
        if len(named) != 1:
            several = ", ".join(f"{brand.pk} ({brand.domain})" for brand in named)
            problem = f"Several brands are called {text}: {several}" if named else f"No brand is called {text}"
            raise CommandError(f"{problem}. Give an id.")
        brands += named
    return brands

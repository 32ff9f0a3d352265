"""Import answers that were captured elsewhere, from a JSON Lines or CSV file, and measure them."""

import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from apikeys.operators import system_caller
from visibility.imports.reader import GIVEN_SURFACES
from visibility.imports.services import NewBrand, import_answers
from visibility.management.arguments import find_brand, find_owner, opened
from visibility.models import DailyScore


class Command(BaseCommand):
    help = "Import answers from a JSON Lines or CSV file: all of it or nothing. The same file again adds nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path, help="fields: prompt, engine, time, text; sample, citations, topic, surface"
        )
        target = parser.add_mutually_exclusive_group(required=True)
        target.add_argument("--brand", metavar="DOMAIN", help="the domain of a brand that there is")
        target.add_argument("--new-brand", nargs=2, metavar=("NAME", "DOMAIN"), help="make a brand; with --owner")
        parser.add_argument("--owner", metavar="EMAIL", help="whose brand it is")
        parser.add_argument("--description", default="", help="what the new brand sells")
        parser.add_argument(
            "--competitor", nargs=2, action="append", default=[], metavar=("NAME", "DOMAIN"), help="repeatable"
        )
        parser.add_argument(
            "--topic",
            action="append",
            default=[],
            help="repeatable: a topic that the brand sells; all others then not",
        )
        parser.add_argument("--surface", choices=GIVEN_SURFACES, default="imported", help="where answers were taken")

    def handle(self, *args: Any, **options: Any) -> None:
        with opened(options["file"]) as file, closing(_Bars()) as bars:
            imported = import_answers(
                system_caller("command:import_answers"),
                brand=_target(options),
                file=file,
                surface=GIVEN_SURFACES[options["surface"]],
                own_topics=options["topic"],
                progress=bars.advance,
            )
        brand = imported.brand
        self.stdout.write(
            f"{imported.added:,} answers added, {imported.known:,} were there already; "
            f"{imported.prompts:,} prompts added to {brand.name}."
        )
        now = DailyScore.objects.of_brand(brand).filter(date=None).first()
        if now is not None and now.score is not None:
            interval = "" if now.low is None else f" ({now.low} to {now.high})"
            self.stdout.write(f"Score now: {now.score}{interval}.")
        if undecided := list(brand.topics.filter(own=None).values_list("name", flat=True)):
            self.stdout.write(f"Topics that nobody has decided on yet, which count: {', '.join(undecided)}.")
        self.stdout.write(
            f'\n  curl -H "Authorization: Bearer $API_KEY" '
            f'"http://127.0.0.1:8000/api/v1/brands/{brand.pk}/visibility?from=0"'
        )


class _Bars:
    """One progress bar for each stage."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm[Any]] = {}

    def advance(self, stage: str, done: int, total: int | None) -> None:
        if stage not in self._bars:
            self.close()
            self._bars[stage] = tqdm(desc=stage, total=total, unit=" answers", file=sys.stderr)
        self._bars[stage].update(done)

    def close(self) -> None:
        for bar in self._bars.values():
            bar.close()


def _target(options: dict[str, Any]) -> Any:
    """The id of the brand that is named, or a new one."""
    if options["new_brand"]:
        owner = find_owner(options["owner"])
        if owner is None:
            raise CommandError("Name the owner of the new brand: --owner EMAIL.")
        name, domain = options["new_brand"]
        return NewBrand(owner, name, domain, options["description"], options["competitor"])
    return find_brand(options).pk

"""Import answers that were captured elsewhere, from a JSON Lines or CSV file, and measure them."""

import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from apikeys.accounts.operators import system_caller
from visibility.answers.names import uses_of_names
from visibility.counts.figures import engines_of, figures_of
from visibility.counts.reader import select_now
from visibility.counts.words import score_words
from visibility.imports.exports import EXPORTS
from visibility.imports.reader import GIVEN_SURFACES, Reading
from visibility.imports.services import Imported, NewBrand, import_answers
from visibility.management.arguments import add_column_argument, find_brand, find_owner, named_columns, opened

MOST_SHOWN = 12


class Command(BaseCommand):
    help = (
        "Import answers from a JSON Lines, JSON or CSV file: all of it or nothing. The same file again adds nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            help="fields: prompt, engine, time, text; sample, citations, topic, surface, country, locale, absent",
        )
        parser.add_argument("--format", choices=EXPORTS, default="", help="what wrote the file; default: a table")
        parser.add_argument("--timezone", metavar="ZONE", help="of times that state none, such as Europe/Berlin")
        add_column_argument(parser)
        target = parser.add_mutually_exclusive_group(required=True)
        target.add_argument("--brand", metavar="DOMAIN", help="the domain of a brand that there is, or its id")
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
        reading = Reading(_zone(options["timezone"]), named_columns(options), options["format"])
        with opened(options["file"]) as file, closing(_Bars()) as bars:
            imported = import_answers(
                system_caller("command:import_answers"),
                brand=_target(options),
                file=file,
                reading=reading,
                surface=GIVEN_SURFACES[options["surface"]],
                own_topics=options["topic"],
                progress=bars.advance,
            )
        brand = imported.brand
        self.stdout.write(
            f"{imported.added:,} answers added, {imported.known:,} were there already; "
            f"{imported.prompts:,} prompts added to {brand.name}."
        )
        for line in _notes(imported):
            self.stdout.write(line)
        now = select_now(brand)
        self.stdout.write(score_words(brand.name, figures_of(now), engines_of(now)))
        for use in uses_of_names(brand, list(brand.names.values_list("text", flat=True))):
            self.stdout.write(use.sentence)
        if undecided := list(brand.topics.filter(own=None).values_list("name", flat=True)):
            self.stdout.write(f"Topics that nobody has decided on yet, which count: {', '.join(undecided)}.")
        begin = datetime.combine(imported.first, time(), UTC)
        self.stdout.write(
            f'\n  curl -H "Authorization: Bearer $API_KEY" '
            f'"{settings.PUBLIC_URL}/api/v1/brands/{brand.pk}/visibility?from={begin.timestamp() * 1000:.0f}"'
        )


def _notes(imported: Imported) -> Iterator[str]:
    """What was read otherwise than as it stands, or not at all."""
    if imported.linked:
        yield f"Answers without citations, whose links in the text count as such: {imported.linked:,}."
    for kind, number in imported.passed_over.items():
        yield f"Passed over, {kind}: {number:,}."
    if imported.unread:
        names = ", ".join(name[:50] for name in imported.unread[:MOST_SHOWN])
        more = ", …" if len(imported.unread) > MOST_SHOWN else ""
        yield f"Columns passed over ({len(imported.unread):,}): {names}{more}."


def _zone(name: str | None) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError) as error:
        raise CommandError(f"There is no time zone {name}. Name one such as Europe/Berlin.") from error


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

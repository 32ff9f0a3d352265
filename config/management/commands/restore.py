"""The return of a backup, and the proof that it is whole."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.dump import DumpError, restore
from visibility.scores.compare import compare_scores

SAMPLE = 50


class Command(BaseCommand):
    help = (
        "Fill an empty database from FILE, or from standard input (-), bring its tables to this release, and compute "
        "a sample of scores again: they are equal, or it says which are not."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--sample", type=int, default=SAMPLE, help="days whose scores are computed again")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restore(options["file"])
        except DumpError as error:
            raise CommandError(str(error)) from error
        call_command("migrate", verbosity=0)
        compared = compare_scores(options["sample"])
        if compared.differing:
            raise CommandError(
                "Restored, but these scores differ from their answers: " + "; ".join(compared.differing)
            )
        self.stdout.write(
            f"Restored. {compared.scores:,} scores on {compared.days:,} days were computed again, and all are equal."
        )

"""The catalogues of translations, as the sources have their sentences."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.messages import catalogue_path, mo_bytes, po_bytes, untranslated, updated


class Command(BaseCommand):
    help = "Write a catalogue anew with all sentences that are marked, compile it, and count what is not translated."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("language", metavar="LANGUAGE")

    def handle(self, *args: Any, **options: Any) -> None:
        path, catalogue = catalogue_path(options["language"]), updated(options["language"])
        path.write_bytes(po_bytes(catalogue))
        path.with_suffix(".mo").write_bytes(mo_bytes(catalogue))
        self.stdout.write(f"{path}: {len(catalogue)} sentences, {len(untranslated(catalogue))} not translated.")

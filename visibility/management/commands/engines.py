"""The engines: which can be asked, and what a real question to each of them gives."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from visibility.engines import EngineError
from visibility.models import Engine, Surface
from visibility.runs.check import check_engine, report_of
from visibility.runs.engines import reach, state_of


class Command(BaseCommand):
    help = "List the engines. `check` asks each one real question, which costs what an answer costs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", nargs="?", choices=["list", "check"], default="list")
        parser.add_argument("--engine", action="append", default=[], metavar="NAME", help="only this one; repeatable")

    def handle(self, *args: Any, **options: Any) -> None:
        engines = Engine.objects.exclude(preset="")
        if options["engine"]:
            engines = engines.filter(name__in=options["engine"])
        if not engines:
            raise CommandError("No such engine is configured. Add it in the admin, under Engines.")
        if options["act"] == "list":
            for engine in engines:
                self.stdout.write(f"{engine.name}: {state_of(engine)}")
            return
        bad = 0
        reached = [each for each in map(reach, engines) if each and each.surface == Surface.API]
        if not reached:
            raise CommandError("No engine of a provider has its key. `manage.py engines` says what each lacks.")
        for each in tqdm(reached, desc="Asking", unit=" engines"):
            checked = check_engine(each)
            bad += isinstance(checked.reply, EngineError)
            tqdm.write(report_of(each, checked), file=self.stdout)
        if bad:
            raise CommandError(f"{bad} of {len(reached)} engines did not answer.")

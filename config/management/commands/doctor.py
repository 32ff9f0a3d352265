"""Whether the service is well, for operators and their monitoring."""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.doctor.checks import State
from config.doctor.examination import CHECKS, Line, examine
from visibility.engines import EngineError
from visibility.models import Engine, Surface
from visibility.runs.check import check_engine, report_of
from visibility.runs.engines import reach

SIGNS = {State.OK: "  ", State.WARNING: "! ", State.WRONG: "✗ "}


class Command(BaseCommand):
    help = (
        "Look at settings, database, queue, clock, disk, backups, engines and address, and at what always holds of "
        "credits, ledger, runs and figures. Exits with 1 where something is wrong. Changes nothing."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        names = [each.name for each in CHECKS]
        parser.add_argument("--only", action="append", choices=names, metavar="CHECK", help=", ".join(names))
        parser.add_argument("--ask", action="store_true", help="ask each engine a question, which costs an answer")
        parser.add_argument("--json", action="store_true", help="an object a line: check, state, words")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = options["only"] or [each.name for each in CHECKS]
        states = []
        lines = examine([each for each in CHECKS if each.name in wanted])
        for line in chain(lines, _asked() if options["ask"] else ()):
            self._print(line, options["json"])
            states.append(line.state)
        if not options["json"]:
            self.stdout.write(_sum(states))
        if State.WRONG in states:
            raise SystemExit(1)

    def _print(self, line: Line, as_json: bool) -> None:
        text = f"{SIGNS[line.state]}{line.check:<9} {line.words}"
        self.stdout.write(json.dumps(line.as_json(), ensure_ascii=False) if as_json else text)


def _asked() -> Iterator[Line]:
    """What a real question to each engine of a provider gives."""
    for each in filter(None, map(reach, Engine.objects.asked())):
        if each.surface == Surface.API:
            checked = check_engine(each)
            state = State.WRONG if isinstance(checked.reply, EngineError) else State.OK
            yield Line("engines", state, report_of(each, checked).replace("\n", ";"))


def _sum(states: Sequence[State]) -> str:
    number, warnings = states.count(State.WRONG), states.count(State.WARNING)
    if not number and not warnings:
        return "All is well."
    return f"{number} wrong, {warnings} to look at."

"""`manage.py scan BRAND`: start a scan and wait for its score, or say what it would take."""

import sys
import time
import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from brands.services.lookup import named_brand
from visibility.metrics.amounts import dollars, duration
from visibility.metrics.shown import on_questions, shown
from visibility.models import Run
from visibility.pipeline.runner import execute
from visibility.services.health import worker_alive
from visibility.services.scans.estimates import ScanEstimate, estimate_scan
from visibility.services.scans.planning import USUAL, Goal, panel_of
from visibility.services.scans.starting import StartedScan, start_scan

POLL_SECONDS = 0.3
WITHOUT_WORKER_SECONDS = 60


class Command(BaseCommand):
    """Prints the id of the run it started, for scripts; with --wait or --inline how it ended and its score."""

    help = "Start a visibility scan of a brand, or join the one that is active or inside the cooldown."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("brand", metavar="DOMAIN", help="domain or id of the brand")
        parser.add_argument("--wait", action="store_true", help="wait for the end and print the score")
        parser.add_argument("--estimate", action="store_true", help="print what it would take, and start nothing")
        parser.add_argument("--inline", action="store_true", help="scan in this process, without a worker")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["estimate"]:
            estimate, goals = _estimated(options["brand"])
            self.stdout.write("\n".join([_in_words(estimate), *(f"{goal.words} {goal.known}" for goal in goals)]))
            return
        scan = _started(options["brand"])
        watched = options["inline"] or options["wait"]
        if not watched:
            self.stdout.write(str(scan.run.pk))
        if not scan.started:
            self.stderr.write(
                f"No new scan ({scan.reason}); the next can start at {scan.next_allowed_at:%H:%M:%S} UTC."
            )
        if options["inline"] and scan.run.is_active:
            execute(scan.run.pk, f"command:{uuid.uuid4().hex[:16]}")
        if watched:
            self.stdout.write(_outcome(_wait(scan.run.pk)))


def _started(name: str) -> StartedScan:
    caller = system_caller("command:scan")
    try:
        brand = named_brand(caller, name)
        return start_scan(caller, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR)
    except ServiceError as error:
        raise CommandError(error.message) from error


def _estimated(name: str) -> tuple[ScanEstimate, list[Goal]]:
    """What the scan takes, and what it takes for the usual margin and to see the usual change."""
    caller = system_caller("command:scan")
    try:
        brand_id = named_brand(caller, name).pk
        estimate, panel = estimate_scan(caller, brand_id=brand_id), panel_of(caller, brand_id=brand_id)
        return estimate, [panel.goal(figure, target) for figure, target in USUAL.items()]
    except ServiceError as error:
        raise CommandError(error.message) from error


def _in_words(estimate: ScanEstimate) -> str:
    lines = [f"{row.engine}: {row.calls} calls, {dollars(row.cost)} ({row.basis})" for row in estimate.engines]
    enough = "" if estimate.affordable else ", which is too few"
    calls = sum(row.calls for row in estimate.engines)
    lines.append(f"In all: {calls} calls, {dollars(estimate.cost)}, {duration(estimate.seconds)}")
    lines.append(f"Credits: {estimate.credits} of the {estimate.credits_left} that are left this month{enough}")
    return "\n".join(lines)


def _wait(run_id: uuid.UUID) -> Run:
    """Follow the run to its end with a bar; gives up when no worker shows itself for a minute."""
    last_sign = time.monotonic()
    with tqdm(file=sys.stderr, unit=" answers", desc="Scanning", disable=None) as bar:
        while True:
            run: Run | None = Run.objects.filter(pk=run_id).first()
            if run is None:
                raise CommandError("The brand or its run was removed meanwhile.")
            bar.total = run.total
            bar.update(run.done + run.failed - bar.n)
            if not run.is_active:
                return run
            if run.status == Run.Status.RUNNING or worker_alive():
                last_sign = time.monotonic()
            elif time.monotonic() - last_sign > WITHOUT_WORKER_SECONDS:
                raise CommandError(
                    "No worker is running. Start one with `manage.py serve`; the run stays in the queue."
                )
            time.sleep(POLL_SECONDS)


def _outcome(run: Run) -> str:
    if run.status in (Run.Status.FAILED, Run.Status.CANCELLED):
        raise CommandError(f"The scan {run.status}: {run.error_message or 'no reason was given'}")
    score = "unmeasured" if run.score is None else f"{shown(run.score)}"
    interval = "" if run.score is None else " (too few topics for an interval)"
    if run.low is not None and run.high is not None:
        interval = f" (95 %: {shown(run.low)} to {shown(run.high)}{on_questions(run.interval)})"
    note = f" {run.error_message}" if run.error_message else ""
    return f"{run.status}: score {score}{interval}.{note}"

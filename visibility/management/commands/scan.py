"""Scan a brand, and follow how far the scan is; or say what it would cost."""

import sys
import time
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Sum
from tqdm import tqdm

from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from brands.later import has_worker
from brands.models import Brand
from visibility.management.arguments import add_brand_arguments, find_brand
from visibility.models import ProviderCall, Run
from visibility.runs.estimate import estimate_scan
from visibility.runs.services import start_scan

LOOK_EVERY = 0.5


class Command(BaseCommand):
    help = "Scan a brand and follow it. Ctrl-C ends the following only: the scan goes on in the worker."

    def add_arguments(self, parser: CommandParser) -> None:
        add_brand_arguments(parser)
        parser.add_argument("--estimate", action="store_true", help="say what a scan would ask and cost, start none")

    def handle(self, *args: Any, **options: Any) -> None:
        brand = find_brand(options)
        try:
            if options["estimate"]:
                self._estimate(brand)
            else:
                self._scan(brand)
        except ServiceError as refusal:
            raise CommandError(refusal.message) from refusal

    def _estimate(self, brand: Brand) -> None:
        estimate = estimate_scan(brand)
        for engine in estimate.engines:
            cost = "cost not known yet" if engine.cost is None else f"about ${engine.cost:.2f}"
            self.stdout.write(f"{engine.engine}: {engine.answers:,} answers, {cost}")
        self.stdout.write(
            f"{estimate.prompts:,} prompts, {estimate.credits:,} credits of {estimate.credits_left:,} that are left."
        )

    def _scan(self, brand: Brand) -> None:
        started = start_scan(system_caller("command:scan"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR)
        if started.reason:
            after = f"{started.next_allowed_at:%-d %b %H:%M} UTC"
            self.stdout.write(f"No new scan: {started.reason.words()} The next can start after {after}.")
        if started.run.is_active and not has_worker():
            raise CommandError("The scan waits: no worker runs. Start one: manage.py serve, or manage.py worker.")
        run = _follow(started.run.pk)
        spent = ProviderCall.objects.filter(run=run.pk).aggregate(cost=Sum("cost"))["cost"]
        self.stdout.write(f"{run.status}: {run.done:,} of {run.total:,} answered; {run.credits_spent:,} credits.")
        if spent is not None:
            self.stdout.write(f"Cost at the providers: ${spent:.4f}.")
        if run.error_message:
            self.stdout.write(run.error_message)
        if run.score is not None:
            interval = "" if run.low is None else f" ({run.low} to {run.high} on prompts like these)"
            self.stdout.write(f"Score of this scan: {run.score}{interval}.")
        if run.repeated:
            self.stdout.write(f"{run.repeated:,} of {run.done:,} answers repeat those of the day: they count once.")


def _follow(run_id: UUID) -> Run:
    """Show how far the run is until it has ended."""
    run = Run.objects.get(pk=run_id)
    with tqdm(desc="Asking", total=run.total, unit=" answers", file=sys.stderr) as bar:
        while True:
            bar.update(run.done + run.failed - bar.n)
            if not run.is_active:
                return run
            time.sleep(LOOK_EVERY)
            run.refresh_from_db()

"""Delete old rows of the call log."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apikeys.db.purging import MAX_DAYS
from apikeys.services.calls import purge_calls


class Command(BaseCommand):
    help = "Delete the calls in the log that are older than a number of days, and print how many."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--older-than",
            type=int,
            metavar="DAYS",
            default=settings.CALL_LOG_DAYS,
            help="default: %(default)s, from CALL_LOG_DAYS",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        days = options["older_than"]
        if not 0 <= days <= MAX_DAYS:
            raise CommandError(f"--older-than takes 0 to {MAX_DAYS} days.")
        deleted = purge_calls(older_than=timezone.now() - timedelta(days=days))
        self.stdout.write(f"{deleted} calls older than {days} days deleted.")

"""`manage.py seed_demo`: a brand to look at, with 60 simulated days behind it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.formats import date_format

from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from brands.models import Brand
from visibility.demo.days import SEEDER
from visibility.demo.history import simulated
from visibility.demo.seeding import seed_brand, seed_owner
from visibility.demo.story import seed_story
from visibility.management.bars import Bars

CALLER = system_caller(SEEDER)


class Command(BaseCommand):
    help = (
        "Make the demo account and its invented brand with 60 simulated days, unless they are there: each day is "
        "answered from the bundled pages as they stood on it. Can be repeated, and continues where it was stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-scan", action="store_true", help="make account and brand only, not its days")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            owner, password = seed_owner(CALLER)
            if password:
                self.stdout.write(f"Made the account {owner.email} with the password {password} (shown only now).")
            brand, is_new = seed_brand(CALLER, owner)
        except ServiceError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{'Made' if is_new else 'Found'} the brand {brand}: invented, for demonstration.")
        if not options["no_scan"]:
            self._measure(brand)

    def _measure(self, brand: Brand) -> None:
        self.stdout.write("Measuring its simulated days; the first time that takes up to a minute.")
        self.stdout.flush()
        try:
            with Bars() as bars:
                added = seed_story(CALLER, brand, bars)
        except ServiceError as refusal:
            raise CommandError(refusal.message) from refusal
        days = simulated(brand.pk)
        if added and days:
            self.stdout.write(
                f"Measured {added} simulated days up to {date_format(days.last)}, each answered from the bundled "
                "pages as they stood on it."
            )

"""`manage.py generate_load_data`: many brands with many answers, to see how the service does with them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from visibility.demo.load.generating import generate
from visibility.management.bars import Bars

CALLER = system_caller("command:generate_load_data")


class Command(BaseCommand):
    help = (
        "Fill a database without brands with invented ones, each with ten measured days of answers, to measure how "
        "the service does with many. Never for a service that people use."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--brands", type=int, default=1_000, help="how many brands; 1,000 by default")
        parser.add_argument("--answers", type=int, default=1_000_000, help="of all of them; a million by default")
        parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same data; 1 by default")

    def handle(self, *args: Any, brands: int, answers: int, seed: int, **options: Any) -> None:
        if brands < 1:
            raise CommandError("--brands must be 1 or more.")
        try:
            with Bars() as bars:
                made = generate(CALLER, brands=brands, answers=answers, seed=seed, progress=bars)
        except ServiceError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(
            f"Made {made.brands:,} brands with {made.answers:,} answers. {made.owner.email} owns the first; "
            "staff who may view brands see all."
        )

"""`manage.py seed_demo`: a brand to look at, measured by its first scan."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from visibility.demo.seeding import seed_brand, seed_owner

CALLER = Caller.system("command:seed_demo")


class Command(BaseCommand):
    help = (
        "Make the demo account and its invented brand, unless they are there, and wait for a scan of it. "
        "Can be repeated: adds nothing twice and starts no second scan inside the cooldown."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-scan", action="store_true", help="make the data only; needs no worker")

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
            call_command("scan", str(brand.pk), "--wait", stdout=self.stdout, stderr=self.stderr)

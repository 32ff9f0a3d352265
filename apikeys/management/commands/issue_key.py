"""Issue an API key. The key alone goes to standard output, everything else to standard error."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.keys import issue_key
from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from apikeys.models import User
from apikeys.scopes import Scope

LONGEST_DAYS = 36_500


class Command(BaseCommand):
    help = "Issue an API key and print it, once, on standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--owner", required=True, metavar="EMAIL", help="whose data the key sees")
        parser.add_argument("--name", required=True, help="what the key is for")
        scopes = parser.add_mutually_exclusive_group(required=True)
        scopes.add_argument(
            "--scope", action="append", metavar="SCOPE", dest="scopes", help=f"repeatable; one of {', '.join(Scope)}"
        )
        scopes.add_argument("--all-scopes", action="store_const", const=list(Scope), dest="scopes")
        parser.add_argument("--expires-in-days", type=int, metavar="N", help="default: until it is revoked")

    @sensitive_variables("raw")
    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.with_email(options["owner"])
        if owner is None:
            raise CommandError(f"No account has the address {options['owner']}. Make one: manage.py createsuperuser.")
        if not owner.has_api_access:
            raise CommandError(f"The plan of {owner.email} has no API access. Give the account another in the admin.")
        days = options["expires_in_days"]
        if days is not None and not 1 <= days <= LONGEST_DAYS:
            raise CommandError(f"--expires-in-days takes 1 to {LONGEST_DAYS}.")
        try:
            key, raw = issue_key(
                system_caller("command:issue_key"),
                owner=owner,
                name=options["name"],
                scopes=options["scopes"],
                expires_at=None if days is None else timezone.now() + timedelta(days=days),
            )
        except ServiceError as error:
            raise CommandError(error.message) from error
        self.stderr.write(f"Key “{key.name}” of {owner.email} with the scopes {', '.join(key.scopes)}. Shown once.")
        self.stdout.write(raw)

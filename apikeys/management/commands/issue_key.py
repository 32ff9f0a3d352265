"""Issue an API key. The key alone goes to standard output, everything else to standard error."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import User
from apikeys.scopes import Scope
from apikeys.services.keys import issue_key, opens_doors

SHOWN_ACCOUNTS = 20


class Command(BaseCommand):
    help = "Issue an API key and print it, once, on standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
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
        owner = _account(options["owner"])
        days = options["expires_in_days"]
        if days is not None and not 1 <= days <= 36_500:
            raise CommandError("--expires-in-days takes 1 to 36500.")
        try:
            key, raw = issue_key(
                Caller.system("command:issue_key"),
                owner=owner,
                name=options["name"],
                scopes=options["scopes"],
                expires_at=None if days is None else timezone.now() + timedelta(days=days),
            )
        except ServiceError as error:
            raise CommandError(error.message) from error
        self.stderr.write(f"Key “{key.name}” of {owner.email} with the scopes {', '.join(key.scopes)}. Shown once.")
        if not opens_doors(owner):
            self.stderr.write(
                f"{owner.email} is on the plan {owner.plan or 'none'}, which has no API access: every call with this "
                "key is refused until the plan changes."
            )
        self.stdout.write(raw)


def _account(email: str) -> User:
    user = User.objects.select_related("plan").filter(email__iexact=email.strip()).first()
    if user is None:
        known = list(User.objects.values_list("email", flat=True)[: SHOWN_ACCOUNTS + 1])
        shown = ", ".join(known[:SHOWN_ACCOUNTS]) + (", …" if len(known) > SHOWN_ACCOUNTS else "")
        raise CommandError(
            f"No account has the address {email}. "
            + (f"There are: {shown}." if known else "There are no accounts yet; create one in the staff pages.")
        )
    return user

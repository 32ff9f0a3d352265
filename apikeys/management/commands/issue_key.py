"""Issue an API key. The key alone goes to standard output, everything else to standard error."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.errors import ServiceError
from apikeys.models import Plan, User
from apikeys.operators import system_caller
from apikeys.scopes import Scope
from apikeys.services.keys import issue_key, opens_doors
from apikeys.staff.pages import list_of, page_of

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
        _require_use(owner)
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


def _account(email: str) -> User:
    user = User.objects.select_related("plan").filter(email__iexact=email.strip()).first()
    if user is None:
        known = list(User.objects.values_list("email", flat=True)[: SHOWN_ACCOUNTS + 1])
        accounts = ", ".join(known[:SHOWN_ACCOUNTS]) + (", …" if len(known) > SHOWN_ACCOUNTS else "")
        raise CommandError(
            f"No account has the address {email}. "
            + (
                f"There are: {accounts}."
                if known
                else "There are no accounts yet; make one with manage.py createsuperuser."
            )
        )
    return user


def _require_use(owner: User) -> None:
    """Refuse to issue what every call would refuse; says where that is changed."""
    if not owner.is_active:
        raise CommandError(
            f"The account {owner.email} is deactivated: every call with its keys is refused. Reactivate it first, at "
            f"{page_of(owner)}."
        )
    if not opens_doors(owner):
        fitting = ", ".join(Plan.objects.filter(api_access=True).values_list("name", flat=True))
        lacking = f"is on the plan {owner.plan}, which has no API access" if owner.plan else "has no plan"
        choice = f"one with API access ({fitting or f'make it at {list_of(Plan)}'})"
        raise CommandError(
            f"{owner.email} {lacking}, so every call with the key would be refused. Give the account {choice} at "
            f"{page_of(owner)}, then issue the key."
        )

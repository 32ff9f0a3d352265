"""The way of a request of erasure."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from apikeys.models import User
from brands.people import erase_person


class Command(BaseCommand):
    help = (
        "Take a person out of the service: the account ends, and a number is in the place of address and names. Rows "
        "of logs and of the ledger stay. It cannot be undone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.with_email(options["email"])
        if user is None:
            raise CommandError(f"No account has the address {options['email']}.")
        if not options["yes"] and input(f"Erase {user.email} for good? Write the address: ") != user.email:
            raise CommandError("Nothing was erased.")
        owned = user.brands.count()
        try:
            erased = erase_person(system_caller("command:erase_person"), user=user)
        except ServiceError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"Erased: the account is now {erased.email}.")
        if owned:
            self.stdout.write(f"It owns {owned} brands still. Hand them over, or delete them, in the admin.")

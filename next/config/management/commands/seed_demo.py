"""Accounts, a brand and a key to look around with. Measured days come with the first scan."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts import create_user, set_password, set_roles
from apikeys.caller import Caller
from apikeys.keys import issue_key
from apikeys.models import Plan, User
from apikeys.operators import system_caller
from apikeys.scopes import ALL_SCOPES
from brands.brands import create_brand

OWNER, STAFF = "demo@example.com", "staff@example.com"


class Command(BaseCommand):
    help = "Make the demo's accounts, brand and key. Its passwords and its key are new at every call."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000", help="where the service answers")

    @sensitive_variables()
    def handle(self, *args: Any, **options: Any) -> None:
        caller = system_caller("command:seed_demo")
        plan = Plan.objects.get(tier="scale")
        owner, owner_password = _account(caller, OWNER, plan)
        staff, staff_password = _account(caller, STAFF, plan)
        set_roles(caller, user=staff, is_staff=True, is_superuser=True, groups=[], permissions=[])
        if not owner.brands.exists():
            create_brand(caller, owner=owner, name="Acme", domain="acme.example", cadence="weekly")
        _, raw_key = issue_key(caller, owner=owner, name=f"Demo {secrets.token_hex(2)}", scopes=ALL_SCOPES)
        address = options["address"]
        self.stdout.write(f"""
Brand owner   {OWNER}   {owner_password}
Staff         {STAFF}   {staff_password}   {address}/admin/
API key       {raw_key}
API           {address}/api/v1/docs

  curl -H "Authorization: Bearer {raw_key}" {address}/api/v1/brands
""")


@sensitive_variables()
def _account(caller: Caller, email: str, plan: Plan) -> tuple[User, str]:
    """The account of an address, made if needed, with a new password."""
    user = User.objects.with_email(email) or create_user(caller, email=email, plan=plan)
    return user, set_password(caller, user=user)

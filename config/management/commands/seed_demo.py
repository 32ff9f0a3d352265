"""Accounts, a brand with sixty measured days, and a key to look around with."""

import json
import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.accounts.keys import issue_key
from apikeys.accounts.operators import system_caller
from apikeys.accounts.people import create_user, set_password, set_roles
from apikeys.models import Plan, User
from apikeys.scopes import ALL_SCOPES
from visibility.demo.seeding import seed_brand
from visibility.demo.site import audit_site

OWNER, STAFF = "demo@example.com", "staff@example.com"


class Command(BaseCommand):
    help = "Make the demo's accounts, brand and key. Its passwords and its key are new at every call."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default=settings.PUBLIC_URL, help="where the service answers")

    @sensitive_variables()
    def handle(self, *args: Any, **options: Any) -> None:
        caller = system_caller("command:seed_demo")
        plan = Plan.objects.get(tier="scale")
        owner, owner_password = _account(caller, OWNER, plan)
        staff, staff_password = _account(caller, STAFF, plan)
        set_roles(caller, user=staff, is_staff=True, is_superuser=True, groups=[], permissions=[])
        brand = owner.brands.order_by("created_at", "pk").first()
        if brand is None:
            self.stdout.write("Measuring sixty days of an invented brand: some ten seconds, once …")
            self.stdout.flush()
            brand = seed_brand(caller, owner)
        audit_site(caller, brand)
        _, raw_key = issue_key(caller, owner=owner, name=f"Demo {secrets.token_hex(2)}", scopes=ALL_SCOPES)
        address = options["address"]
        call = {"name": f"{settings.TOOL_PREFIX}get_site_brief", "arguments": {"siteId": str(brand.pk)}}
        message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
        self.stdout.write(f"""
Brand owner   {OWNER}   {owner_password}
Staff         {STAFF}   {staff_password}   {address}/admin/
API key       {raw_key}
API           {address}/api/v1/docs

{brand.name} day by day, as a program reads it, and in short, as an agent does:

  curl -H "Authorization: Bearer {raw_key}" {address}/api/v1/brands/{brand.pk}/visibility

  curl -H "Authorization: Bearer {raw_key}" -H "Content-Type: application/json" \\
    -H "Accept: application/json" {address}/mcp -d '{message}'
""")


@sensitive_variables()
def _account(caller: Caller, email: str, plan: Plan) -> tuple[User, str]:
    """The account of an address, made if needed, with a new password."""
    user = User.objects.with_email(email) or create_user(caller, email=email, plan=plan)
    return user, set_password(caller, user=user)

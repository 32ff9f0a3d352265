"""`manage.py run_demo`: fill the running service with the demo and print how to look at it."""

import json
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from apikeys.errors import ServiceError
from apikeys.models import ApiKey, User
from apikeys.operators import system_caller
from apikeys.scopes import ALL_SCOPES
from apikeys.services.keys import issue_key, revoke_key
from apikeys.services.operators import renew_operator, renew_password
from brands.models import Brand
from config.local.welcome import Login, Logins, scores_of, welcome
from visibility.demo.content import DOMAIN, VIEWER
from visibility.demo.seeding import seed_owner

CALLER = system_caller("command:run_demo")
OPERATOR_EMAIL = "admin@example.com"
KEY_NAME = "demo"
READY_SECONDS = 60.0
# The service is on this machine: a proxy that the environment names has no part in it.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Command(BaseCommand):
    help = (
        "Seed the demo in the running service, then print its address, both logins, an API key and lines to call it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000", help="where the service answers")

    def handle(self, *args: Any, **options: Any) -> None:
        address: str = options["address"].rstrip("/")
        if urlsplit(address).scheme not in ("http", "https"):
            raise CommandError("--address must be a web address such as http://127.0.0.1:8000.")
        wait_until_ready(address)
        try:
            # The account is made here, so that seeding has no password to print that is another one in the end.
            owner, _ = seed_owner(CALLER)
            call_command("seed_demo", stdout=self.stdout, stderr=self.stderr)
            staff = Login(OPERATOR_EMAIL, renew_operator(CALLER, email=OPERATOR_EMAIL))
            key = renew_demo_key(owner)
            owner_login = Login(owner.email, renew_password(CALLER, user=owner))
            viewer = User.objects.get(email=VIEWER)
            viewer_login = Login(VIEWER, renew_password(CALLER, user=viewer))
        except ServiceError as refusal:
            raise CommandError(refusal.message) from refusal
        brand = Brand.objects.restrict(CALLER, "view").get(owner=owner, domain=DOMAIN)
        days = len(fetch(address + scores_of(brand) + "?from=0", key)["trend"])
        if not days:
            raise CommandError("The demo was scanned but its trend is empty: see the run in the admin.")
        self.stdout.write(
            welcome(address, brand=brand, days=days, logins=Logins(owner_login, viewer_login, staff), key=key)
        )


def wait_until_ready(address: str) -> None:
    """Return once web server, database and worker are all up; raise with the service's own words if not in time."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            fetch(f"{address}/readyz")
            return
        except CommandError as error:
            if time.monotonic() > deadline:
                raise CommandError(
                    f"The service is not ready after {READY_SECONDS:g} s. {error} See its messages above."
                ) from error
        time.sleep(0.3)


def renew_demo_key(owner: User) -> str:
    """Revoke the demo keys of earlier starts and issue a new one; returns it raw."""
    for old in ApiKey.objects.filter(owner=owner, name=KEY_NAME, revoked_at=None):
        revoke_key(CALLER, key=old, reason="The demo was started again.")
    return issue_key(CALLER, owner=owner, name=KEY_NAME, scopes=ALL_SCOPES)[1]


def fetch(url: str, key: str = "") -> Any:
    """The JSON that the running service answers with; raises CommandError with the answer when it is no success."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"} if key else {})  # noqa: S310 -- checked
    try:
        with DIRECT.open(request, timeout=10) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        body = error.read(500).decode(errors="replace")
        raise CommandError(f"{url} answered {error.code}: {body}") from error
    except OSError as error:
        raise CommandError(f"{url} does not answer: {error}.") from error

"""Invitation, reset, second factor and single sign-on in a real browser at the width of a telephone: with how many
clicks, in how many seconds (printed), and without anything that hinders people."""

import re
import sys
import time
from contextlib import contextmanager
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings as django_settings
from django.contrib.auth.hashers import make_password
from django.db import connection

from apikeys.models import User
from tests.factories import BrandFactory, UserFactory
from tests.live import live_process, own_database, wait_for
from tests.mail.server import running_server
from tests.pages.chromium import NARROW, WIDE, Visit, live_pages, open_chromium
from tests.people.conftest import PASSWORD
from tests.people.provider import running_provider

pytestmark = pytest.mark.proof
NEW = "a wholly other sentence"


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with (
        django_db_blocker.unblock(),
        own_database() as database,
        running_server() as (box, port),
        running_provider() as provider,
    ):
        owner = BrandFactory(name="Acme").owner
        owner.password = hashed = make_password(PASSWORD)  # as the server hashes, not as tests do
        owner.save()
        settings = {
            "EMAIL_URL": f"smtp://127.0.0.1:{port}",
            "OIDC_URL": provider.url,
            "OIDC_CLIENT_ID": "us",
            "OIDC_CLIENT_SECRET": "s",
            "OIDC_NAME": "Acme ID",
        }
        with live_pages(database, PUBLIC_URL="{url}", **settings) as live, open_chromium() as browser:
            shared = {"PUBLIC_URL": live.url, "SECRET_KEY": django_settings.SECRET_KEY, **settings}
            with live_process(sys.executable, "manage.py", "worker", database=database, ready="", **shared):
                known = {"box": box, "provider": provider, "owner": owner, "hashed": hashed}
                yield SimpleNamespace(live=live, browser=browser, **known)


class Walk:
    """Somebody's window, which counts its clicks."""

    def __init__(self, page, world):
        self.page, self.world, self.clicks, self.began = page, world, 0, time.monotonic()
        self.visit = Visit(page, world.live.url)
        self.faults = []

    def go(self, address):
        self.page.goto(address)
        self.look()

    def click(self, name, role="button"):
        with self.page.expect_navigation():
            self.page.get_by_role(role, name=name, exact=True).first.click()
        self.clicks += 1
        self.look()

    def fill(self, **fields):
        for label, value in fields.items():
            self.page.get_by_label(label.replace("_", " "), exact=True).fill(value)

    def look(self):
        """Note what hinders people on this page."""
        if self.page.url.startswith(self.world.live.url):
            self.faults += [f"{urlsplit(self.page.url).path}: {fault}" for fault in self.visit.faults()]

    def mail_to(self, address):
        """The link in the next mail to an address."""
        box = self.world.box
        mail = wait_for(lambda: next((each for each in box.mails if each["To"] == address), None), seconds=30)
        box.mails.remove(mail)
        return re.search(r"https?://\S+", mail.get_body("plain").get_content())[0]


@pytest.fixture
def walk(world, request):
    @contextmanager
    def begin(what, width=NARROW):
        context = world.browser.new_context(
            base_url=world.live.url, viewport={"width": width, "height": 844}, extra_http_headers={}
        )
        walk = Walk(context.new_page(), world)
        try:
            yield walk
            policy = [words for words in walk.visit.troubles if "Content Security Policy" in words]
            assert not policy and not walk.faults
            print(f"{what}: {walk.clicks} clicks, {time.monotonic() - walk.began:.1f} s")
        finally:
            context.close()
            connection.close()  # playwright's loop has one of its own, which would outlive the database

    return begin


def sign_in(walk, email, password=PASSWORD):
    walk.go("/sign-in")
    walk.fill(Email_address=email, Password=password)
    walk.click("Sign in")


def test_an_owner_invites_and_a_newcomer_is_in(world, walk):
    brand = world.owner.brands.get()
    connection.close()
    with walk("owner invites") as owner:
        sign_in(owner, world.owner.email)
        owner.go(f"/brands/{brand.pk}/settings")
        owner.fill(Invite_by_email="new@example.com")
        owner.click("Invite")
        assert "gets a mail with a link" in owner.page.content()
    with walk("newcomer accepts") as newcomer:
        newcomer.go(newcomer.mail_to("new@example.com"))
        newcomer.fill(New_password=NEW, New_password_confirmation=NEW)
        newcomer.click("Make my account and accept")
        assert newcomer.page.url.endswith(str(brand.pk))


def test_a_forgotten_password(world, walk):
    person = UserFactory(password=world.hashed)
    connection.close()
    with walk("reset") as visitor:
        visitor.go("/sign-in")
        visitor.click("Password forgotten?", role="link")
        visitor.fill(Email_address=person.email)
        visitor.click("Mail me a link")
        visitor.go(visitor.mail_to(person.email))
        visitor.fill(New_password=NEW, New_password_confirmation=NEW)
        visitor.click("Save")
        visitor.fill(Email_address=person.email, Password=NEW)
        visitor.click("Sign in")
        assert "Your brands" in visitor.page.content()


def code_of(secret, step=0):
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30 + step))


def test_a_second_factor_by_an_app(world, walk):
    person = UserFactory(password=world.hashed)
    connection.close()
    with walk("app set up") as visitor:
        sign_in(visitor, person.email)
        visitor.go("/account")
        visitor.click("Second factor", role="link")
        visitor.click("Set up", role="link")
        visitor.fill(Your_password=PASSWORD)
        visitor.click("Go on")
        secret = visitor.page.locator("#key").input_value()
        visitor.fill(Code=code_of(secret))
        visitor.click("Set up")
        codes = visitor.page.get_by_label("Recovery codes").input_value().split()
        assert len(codes) == 10
    with walk("signing in with the app") as visitor:
        sign_in(visitor, person.email)
        visitor.fill(Code=code_of(secret, 1))
        visitor.click("Sign in")
        assert "Your brands" in visitor.page.content()
    with walk("signing in with a recovery code") as visitor:
        sign_in(visitor, person.email)
        visitor.fill(Code=codes[0])
        visitor.click("Sign in")
        visitor.go("/second-factor")
        visitor.click("Remove", role="link")
        visitor.fill(Your_password=PASSWORD)
        visitor.click("Go on")
        visitor.click("Remove")
        assert "The app is removed" in visitor.page.content()


def test_a_second_factor_by_a_passkey(world, walk):
    person = UserFactory(password=world.hashed)
    connection.close()
    with walk("passkey added and used") as visitor:
        home = world.live.url.replace("127.0.0.1", "localhost")  # passkeys belong to names
        devices = visitor.page.context.new_cdp_session(visitor.page)
        devices.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "isUserVerified": True}
        options |= {"hasResidentKey": True, "automaticPresenceSimulation": True}
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        visitor.go(f"{home}/sign-in?next=/second-factor")
        visitor.fill(Email_address=person.email, Password=PASSWORD)
        visitor.click("Sign in")
        visitor.click("Add a passkey", role="link")
        visitor.fill(Your_password=PASSWORD)
        visitor.click("Go on")
        visitor.click("Add a passkey")
        visitor.page.get_by_label("Recovery codes").wait_for()
        visitor.page.context.clear_cookies()
        visitor.go(f"{home}/sign-in")
        visitor.fill(Email_address=person.email, Password=PASSWORD)
        visitor.click("Sign in")
        visitor.click("Use a passkey")
        visitor.page.get_by_role("heading", name="Your brands").wait_for()


def test_single_sign_on(world, walk):
    world.provider.claims = {"sub": "7", "email": UserFactory().email, "email_verified": True}
    connection.close()
    with walk("single sign-on") as visitor:
        visitor.go("/sign-in")
        visitor.click("Sign in with Acme ID", role="link")
        assert "Your brands" in visitor.page.content()


def test_another_address_and_sessions(world, walk):
    person = UserFactory(password=world.hashed)
    connection.close()
    with walk("address changed, sessions ended") as visitor:
        sign_in(visitor, person.email)
        visitor.go("/account")
        visitor.click("Change address", role="link")
        visitor.fill(New_email_address="other@example.com", Your_password=PASSWORD)
        visitor.click("Mail both addresses")
        for address in (person.email, "other@example.com"):
            visitor.go(visitor.mail_to(address))
            visitor.click("Confirm")
        assert "Your address is changed" in visitor.page.content()
        visitor.go("/sessions")
        visitor.click("Sign out everywhere else")
    assert User.objects.get(pk=person.pk).email == "other@example.com"
    connection.close()


@pytest.mark.parametrize(
    "page", ["/sign-in", "/password/forgotten", "/welcome/x/y", "/invitations/x", "/unsubscribe/x"]
)
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_pages_before_signing_in_hinder_nobody(world, walk, page, width):
    with walk(page, width) as visitor:
        visitor.go(page)

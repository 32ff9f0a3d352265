"""Who opens and who sends what, for every address of the URL configuration: role by role, with a token and without.

The addresses are not listed here: one that is new is tried by itself. Where it needs an example (an argument, the
fields of a form) or an exemption, the failure says what to add and where.
"""

from dataclasses import astuple

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Permission

from tests.pages.isolation.addresses import Address, all_addresses
from tests.pages.isolation.asking import ask, assert_right, send, takes_form, undone
from tests.pages.isolation.rules import (
    OF_COLLABORATORS,
    OWNER_ONLY,
    PUBLIC,
    TOKENLESS,
    WRITES_NOTHING,
    Door,
    StaffPage,
    door_of,
)
from tests.pages.isolation.world import FORMS, make_world

pytestmark = pytest.mark.django_db
ADDRESSES = all_addresses()
INSIDERS = ("owner", "editor", "viewer", "looker", "boss")
UNKNOWN = ("nobody", "key")
OUTSIDERS = ("clerk", "stranger", *UNKNOWN)
NOT_STAFF = ("owner", "editor", "viewer", "stranger", *UNKNOWN)


@pytest.fixture
def world(db):
    return make_world()


def at(*doors: Door) -> list[Address]:
    return [address for address in ADDRESSES if door_of(address) in doors]


def readers(address):
    return INSIDERS[:1] if address.name in OWNER_ONLY else INSIDERS


def test_a_page_of_a_brand_is_read_by_its_people_and_by_staff_who_may_look(world):
    def check(address):
        if ask(world, "owner", address).status == 405:
            return  # a form alone
        for role in (*INSIDERS, *OUTSIDERS):
            outcome = ask(world, role, address)
            if outcome.writes:
                yield f"{role} writes by looking: {outcome}"
            if role in UNKNOWN:
                is_right = outcome.leads_to_sign_in
            elif role in readers(address):
                is_right = outcome.status in (200, 302) and not outcome.leads_to_sign_in
            else:
                is_right = outcome.status == 404 or (role in INSIDERS and outcome.status == 403)
            if not is_right:
                yield f"{role} gets {outcome}"

    assert_right(check, at(Door.BRAND))


def test_a_form_of_a_brand_is_sent_by_its_owner_and_editors_alone(world):
    def check(address):
        if not takes_form(world, address):
            return
        writers = ("owner",) if address.name in OWNER_ONLY else ("owner", "editor")
        if address.name in OF_COLLABORATORS:
            writers = ("editor", "viewer")
        for role in (*INSIDERS, *OUTSIDERS):
            outcome = send(world, role, address)
            may_write = role in writers and address.name not in WRITES_NOTHING
            if bool(outcome.writes) != may_write:
                yield f"{role} {'writes' if outcome.writes else 'writes nothing'}: {outcome}"
            if role in ("clerk", "stranger") and outcome.status != 404:
                yield f"{role} gets {outcome}"
            if role == "stranger" and (empty := send(world, role, address, filled=False)).status != 404:
                yield f"{role} gets {empty} for an empty form"
            if role in UNKNOWN and not outcome.leads_to_sign_in:
                yield f"{role} gets {outcome}"
            if role in writers and outcome.status not in (200, 302):
                yield f"{role} gets {outcome}"

    assert_right(check, at(Door.BRAND))


def test_a_row_of_another_brand_is_not_there_under_ones_own(world):
    """Who owns a brand puts its id before that of another brand's row."""

    def check(address):
        for outcome in (
            ask(world, "stranger", address, brand_id=world.other.pk),
            send(world, "stranger", address, brand_id=world.other.pk),
        ):
            if outcome.status not in (404, 405) or outcome.writes:
                yield f"gives {outcome}"

    nested = [
        address
        for address in at(Door.BRAND)
        if "brand_id" in address.arguments and sum(name.endswith("_id") for name in address.arguments) > 1
    ]
    assert nested
    assert_right(check, nested)


def test_a_page_of_ones_own_needs_a_signed_in_person_and_no_more(world):
    def check(address):
        for role in world.people:
            outcome = ask(world, role, address)
            if outcome.writes:
                yield f"{role} writes by looking: {outcome}"
            if role in UNKNOWN:
                is_right = outcome.leads_to_sign_in or outcome.status == 405
            else:
                is_right = outcome.status in (200, 405)
            if not is_right:
                yield f"{role} gets {outcome}"
        sent = send(world, "nobody", address)
        if sent.writes or not (sent.leads_to_sign_in or sent.status == 405):
            yield f"nobody sends: {sent}"

    assert_right(check, at(Door.OWN))


def test_nothing_is_sent_without_a_token(world):
    def check(address):
        expected = 405 if address.route in TOKENLESS else 403
        # The token is looked at before anybody is; all are tried where it is about brands.
        for role in ("boss", "owner", "nobody") if door_of(address) is Door.STAFF else world.people:
            outcome = send(world, role, address, token=False)
            if outcome.status != expected or outcome.writes:
                yield f"{role} gets {outcome}"

    assert_right(check, [address for address in ADDRESSES if door_of(address) is not Door.REST])


def test_nobody_keeps_what_somebody_signed_in_was_shown(world):
    """Refusals, downloads and answers to forms too; endpoints of the API say themselves how long theirs hold."""

    def check(address):
        for role in ("owner", "stranger", "boss"):
            for outcome in (ask(world, role, address), send(world, role, address)):
                if outcome.kept != "private, no-store":
                    yield f"{role} gets {outcome} to keep: {outcome.kept!r}"

    api = {"api/v1/openapi.json", "openapi.json", "api/v1/docs"}
    assert_right(check, [row for row in ADDRESSES if door_of(row) is not Door.REST and row.route not in api])


def test_a_session_opens_no_endpoint(world):
    def check(address):
        for role in world.people:
            if role == "key":
                continue
            if (outcome := ask(world, role, address)).status != 401:
                yield f"{role} gets {outcome}"
            if (outcome := send(world, role, address)).status not in (401, 405) or outcome.writes:
                yield f"{role} sends: {outcome}"

    assert_right(check, at(Door.REST))


def test_a_public_page_is_open_to_everyone_and_looking_writes_nothing(world):
    def check(address):
        status = PUBLIC[address.route].status
        for role in world.people:
            outcome = ask(world, role, address)
            # The sign-in leads on who is signed in already.
            if (
                outcome.status not in (status, 302)
                or outcome.writes
                or (role == "nobody" and outcome.status != status)
            ):
                yield f"{role} gets {outcome}"

    assert_right(check, at(Door.PUBLIC))


def test_a_page_of_the_staff_is_for_staff_with_its_permission(world):
    def check(address):
        page = StaffPage.of(address)
        for role in NOT_STAFF:
            for outcome in (ask(world, role, address), send(world, role, address)):
                is_right = outcome.leads_to_sign_in or (page.act == "logout" and outcome.is_refused)
                if not is_right or outcome.writes:
                    yield f"{role} gets {outcome}"
        for role in ("clerk", "looker", "boss"):
            outcome = ask(world, role, address)
            is_right = outcome.status in page.expected() if page.is_open_to(role) else outcome.is_refused
            if not is_right or outcome.writes:
                yield f"{role} gets {outcome}"
        for role in ("clerk", "looker"):
            outcome = send(world, role, address)
            if outcome.writes or not (outcome.is_refused or page.is_open_to(role)):
                yield f"{role} sends: {outcome}"

    assert_right(check, at(Door.STAFF))


def test_an_act_of_the_staff_opens_with_its_own_permission(world):
    """Beside looking, which alone opens none of them."""

    def check(address):
        page = StaffPage.of(address)
        [act] = [act for act in acts[page.model] if act.slug == page.act]
        app, codename = act.permission.split(".")
        with undone():
            permission = Permission.objects.get(content_type__app_label=app, codename=codename)
            world.people["looker"].user_permissions.add(permission)
            outcome = ask(world, "looker", address)
        if outcome.status != 200 or outcome.writes:
            yield f"with {act.permission}: {outcome}"

    acts = {str(model._meta).replace(".", "/"): getattr(page, "acts", ()) for model, page in site._registry.items()}
    slugs = {(model, act.slug) for model, rows in acts.items() for act in rows}
    pages = [address for address in at(Door.STAFF) if astuple(StaffPage.of(address)) in slugs]
    assert len(pages) == len(slugs)
    assert_right(check, pages)


def test_exemptions_are_of_addresses_that_are_there():
    routes, names = {address.route for address in ADDRESSES}, {address.name for address in ADDRESSES}
    for listed in (PUBLIC, TOKENLESS):
        assert set(listed) <= routes, set(listed) - routes
    for named in (OWNER_ONLY, WRITES_NOTHING, FORMS):
        assert set(named) <= names, set(named) - names
    without_token = {address.route for address in ADDRESSES if address.is_csrf_exempt}
    assert without_token - {address.route for address in at(Door.REST)} == set(TOKENLESS)

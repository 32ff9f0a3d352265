"""The trail: each change of a brand is written with who and when, and in words."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from brands.brands import transfer_brand, update_brand
from brands.competitors import add_competitor, remove_competitor, update_competitor
from brands.models import BrandChange, Invitation
from brands.names import set_name_policy
from brands.people import (
    accept,
    add_collaborator,
    erase_person,
    invite,
    leave_brand,
    remove_collaborator,
    set_role,
    withdraw,
)
from tests.factories import BrandFactory, CollaboratorFactory, EngineFactory, UserFactory, make_key
from tests.people.browser import Browser, text_of
from visibility.jobs import purge
from visibility.models import Topic
from visibility.runs.services import choose_engines
from visibility.topics.services import decide_own_topics, decide_topic, name_own_topics

pytestmark = pytest.mark.django_db
ANNA, BEN = "anna@example.com", "ben@example.com"


@pytest.fixture
def brand():
    return BrandFactory(name="Acme", domain="acme.example", owner=UserFactory(email=ANNA))


def caller_of(brand):
    return Caller.from_user(brand.owner)


def rename(brand, caller, at):
    update_brand(caller, **at, name="Apex", aliases=["Acme"])
    return [("name", "", "Acme", "Apex"), ("names", "", "", "Acme")]


def move(brand, caller, at):
    update_brand(caller, **at, domain="apex.example", region="de", description="Bikes")
    return [
        ("domain", "", "acme.example", "apex.example"),
        ("description", "", "", "Bikes"),
        ("region", "", "", "DE"),
    ]


def schedule(brand, caller, at):
    update_brand(caller, **at, cadence="weekly", samples=2)
    return [("cadence", "", "manual", "weekly"), ("samples", "", "3", "2")]


def nothing(brand, caller, at):
    update_brand(caller, **at, name="Acme", cadence="manual")
    return []


def name_use(brand, caller, at):
    set_name_policy(caller, **at, name="Acme", case_sensitive=True, forbidden_near=["Corp"])
    return [("name_use", "Acme", "", "in these capitals; never beside Corp")]


def compete(brand, caller, at):
    rival = add_competitor(caller, **at, name="Zen", domain="zen.example")
    update_competitor(caller, **at, competitor_id=rival.pk, name="Zentra")
    remove_competitor(caller, **at, competitor_id=rival.pk)
    return [
        ("competitor", "Zen", "", "Zen, zen.example"),
        ("competitor", "Zen", "Zen, zen.example", "Zentra, zen.example"),
        ("competitor", "Zentra", "Zentra, zen.example", ""),
    ]


def people(brand, caller, at):
    ben = UserFactory(email=BEN)
    add_collaborator(caller, **at, user=ben, role="viewer")
    set_role(caller, **at, user=ben, role="editor")
    remove_collaborator(caller, **at, user=ben)
    return [("person", BEN, "", "viewer"), ("person", BEN, "viewer", "editor"), ("person", BEN, "editor", "")]


def invitation(brand, caller, at):
    offer = invite(caller, **at, email=BEN, role="viewer")
    withdraw(caller, **at, invitation_id=offer.pk)
    return [("invitation", BEN, "", "viewer"), ("invitation", BEN, "viewer", "")]


def topics(brand, caller, at):
    city, _ = (Topic.objects.create(brand=brand, name=name) for name in ("city", "trail"))
    decide_topic(caller, **at, topic_id=city.pk, own=True)
    decide_own_topics(caller, **at, names=["trail"])
    name_own_topics(caller, **at, names=["trail"])
    return [
        ("topic", "city", "undecided", "yours"),
        ("topic", "trail", "undecided", "yours"),
        ("topic", "city", "yours", "not yours"),
        ("topic", "city", "not yours", ""),
    ]


def engines(brand, caller, at):
    for name in ("chatgpt", "gemini"):
        EngineFactory(name=name, preset="openai", is_enabled=True)
    choose_engines(caller, **at, names=["gemini", "chatgpt"])
    choose_engines(caller, **at, names=["gemini"])
    return [("engines", "", "", "chatgpt, gemini"), ("engines", "", "chatgpt, gemini", "gemini")]


def transfer(brand, caller, at):
    transfer_brand(caller, **at, to=UserFactory(email=BEN))
    return [("owner", "", ANNA, BEN)]


KINDS = [rename, move, schedule, nothing, name_use, compete, people, invitation, topics, engines, transfer]


@pytest.mark.parametrize("change", KINDS, ids=lambda each: each.__name__)
def test_what_was_and_what_is_since(brand, change):
    expected = change(brand, caller_of(brand), {"brand_id": brand.pk})
    rows = BrandChange.objects.order_by("pk")
    assert [(row.what, row.subject, row.before, row.after) for row in rows] == expected
    assert {(row.person, row.actor) for row in rows} <= {(brand.owner, f"user:{brand.owner.pk}")}


def test_a_change_that_is_undone_leaves_nothing(brand):
    with pytest.raises(RuntimeError), transaction.atomic():
        update_brand(caller_of(brand), brand_id=brand.pk, name="Apex")
        raise RuntimeError
    assert not BrandChange.objects.exists()


def test_who_accepts_or_leaves_is_on_record(brand):
    ben = UserFactory(email=BEN)
    offer = Invitation.objects.create(brand=brand, email=BEN, role="editor", invited_by=brand.owner)
    accept(Caller.from_user(ben), invitation_id=offer.pk, is_by_link=True)
    leave_brand(Caller.from_user(ben), brand_id=brand.pk)
    rows = BrandChange.objects.order_by("pk")
    assert [(row.person, row.before, row.after) for row in rows] == [(ben, "", "editor"), (ben, "editor", "")]


def test_a_key_acts_for_its_person_and_an_operator_for_none(brand):
    key, _ = make_key(owner=brand.owner)
    update_brand(Caller.from_key(key), brand_id=brand.pk, region="de")
    update_brand(system_caller("command:x", UserFactory(is_staff=True)), brand_id=brand.pk, region="fr")
    by_key, by_operator = BrandChange.objects.order_by("pk")
    assert (by_key.person, by_key.is_by_key) == (brand.owner, True)
    assert (by_operator.person, by_operator.actor) == (None, "command:x")


def test_an_erased_person_is_a_number(brand):
    ben = UserFactory(email=BEN)
    add_collaborator(caller_of(brand), brand_id=brand.pk, user=ben)
    update_brand(Caller.from_user(ben), brand_id=brand.pk, description=f"Write to {BEN.upper()}")
    erase_person(system_caller("command:test"), user=ben)
    number = f"erased-{ben.pk}@erased.invalid"
    [of_person, by_person] = BrandChange.objects.order_by("pk")
    assert of_person.subject == number and by_person.after == f"Write to {number}"
    assert by_person.person.email == number


def test_it_is_deleted_after_four_hundred_days(brand):
    for days in (399, 401):
        at = timezone.now() - timedelta(days=days)
        BrandChange.objects.create(brand=brand, what="name", actor="user:1", before=str(days), after="x", at=at)
    purge(0)
    assert [row.before for row in BrandChange.objects.all()] == ["399"]


def test_settings_show_the_last_twenty_and_the_rest_is_a_click_away(brand):
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    for number in range(25):
        add_competitor(system_caller("x"), brand_id=brand.pk, name=f"Rival {number}", domain=f"r{number}.example")
    update_brand(caller_of(brand), brand_id=brand.pk, cadence="weekly")
    browser = Browser(viewer)
    page, rest = (text_of(browser.open(reverse(name, args=[brand.pk]))) for name in ("brand-settings", "brand-trail"))
    assert "How often scans run" in page and ANNA in page and "the operator of the service" in page
    assert "Competitor: Rival 24" in page and "Competitor: Rival 3" not in page
    assert "Competitor: Rival 0" in rest


def test_the_trail_is_of_those_who_see_the_brand(brand):
    Browser(UserFactory()).open(reverse("brand-trail", args=[brand.pk]), status=404)


def test_the_admin_shows_it_and_changes_nothing(brand):
    update_brand(caller_of(brand), brand_id=brand.pk, name="Apex")
    browser = Browser(UserFactory(is_staff=True, is_superuser=True))
    assert "Apex" in text_of(browser.open("/admin/brands/brandchange/"))
    browser.open("/admin/brands/brandchange/add/", status=403)

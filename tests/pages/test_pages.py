"""Every address of the pages: who sees it, what it says first, and that nothing on it is from elsewhere."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apikeys.accounts.caller import Caller
from brands.sharing import share
from tests.evidence.making import read_answers
from visibility.models import Prompt, Recommendation

OF_A_BRAND = (
    *("brand", "brand-more", "brand-todo", "brand-history", "brand-prompts", "brand-competitors", "brand-sources"),
    *("brand-answers", "brand-audit", "brand-settings", "brand-reading", "brand-share"),
)
MOST_STATEMENTS = 20
MORE_STATEMENTS = {
    "brand": 21,  # one of them asks whether anything happened to engines
    "brand-history": 22,  # and what happened of old, in records
    "brand-prompts": 27,  # two windows, of own and of other topics; proposals for those that nobody has decided
    "brand-competitors": 28,  # untracked names, evidence and a scan's price have tables of their own
    "brand-prompt": 25,  # an answer with its names and sources, and each day of each engine
}
SCRIPT = '<script src="/static/pages/pages.js" defer></script>'
OF_AN_ACCOUNT = ("start", "account", "method", "add-brand")


@pytest.fixture(autouse=True)
def _few_pages(settings, world):
    settings.CITED_PAGES_PER_WEEK = 0


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def addresses(brand):
    """All pages of a brand."""
    found = [reverse(name, args=[brand.pk]) for name in OF_A_BRAND]
    for row in Recommendation.objects.filter(brand=brand)[:2]:
        found.append(reverse("brand-todo-item", args=[brand.pk, row.pk]))
    for prompt in Prompt.objects.filter(brand=brand).tracked()[:1]:
        found.append(reverse("brand-prompt", args=[brand.pk, prompt.pk]))
    return found


@pytest.mark.parametrize("name", ["Norrvik Cycles", "Garmin", "Sony", "Empty"])
def test_every_page_answers_its_owner_and_has_one_heading_and_nothing_foreign(world, name):
    brand, client = world.brands[name], client_of(world.owner)
    for address in [*addresses(brand), *map(reverse, OF_AN_ACCOUNT)]:
        response = client.get(address)
        assert response.status_code == 200, address
        html = response.content.decode()
        assert html.count("<h1") == 1, address
        assert "untrusted-quote" not in re.sub(r"<textarea.*?</textarea>", "", html, flags=re.DOTALL), address
        assert not re.findall(r"<(?:script|link|img)\b[^>]*\"https?://(?!testserver)", html), address
        assert " style=" not in html, address
        assert re.findall(r"<script.*?</script>", html, re.DOTALL) == [SCRIPT], address


@pytest.mark.parametrize("query", ["", "engine=local-search&period=14&before=on"])
@pytest.mark.parametrize("name", [*OF_A_BRAND, "brand-prompt", "brand-todo-item", "brand-chart"])
def test_a_page_asks_the_database_little(world, name, query):
    brand, client = world.brands["Norrvik Cycles"], client_of(world.owner)
    first = {"brand-prompt": Prompt, "brand-todo-item": Recommendation}
    rest = [first[name].objects.filter(brand=brand).first().pk] if name in first else []
    address = reverse(name, args=[brand.pk, *rest])
    client.get(address)  # reads what processes keep, such as types of rows
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"{address}?{query}").status_code == 200
    assert len(asked) <= MORE_STATEMENTS.get(name, MOST_STATEMENTS)


@pytest.mark.parametrize("name", OF_AN_ACCOUNT)
def test_a_page_of_an_account_asks_little_however_many_brands_there_are(world, name):
    client = client_of(world.owner)
    client.get(reverse(name))
    with CaptureQueriesContext(connection) as asked:
        assert client.get(reverse(name)).status_code == 200
    assert len(asked) <= MOST_STATEMENTS


def test_the_shared_page_asks_little(world):
    brand = world.brands["Norrvik Cycles"]
    caller = Caller.from_user(world.owner)
    link, token = share(caller, brand_id=brand.pk, link_id=uuid4(), filters="")
    with CaptureQueriesContext(connection) as asked:
        assert Client().get(reverse("shared", args=[token])).status_code == 200
    link.delete()
    assert len(asked) <= MOST_STATEMENTS


def test_pages_are_seen_by_who_may_and_by_nobody_else(world):
    brand = world.brands["Garmin"]
    expected = {world.owner: 200, world.viewer: 200, world.staff: 200, world.stranger: 404}
    for address in addresses(brand):
        assert {user: client_of(user).get(address).status_code for user in expected} == expected, address
        assert Client().get(address).status_code == 302
    gone = reverse("brand", args=["00000000-0000-4000-8000-000000000000"])
    assert client_of(world.staff).get(gone).status_code == 404


def test_who_may_not_change_a_brand_has_no_form_for_it_and_is_refused(world):
    brand = world.brands["Sony"]
    row = Recommendation.objects.filter(brand=brand, status="open").first()
    post = {"id": str(row.pk), "verb": "dismiss", "seen": "open"}
    for user in (world.viewer, world.staff):
        client = client_of(user)
        for address in addresses(brand):
            page = client.get(address).content.decode()
            assert not re.findall(r'<form[^>]*method="post"[^>]*/do/', page), address
        client.post(reverse("brand-decide", args=[brand.pk]), post)
    assert client_of(world.stranger).post(reverse("brand-decide", args=[brand.pk]), post).status_code == 404
    row.refresh_from_db()
    assert row.status == "open"


def test_the_first_screen_of_the_demo_says_what_happened(world):
    html = client_of(world.owner).get(reverse("brand", args=[world.brands["Norrvik Cycles"].pk])).content.decode()
    lead = re.search(r'<h1 class="lead">(.*?)</h1>', html)[1]
    pages = r"\d+ of your pages on norrvik-guide.example"
    assert re.fullmatch(rf"On \d+ \w+ AI stopped citing {pages}. The same day you lost \d+ points.", lead)
    assert "Win back the" in html and "Velmora" in html


@pytest.mark.parametrize("name", ["Norrvik Cycles", "Garmin", "Sony"])
def test_the_last_point_of_the_chart_is_the_headline(world, name):
    html = client_of(world.owner).get(reverse("brand", args=[world.brands[name].pk])).content.decode()
    headline = re.search(r'class="big">(\d+)<sup>', html)[1]
    label = r'class="lab"[^>]*><tspan x="100%">(\d+) %</tspan> <tspan[^>]*>mentioned<'
    assert re.findall(label, html) == [headline]


def competitors_page(world, name):
    address = reverse("brand-competitors", args=[world.brands[name].pk])
    return client_of(world.owner).get(address).content.decode()


def test_where_nobody_has_read_competitors_show_labels_as_a_lower_bound(world):
    shown = competitors_page(world, "Garmin")
    assert "Labels that answers judge by" in shown and "a label in at least" in shown
    assert "Why answers choose you" not in shown and "](" not in shown


def test_where_a_reader_has_read_competitors_show_the_reasons_of_both_sides(world):
    brand = world.brands["Sony"]
    topic = brand.topics.get(name="headphones-wireless-200")
    bose = brand.competitors.get(name="Bose")
    reading = read_answers(
        brand, topic, (None, "reason", "Sound", "sound", "Sony", 9), (bose, "reason", "Comfort", "comfort", "Bose", 5)
    )
    own, theirs = competitors_page(world, "Sony").split("Why they choose competitors")
    reading.delete()
    assert "Why answers choose you" in own and re.search(r"You in 9 of \d+", own)
    assert re.search(r"Bose in 5 of \d+</span><span[^>]*><i[^>]*></i>You in 0", theirs)


def test_deciding_twice_from_two_tabs_says_so(world):
    brand, client = world.brands["Sony"], client_of(world.owner)
    row = Recommendation.objects.filter(brand=brand, status="open").first()
    address = reverse("brand-decide", args=[brand.pk])
    first = client.post(address, {"id": str(row.pk), "verb": "start", "seen": "open"}, follow=True)
    assert "under way" in first.content.decode()
    second = client.post(address, {"id": str(row.pk), "verb": "dismiss", "seen": "open"}, follow=True)
    assert "was moved to “Doing” meanwhile" in second.content.decode()
    row.refresh_from_db()
    assert row.status == "in_progress"

"""A page that renews a part of itself says so in its place when its person is signed out meanwhile; who sends a form
then is told that nothing was saved, and signs in for the page where the form stood."""

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse

from tests.factories import RunFactory
from tests.people.browser import text_of

pytestmark = pytest.mark.django_db
BY_HTMX = {"HX-Request": "true"}


@pytest.fixture
def addresses(cast):
    audit = {"kind": "audit", "status": "running", "finished_at": None}
    RunFactory(brand=cast.brand, **audit)
    run = RunFactory(brand=cast.brand, status="running", finished_at=None)
    return [reverse("run-page", args=[cast.brand.pk, run.pk]), reverse("audits-page", args=[cast.brand.pk])]


def test_the_part_says_so_leads_back_and_asks_no_more(client, cast, addresses):
    for address in addresses:
        client.force_login(cast.owner)
        assert b"hx-get" in client.get(address, headers=BY_HTMX).content
        Session.objects.all().delete()
        answer = client.get(address, headers=BY_HTMX)
        part = answer.content.decode()
        assert answer.status_code == 286 and "hx-get" not in part
        assert "You have been signed out." in part and "<html" not in part and "password" not in part
        sign_in = part.split('href="')[1].split('"')[0]
        page = client.get(sign_in)
        assert page.status_code == 200 and f'name="next" value="{address}"' in page.content.decode()
        assert "no-store" in answer["Cache-Control"] and "HX-Request" in answer["Vary"]


def test_who_may_see_it_no_more_is_told_so_and_asks_no_more(client, cast, addresses):
    client.force_login(cast.viewer)
    assert b"hx-get" in client.get(addresses[0], headers=BY_HTMX).content
    cast.brand.collaborators.filter(user=cast.viewer).delete()
    for address in addresses:
        answer = client.get(address, headers=BY_HTMX)
        assert answer.status_code == 286 and "you may see it no more" in answer.content.decode()
        assert "hx-get" not in answer.content.decode() and "<html" not in answer.content.decode()
        assert client.get(address).status_code == 404


def test_a_whole_page_leads_to_the_sign_in_as_before(client, addresses):
    answer = client.get(addresses[0])
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('login')}?next={addresses[0]}")


def test_another_way_on_is_left_alone(client, cast):
    """An audit that has ended leads from its run to its own page."""
    audit = RunFactory(brand=cast.brand, kind="audit", status="failed")
    client.force_login(cast.owner)
    assert client.get(reverse("run-page", args=[cast.brand.pk, audit.pk]), headers=BY_HTMX).status_code == 302


@pytest.fixture
def sent(client, cast):
    """Send a form of the settings from a page, signed out."""

    def go(came_from):
        headers = {"Referer": came_from} if came_from else {}
        return client.post(reverse("save-names", args=[cast.brand.pk]), {"name": "Late"}, headers=headers)

    return go


def test_who_was_signed_out_while_writing_is_told_so_and_comes_back_to_the_form(client, cast, sent):
    form = reverse("brand-settings", args=[cast.brand.pk])
    answer = sent(f"http://testserver{form}")
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('login')}?next={form}")
    assert "nothing was saved" in text_of(client.get(answer["Location"]))
    cast.brand.refresh_from_db()
    assert cast.brand.name != "Late"
    client.force_login(cast.owner)
    assert client.get(form).status_code == 200


def test_who_signs_out_has_not_lost_anything(client, cast):
    client.force_login(cast.owner)
    answer = client.post(reverse("logout"), follow=True)
    assert answer.redirect_chain == [(reverse("login"), 302)] and "saved" not in text_of(answer)


@pytest.mark.parametrize("page", ["", "https://evil.example/settings", "//evil.example/", "javascript:alert(1)"])
def test_no_other_site_says_where_the_sign_in_leads(sent, page):
    assert sent(page)["Location"] == f"{reverse('login')}?next=/"


def test_the_address_of_a_form_alone_shows_a_page_that_leads_on(client, cast):
    client.force_login(cast.owner)
    answer = client.get(reverse("save-names", args=[cast.brand.pk]))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "Nothing was changed." in text_of(answer) and 'href="/"' in answer.content.decode()

"""A page that renews a part of itself says so in its place when its person is signed out meanwhile."""

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse

from tests.factories import RunFactory

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

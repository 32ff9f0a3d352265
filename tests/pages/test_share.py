"""The overview for people without an account: what opens with a link, and what does not."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apikeys.accounts.caller import Caller
from brands.models import ShareLink
from brands.sharing import share
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from tests.pages.test_pages import SCRIPT
from tests.people.browser import Browser, text_of
from visibility.models import Topic

pytestmark = pytest.mark.django_db
NOT_ON_IT = ("What to do first", "Prompts</a>", "Settings", "Sign out", "Share</a>", "<form", "csrf", "@example.com")


def address_of(brand, filters="", **changes):
    """The address of a new link of the owner."""
    link, token = share(Caller.from_user(brand.owner), brand_id=brand.pk, link_id=uuid4(), filters=filters)
    ShareLink.objects.filter(pk=link.pk).update(**changes)
    return reverse("shared", args=[token])


def test_anybody_who_has_the_link_sees_the_overview_and_nothing_to_act_on(brand):
    page = Client().get(address_of(brand))
    html = page.content.decode()
    assert page.status_code == 200 and html.count("<h1") == 1
    assert "Mentions by topic" in html and "How you stand" in html and "Velmora" in html
    for words in NOT_ON_IT:
        assert words not in html, words
    assert re.findall(r"<script.*?</script>", html, re.DOTALL) == [SCRIPT]


def test_every_link_on_the_page_stays_with_the_link(brand):
    address = address_of(brand)
    html = Client().get(address).content.decode()
    targets = set(re.findall(r'<a[^>]*href="([^"#]+)"', html))
    assert targets == {address, f"{address}/chart.png", f"{address}/method"}
    for target in targets:
        answer = Client().get(target)
        assert answer.status_code == 200
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert "no-store" in answer["Cache-Control"]
        assert answer["Referrer-Policy"] == "no-referrer"
        assert not answer.cookies


def test_the_page_itself_refuses_search_engines(brand):
    assert '<meta name="robots" content="noindex, nofollow">' in Client().get(address_of(brand)).content.decode()


def test_the_same_page_is_shown_to_people_with_an_account(brand):
    address = address_of(brand)
    stranger = Browser(UserFactory()).open(address)
    assert stranger.content == Client().get(address).content
    assert Browser(UserFactory()).open(reverse("brand", args=[brand.pk]), status=404)


def answer_of(address):
    """Status, body and headers of an address, without what differs from request to request."""
    answer = Client().get(address)
    headers = {name: value for name, value in answer.items() if name != "X-Request-ID"}
    return answer.status_code, answer.content, headers


@pytest.mark.parametrize("page", ["", "/chart.png", "/method"])
def test_unknown_expired_and_ended_links_answer_with_the_same_bytes(brand, page):
    unknown = answer_of(reverse("shared", args=["x" * 43]) + page)
    expired = address_of(brand, created_at=timezone.now() - timedelta(days=30))
    ended = address_of(brand)
    ShareLink.objects.latest("created_at").delete()
    brand.owner.is_active = False
    orphaned = address_of(brand)
    brand.owner.save(update_fields=["is_active"])
    assert unknown[0] == 404
    assert [answer_of(each + page) for each in (expired, ended, orphaned)] == [unknown] * 3


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_nothing_is_changed_by_a_link(brand, method):
    assert getattr(Client(), method)(address_of(brand)).status_code == 405


def test_no_page_of_the_brand_opens_after_a_link(brand):
    client = Client()
    client.get(address_of(brand))
    for name in ("brand", "brand-settings", "brand-prompts", "brand-chart", "brand-share"):
        assert client.get(reverse(name, args=[brand.pk])).status_code == 302


def test_a_link_shows_the_filters_it_was_made_with_and_no_others(brand):
    topic = Topic.objects.get(brand=brand, name="doors")
    address = address_of(brand, f"topic={topic.pk}&period=all")
    answer = Client().get(address)
    assert "Mentioned · doors · all days" in text_of(answer) and "boats" not in answer.content.decode()
    assert Client().get(f"{address}?topic=&period=14").content == answer.content


def test_a_link_to_a_topic_that_is_gone_does_not_show_the_whole(brand):
    address = address_of(brand, f"topic={uuid4()}")
    assert Client().get(address).status_code == 404


def test_a_brand_without_a_measured_day_can_be_shared():
    answer = Client().get(address_of(BrandFactory()))
    assert answer.status_code == 200 and "Nothing is measured yet" in text_of(answer)


def test_an_editor_makes_a_link_which_is_shown_once_and_ends_it(brand, settings):
    settings.PUBLIC_URL = "https://bvs.example"
    browser = Browser(CollaboratorFactory(brand=brand, role="editor").user)
    overview = browser.open(f"{reverse('brand', args=[brand.pk])}?period=14&figure=voice").content.decode()
    page = re.search(r'class="pick" href="([^"]+)">Share', overview)[1].replace("&amp;", "&")
    assert "It shows: Share of voice · 2 weeks." in text_of(browser.open(page))
    form = browser.form(page)
    made = browser.client.post(page, form)
    address = re.search(r"https://bvs.example(/shared/[\w-]{43})", made.content.decode())[1]
    assert "no-store" in made["Cache-Control"]
    assert "not used yet" in text_of(made)
    assert "Share of voice · 2 weeks" in text_of(Client().get(address))
    again = browser.client.post(page, form, follow=True)
    assert "has made its link already" in text_of(again) and ShareLink.objects.count() == 1
    listed = browser.open(page)
    assert address not in listed.content.decode() and "last used today" in text_of(listed)
    end = {"csrfmiddlewaretoken": form["csrfmiddlewaretoken"], "id": str(ShareLink.objects.get().pk)}
    ended = browser.client.post(reverse("brand-end-link", args=[brand.pk]), end, follow=True)
    assert "It opens nothing any more." in text_of(ended)
    assert Client().get(address).status_code == 404


def test_who_may_only_look_sees_who_shares_and_cannot(brand):
    address_of(brand)
    browser = Browser(CollaboratorFactory(brand=brand, role="viewer").user)
    page = reverse("brand-share", args=[brand.pk])
    shown = browser.open(page)
    assert brand.owner.email in text_of(shown)
    assert "Make a link</button>" not in shown.content.decode() and "/do/end-link" not in shown.content.decode()
    token = browser.client.cookies["csrftoken"].value
    browser.client.post(page, {"csrfmiddlewaretoken": token, "id": str(uuid4())})
    assert ShareLink.objects.count() == 1
    Browser(UserFactory()).open(page, status=404)


def test_a_link_that_opens_nothing_says_why_in_the_list(brand):
    address_of(brand, made_by=UserFactory())
    page = Browser(brand.owner).open(reverse("brand-share", args=[brand.pk]))
    assert "opens nothing: expired, or who made it may no longer share" in text_of(page)

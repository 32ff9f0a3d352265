"""The letter as a page, and the form by which people choose their mails."""

import re

import pytest
from django.urls import reverse

from apikeys.mail.choices import wants
from apikeys.models import MailPreference, User
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from tests.letters.conftest import subscribed
from tests.pages.test_pages import client_of
from tests.people.browser import Browser, text_of
from visibility.letters.schedule import subscribed_to

pytestmark = pytest.mark.django_db
FIELDS = {"weekday": "4", "hour": "17", "zone": "Europe/Berlin", "language": "de", "alert": ["scan"]}


def send(person, **changes):
    return client_of(person).post(reverse("account-mail"), {**FIELDS, **changes}, follow=True)


def test_a_viewer_reads_the_letter_and_may_print_it(brand, monday):
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    page = Browser(viewer).open(reverse("brand-letter", args=[brand.pk]))
    assert "Letter: 5 to 11 Jan 2026" in text_of(page) and "Nothing happened" in text_of(page)
    assert 'class="take"' in page.content.decode() and 'class="chart trend"' in page.content.decode()
    assert reverse("brand-share", args=[brand.pk]) not in page.content.decode()


def test_who_may_not_see_the_brand_sees_no_letter(brand):
    Browser(UserFactory()).open(reverse("brand-letter", args=[brand.pk]), status=404)


def test_each_sentence_links_to_a_page_that_opens(brand, monday):
    client = client_of(brand.owner)
    page = client.get(reverse("brand-letter", args=[brand.pk])).content.decode()
    links = re.findall(r'<p><a href="([^"]+)">', page)
    assert links and {client.get(each).status_code for each in links} == {200}


def test_what_is_ticked_comes_and_the_rest_is_ended(brand, letterbox):
    other = BrandFactory(owner=brand.owner)
    subscribed(brand.owner, other)
    page = send(brand.owner, letter=[str(brand.pk)])
    assert "Saved." in text_of(page) or "Gespeichert." in text_of(page)
    assert subscribed_to(brand.owner) == {brand.pk}
    assert wants(brand.owner, "alert:scan", default=True) and not wants(brand.owner, "alert:key", default=True)
    preference = MailPreference.objects.get()
    assert (preference.weekday, preference.hour, preference.zone) == (4, 17, "Europe/Berlin")
    assert preference.next_letter_at is not None


def test_who_has_not_confirmed_the_address_learns_that_nothing_comes(brand, letterbox):
    User.objects.update(has_confirmed_address=False)
    assert "Nothing comes before your address is confirmed" in text_of(send(brand.owner, letter=[str(brand.pk)]))


def test_the_form_shows_what_was_chosen(brand, letterbox):
    send(brand.owner, letter=[str(brand.pk)])
    fields = Browser(brand.owner).form(reverse("account"))
    assert (fields["letter"], fields["alert"], fields["zone"]) == ([str(brand.pk)], ["scan"], ["Europe/Berlin"])


@pytest.mark.parametrize(
    "wrong", [{"zone": "Moon/Base"}, {"weekday": "7"}, {"hour": "x"}, {"language": "xx"}, {"letter": ["x\0"]}]
)
def test_what_the_form_does_not_offer_changes_nothing(brand, letterbox, wrong):
    assert send(brand.owner, **wrong).status_code == 200
    assert not MailPreference.objects.exists()


def test_a_brand_of_others_cannot_be_chosen(brand, letterbox):
    stranger = UserFactory()
    send(stranger, letter=[str(brand.pk)])
    assert subscribed_to(stranger) == set()


def test_alerts_of_operators_are_offered_to_them_alone(brand, letterbox):
    own, staff = (
        text_of(Browser(person).open(reverse("account"))) for person in (brand.owner, UserFactory(is_staff=True))
    )
    assert "The last backup is old" in staff and "The last backup is old" not in own


def test_where_no_mail_leaves_there_is_no_form(brand):
    assert "Tell me at once" not in text_of(Browser(brand.owner).open(reverse("account")))
    assert send(brand.owner).status_code == 404


@pytest.mark.parametrize("page", ["account", "brand-letter"])
def test_pages_speak_german(brand, letterbox, monday, page):
    address = reverse(page, args=[brand.pk] if page == "brand-letter" else [])
    text = text_of(client_of(brand.owner).get(address, headers={"Accept-Language": "de"}))
    assert ("Jede Woche ein Brief zu" if page == "account" else "Nichts geschehen") in text

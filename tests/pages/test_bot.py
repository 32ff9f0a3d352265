"""The page that explains the crawler: open to anyone, and true."""

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_anyone_may_read_who_visits_and_how_to_bar_it(client, settings):
    settings.AUDIT_USER_AGENT = "AcmeBot/2.1 (+https://service.acme.com/bot)"
    page = client.get("/bot")
    text = page.content.decode()
    assert (page.status_code, reverse("bot")) == (200, "/bot")
    assert "<code>AcmeBot/2.1 (+https://service.acme.com/bot)</code>" in text
    assert "User-agent: AcmeBot\nDisallow: /" in text
    assert "at most 50 pages" in text


@pytest.mark.parametrize(
    ("contact", "words"),
    [
        ("bots@acme.com", "Questions and complaints: bots@acme.com"),
        ("", "whoever runs the service at <code>testserver"),
    ],
)
def test_it_names_whom_to_ask(client, settings, contact, words):
    settings.AUDIT_CONTACT = contact
    assert words in client.get("/bot").content.decode()


def test_it_takes_no_other_methods(client):
    assert client.post("/bot").status_code == 405

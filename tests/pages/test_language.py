"""Pages speak the language of their reader; files and every other door speak English."""

import pytest
from django.urls import reverse

from tests.factories import UserFactory
from tests.pages.test_pages import client_of
from visibility.recommendations.advise import recommend

pytestmark = pytest.mark.django_db
GERMAN = {"Accept-Language": "de-DE,de;q=0.9,en;q=0.5"}


@pytest.fixture
def brand(brand, settings):
    settings.CITED_PAGES_PER_WEEK = 0
    recommend(brand)
    return brand


@pytest.fixture
def reader(brand):
    return client_of(brand.owner)


@pytest.mark.parametrize(
    ("language", "heading"),
    [("", "Your account"), ("fr", "Your account"), ("de", "Ihr Konto"), ("de-AT", "Ihr Konto")],
)
def test_a_page_speaks_the_language_of_the_browser(reader, language, heading):
    page = reader.get(reverse("account"), headers={"Accept-Language": language}).content.decode()
    assert f"<h1>{heading}</h1>" in page


def test_a_chosen_language_is_that_of_every_page(reader):
    reader.post(
        reverse("language"), {"language": "de", "next": reverse("account")}, headers={"Accept-Language": "en"}
    )
    page = reader.get(reverse("method"), headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="de">' in page
    assert "Wie gemessen wird" in page


@pytest.mark.parametrize("name", ["sign-in", "password"])
def test_the_way_in_speaks_german(client, reader, name):
    page = (client if name == "sign-in" else reader).get(reverse(name), headers=GERMAN).content.decode()
    assert "Passwort" in page


def test_an_error_speaks_german(reader):
    page = reader.get("/nowhere", headers=GERMAN)
    assert page.status_code == 404
    assert "Nicht gefunden" in page.content.decode()


def test_the_sentences_of_python_and_the_numbers_of_a_page_are_german(reader, brand):
    page = reader.get(reverse("brand-todo", args=[brand.pk]), headers=GERMAN).content.decode()
    assert "Aufgaben" in page
    assert " answers" not in page


@pytest.mark.parametrize("table", ["brand-todo", "brand-prompts", "brand-history", "brand-answers"])
def test_files_are_the_same_in_every_language(reader, brand, table):
    address = f"{reverse(table, args=[brand.pk])}?format=csv"
    assert reader.get(address, headers=GERMAN).content == reader.get(address).content


def test_the_admin_speaks_english():
    page = (
        client_of(UserFactory(is_staff=True, is_superuser=True))
        .get(reverse("admin:index"), headers=GERMAN)
        .content.decode()
    )
    assert '<html lang="en"' in page


@pytest.mark.parametrize("address", ["/api/v1/sites", "/mcp"])
def test_the_doors_of_programs_speak_english(client, address):
    assert client.get(address, headers=GERMAN).content == client.get(address).content

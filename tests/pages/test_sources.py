"""The pages that answers cite, over all sites and of one, with how often the brand is mentioned there."""

import io
import json
import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from apikeys.accounts.operators import system_caller
from tests.factories import UserFactory
from tests.once import made_once
from tests.people.browser import Browser, text_of
from visibility.counts.reader import select_now
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Citation, CitedPage
from visibility.sources.pages import cited_pages

GUIDE, TEST, SHOP = "https://guide.example/locks", "https://tests.example/a", "https://kryton.example/shop"
ANSWERS = (("Kryton wins.", [GUIDE, TEST]), ("Velmora wins.", [GUIDE]), ("Kryton, too.", [GUIDE, SHOP]))

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    lines = [
        {
            "prompt": f"which lock, wish {number}?",
            "topic": "doors",
            "engine": "chatgpt",
            "text": text,
            "citations": cited,
            "time": "2026-01-01T10:00:00Z",
        }
        for number, (text, cited) in enumerate(ANSWERS)
    ]
    file = io.StringIO("\n".join(map(json.dumps, lines)))
    with made_once(django_db_blocker):
        new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Velmora", "velmora.example")])
        yield import_answers(system_caller("command:test"), brand=new, file=file).brand.pk


def shown(brand, **query):
    address = reverse("brand-sources", args=[brand.pk])
    return Browser(brand.owner).client.get(address, query)


def test_pages_of_all_sites_are_listed_by_how_often_they_are_cited(brand):
    pages = cited_pages(select_now(brand))
    assert [(each.url, each.answers, each.naming) for each in pages] == [(GUIDE, 3, 2), (SHOP, 1, 1), (TEST, 1, 1)]


def test_the_page_says_in_how_many_of_the_answers_you_are_mentioned(brand):
    words = text_of(shown(brand))
    assert "Pages of all sites" in words and "you are mentioned in 2 of 3 answers" in words


def test_a_chosen_site_has_its_own_pages_alone_and_a_way_back(brand):
    html = shown(brand, site="tests.example").content.decode()
    listed = html[html.index('id="pages"') :]
    assert TEST in listed and GUIDE not in listed and "Pages of all sites</a>" in listed


def test_a_kind_filters_the_pages_of_all_sites(brand):
    html = shown(brand, kind="own").content.decode()
    listed = html[html.index('id="pages"') :]
    assert SHOP in listed and GUIDE not in listed


def test_pages_are_not_called_unread_while_none_is_read(brand):
    assert "not read yet" not in text_of(shown(brand))


def test_pages_are_called_unread_beside_others_that_are_read(brand):
    _read(brand, TEST)
    words = text_of(shown(brand))
    assert len(re.findall("not read yet", words)) == 1 and "page does not mention you" in words


def test_a_page_whose_answers_all_mention_you_need_not_be_read(brand):
    _read(brand, GUIDE)
    assert "not read yet" not in text_of(shown(brand))


def _read(brand, url):
    digest = bytes(Citation.objects.filter(url=url).first().digest)
    read_at = datetime(2026, 1, 2, tzinfo=UTC)
    CitedPage.objects.create(brand=brand, digest=digest, url=url, read_at=read_at, names_brand=False)

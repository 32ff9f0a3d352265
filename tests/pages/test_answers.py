"""The page of a prompt: its answer beside the sources that the answer cites."""

import io
import json
import re

import pytest
from django.urls import reverse

from apikeys.accounts.operators import system_caller
from tests.factories import UserFactory
from tests.people.browser import Browser
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Prompt

pytestmark = pytest.mark.django_db
TEXT = """Kryton wins ([The Verge][1], [Tests][2]). See [the shop][3].

[1]: https://theverge.example/locks?utm_source=chatgpt.com "The best locks"
[2]: https://tests.example/bikes
[3]: https://uncited.example/
"""
CITED = ("https://shop.example/first", "https://tests.example/bikes", "https://theverge.example/locks")


@pytest.fixture
def html():
    """The page of an answer whose numbers are others than those of the sources that its engine gave."""
    line = {"prompt": "which lock?", "topic": "doors", "engine": "chatgpt", "text": TEXT, "citations": CITED}
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Velmora", "velmora.example")])
    file = io.StringIO(json.dumps({**line, "time": "2026-01-01T10:00:00Z"}))
    brand = import_answers(system_caller("command:test"), brand=new, file=file).brand
    prompt = Prompt.objects.get(brand=brand)
    return Browser(brand.owner).open(reverse("brand-prompt", args=[brand.pk, prompt.pk])).content.decode()


def test_the_numbers_of_an_answer_lead_to_the_sources_that_it_defines(html):
    listed = re.findall(r'<li id="s(\d)">.*?<a href="([^"]*)"', html)
    assert dict(listed) == {str(place): url for place, url in enumerate(CITED, start=1)}
    said = re.search(r'<div class="said">(.*?)</div>', html, re.DOTALL)[1]
    links = re.findall(r'(Verge|Tests) <a class="ref" href="#s(\d)"', said)
    assert [(words, dict(listed)[place]) for words, place in links] == [("Verge", CITED[2]), ("Tests", CITED[1])]


def test_lines_that_define_sources_are_in_the_raw_text_only(html):
    said, raw = re.search(r'<div class="said">(.*?)</div>.*?<pre>(.*?)</pre>', html, re.DOTALL).groups()
    assert "utm_source" not in said and "]:" not in said and "See the shop" in said
    assert "[1]: https://theverge.example/locks?utm_source=chatgpt.com" in raw

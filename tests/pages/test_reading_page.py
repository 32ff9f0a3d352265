"""The page of what answers say: findings with quotes, the prompt to copy and its reply, the switch with its cost."""

import csv
import html
import io
import json
import re

import pytest
from django.urls import reverse

from tests.engines.writer import scripted_writer
from tests.factories import CollaboratorFactory, UserFactory
from tests.people.browser import Browser, text_of
from tests.reading.making import replied, row
from visibility.models import Reading, Review, Topic

pytestmark = pytest.mark.django_db


def page(brand, topic="doors"):
    key = "reviews" if topic is None else Topic.objects.get(brand=brand, name=topic).pk
    return f"{reverse('brand-reading', args=[brand.pk])}?topic={key}"


def post(user, brand, form, topic="doors", **values):
    """Send a form of the page; the page that follows, as text."""
    browser = Browser(user)
    token = browser.form(page(brand, topic))["csrfmiddlewaretoken"]
    key = "reviews" if topic is None else Topic.objects.get(brand=brand, name=topic).pk
    values = {"csrfmiddlewaretoken": token, "topic": key, **values}
    return text_of(browser.client.post(reverse(form, args=[brand.pk]), values, follow=True))


def reply(*quotes, answer="a1"):
    return json.dumps(replied(*(row(answer, value=quote.split()[-1], quote=quote) for quote in quotes)))


def test_the_prompt_of_a_topic_is_there_to_copy_with_its_answers(brand):
    found = Browser(brand.owner).open(page(brand)).content.decode()
    task = html.unescape(re.search(r'<textarea class="copy"[^>]*>(.*?)</textarea>', found, re.DOTALL)[1])
    assert task.startswith("Below are passages of answers") and "Kryton is best." in task
    assert "Nobody has read it yet." in text_of(Browser(brand.owner).open(page(brand)))


def test_a_reply_is_pasted_and_its_findings_are_shown_with_a_quote_that_leads_to_the_answer(brand):
    words = post(brand.owner, brand, "brand-take-reading", text=reply("Kryton is best"))
    assert "1 row kept, 0 refused." in words and "1 row kept, 0 refused. " in words
    assert "1 in fewer than three answers, by one engine" in words and "“Kryton is best”" in words
    assert "by somebody’s assistant: 2 answers, 1 row kept, 0 refused" in words
    shown = Browser(brand.owner).open(page(brand)).content.decode()
    answer = Reading.objects.get().statements.get().answer
    assert f"{reverse('brand-prompt', args=[brand.pk, answer.prompt_id])}?answer={answer.pk}" in shown


def test_refused_rows_are_counted_and_the_first_five_named_with_their_reason(brand):
    words = post(brand.owner, brand, "brand-take-reading", text=reply("Kryton is best", *["Kryton is bad"] * 7))
    assert "1 row kept, 7 refused." in words
    assert words.count("a1 “bad”: the quote is not in that text") == 5 and "text; …" in words


def test_what_is_no_reply_is_refused_with_a_word(brand):
    assert "This is no reply" in post(brand.owner, brand, "brand-take-reading", text="Sure!")


@pytest.mark.parametrize("size", [1_000_001, 5_000_000])
def test_a_paste_of_any_size_is_refused_and_nothing_fails(brand, size):
    browser = Browser(brand.owner)
    browser.client.raise_request_exception = False
    fields = {**browser.form(page(brand)), "topic": "reviews", "text": "{" * size}
    answer = browser.client.post(reverse("brand-take-reading", args=[brand.pk]), fields, follow=True)
    assert answer.status_code < 500 and not Reading.objects.exists()


def test_what_was_read_stays_in_sight_where_nothing_of_now_is_on_the_topic(brand):
    post(brand.owner, brand, "brand-take-reading", text=reply("Kryton is best"))
    Topic.objects.filter(brand=brand, name="doors").update(own=False)
    words = text_of(Browser(brand.owner).open(page(brand)))
    assert "“Kryton is best”" in words and "Read it with an assistant" not in words


def test_reviews_are_read_on_the_same_page(brand):
    Review.objects.create(brand=brand, digest=b"1", text="The lock froze.", stars=1)
    words = post(brand.owner, brand, "brand-take-reading", None, text=reply("The lock froze", answer="r1"))
    assert "1 row kept" in words and "1 of 1" in words and "1 of 5 stars" in words


def test_reading_is_switched_with_its_cost_before_ones_eyes(brand, monkeypatch):
    with scripted_writer(monkeypatch, []):
        words = text_of(Browser(brand.owner).open(page(brand)))
        assert "scribe would be asked 4 times a week, some 17 a month" in words
        assert "Its price is not known" in words and "Switch on" in words
        assert "once a week from now on" in post(brand.owner, brand, "brand-switch-reading", verb="on")
        brand.refresh_from_db()
        assert brand.is_read
        assert "Reading has begun." in post(brand.owner, brand, "brand-read")
        assert "read no more" in post(brand.owner, brand, "brand-switch-reading", verb="off")


def test_without_an_engine_one_reads_with_an_assistant(brand):
    words = text_of(Browser(brand.owner).open(page(brand)))
    assert "An assistant of your own can read instead." in words and "Switch on" not in words


def test_who_may_only_look_sees_findings_and_no_form(brand):
    post(brand.owner, brand, "brand-take-reading", text=reply("Kryton is best"))
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    found = Browser(viewer).open(page(brand)).content.decode()
    assert "Kryton is best" in found and "/do/" not in found and "textarea" not in found
    Browser(UserFactory()).open(page(brand), status=404)


def test_findings_go_out_as_a_table(brand):
    post(brand.owner, brand, "brand-take-reading", text=reply("Kryton is best"))
    answer = Browser(brand.owner).open(f"{page(brand)}&format=csv&table=readings")
    [row] = csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig")))
    assert list(row.values()) == ["doors", "You", "reason", "best", "1", "2", "chatgpt", "Kryton is best"]

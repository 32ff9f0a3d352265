"""Markets and answers that were not shown, as pages have them."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.counts.conftest import add, asked, measured
from tests.pages.test_share import address_of
from tests.people.browser import Browser, text_of
from visibility.models import Answer, Prompt

pytestmark = pytest.mark.django_db
YES = ("Kryton",) * 4
PAGES = ("brand", "brand-history", "brand-prompts", "brand-competitors", "brand-sources", "brand-answers")


@pytest.fixture
def two_markets():
    """The same wordings for Austria, where all answers name the brand, and for the United States, where none does."""
    days = (1, 2)
    return measured(
        *(asked("chatgpt", day, *YES, locale="de-AT") for day in days),
        *(asked("chatgpt", day, locale="en-US") for day in days),
    )


@pytest.fixture
def overviews():
    """Ten overviews of which four are shown, beside an engine that always answers."""
    lines = list(asked("google_ai_overview", 1, "Kryton", "Kryton", of=10))
    hidden = [{**line, "text": "", "absent": True} for line in lines[4:]]
    return measured(lines[:4], hidden, asked("chatgpt", 1, "Kryton", of=10))


def page_of(brand, page, query="", *rest):
    return Browser(brand.owner).open(f"{reverse(page, args=[brand.pk, *rest])}?{query}")


@pytest.mark.parametrize("page", PAGES)
def test_a_brand_with_two_markets_has_a_filter_for_them(two_markets, page):
    html = page_of(two_markets, page).content.decode()
    form = re.search(r'<form class="bar.*?</form>', html, re.DOTALL)[0]
    offered = re.search(r'<select name="market".*?</select>', form, re.DOTALL)[0]
    assert re.findall(r">([^<>]+)</option>", offered) == [
        "All markets",
        "Austria (German)",
        "United States (English)",
    ]


@pytest.mark.parametrize("page", PAGES)
def test_a_brand_with_one_market_has_none(page):
    brand = measured(asked("chatgpt", 1, *YES, locale="de-AT"))
    assert 'name="market"' not in page_of(brand, page).content.decode()


@pytest.mark.parametrize(
    ("query", "score", "base"),
    [("", "50 %", "8 of 16"), ("market=de-AT", "100 %", "8 of 8"), ("market=en-US", "0 %", "0 of 8")],
)
def test_figures_are_of_the_chosen_market(two_markets, query, score, base):
    text = text_of(page_of(two_markets, "brand", query))
    assert f"AI answers mention you in {score}" in text and f"{base} answers" in text
    assert ("all markets together: Austria (German), United States (English)" in text) is (query == "")


def test_a_chosen_market_goes_along_to_other_pages(two_markets):
    html = page_of(two_markets, "brand", "market=de-AT").content.decode()
    menu = re.search(r'<nav aria-label="Pages">.*?</nav>', html, re.DOTALL)[0]
    assert menu.count("market=de-AT") == 9
    assert re.search(r'<a href="[^"]*market=de-AT[^"]*"><p class="big">', html)


def test_a_link_without_an_account_has_its_market(two_markets):
    assert "United States (English)" in Client().get(address_of(two_markets, "market=en-US")).content.decode()


def test_a_link_to_a_market_that_there_is_not_shows_nothing(two_markets):
    assert Client().get(address_of(two_markets, "market=fr-FR")).status_code == 404


def test_the_list_of_prompts_and_the_answers_are_of_the_chosen_market(two_markets):
    assert "8 mention you" in text_of(page_of(two_markets, "brand-answers", "market=de-AT"))
    text = text_of(page_of(two_markets, "brand-prompts", "market=en-US&show=missing"))
    assert "No answer mentions you on 4 of 4 prompts" in text


def test_an_engine_says_for_how_many_prompts_an_answer_was_shown(overviews):
    text = text_of(page_of(overviews, "brand"))
    assert "2 of 4 shown for 4 of 10 prompts" in text
    assert "Google AI Overviews 2 of 4 (shown for 4 of 10 prompts)" in text


def test_askings_without_an_answer_are_listed_by_a_filter(overviews):
    listed = text_of(page_of(overviews, "brand-answers", "stance=not_shown"))
    assert "6 times a prompt was asked and no AI answer was shown." in listed
    assert listed.count("no AI answer shown") == 6
    table = page_of(overviews, "brand-answers", "stance=not_shown&format=csv&table=answers")
    rows = list(csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"))))
    assert [row["says"] for row in rows] == ["not shown"] * 6
    assert "14 answers" in text_of(page_of(overviews, "brand-answers"))


def test_a_prompt_says_how_often_an_answer_was_shown_and_is_no_new_one(overviews):
    add(overviews, [{**next(asked("google_ai_overview", 1)), "prompt": "Any lock?", "text": "", "absent": True}])
    text = text_of(page_of(overviews, "brand-prompts", "show=all"))
    assert text.count("AI answer shown 1 of 2 times") == 6
    assert "Any lock? AI answer shown 0 of 1 times" in text
    alone = text_of(page_of(overviews, "brand-prompt", "", Prompt.objects.get(text="Any lock?").pk))
    assert "It was asked 1 time, and no AI answer was shown." in alone


def test_an_answer_for_another_country_is_shown_as_such(two_markets):
    answer = Answer.objects.filter(market="de-AT").first()
    Answer.objects.filter(pk=answer.pk).update(country="DE")
    text = text_of(page_of(two_markets, "brand-prompt", f"answer={answer.pk}", answer.prompt_id))
    assert "asked for Austria (German)" in text
    assert "says that this answer is for Germany. It was asked for another country, so it counts for neither" in text

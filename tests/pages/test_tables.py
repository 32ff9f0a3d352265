"""Every table of a page as CSV: the rows that the page shows with its filters, and no cell that spreadsheets run."""

import csv
import io
import re

import pytest
from django.urls import reverse

from tests.factories import RecommendationFactory
from tests.pages.worlds import FORMULA
from tests.people.browser import Browser, text_of
from visibility.models import Prompt, Topic

pytestmark = pytest.mark.django_db


def rows_of(answer):
    """The rows of a CSV file, by column."""
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="kryton-[a-z-_]+\.csv"', answer["Content-Disposition"])
    text = answer.content.decode("utf-8-sig")
    for row in csv.reader(io.StringIO(text, newline="")):
        for value in row:
            assert not re.match(r"[=+@\t\r]|-(?!\d+(\.\d+)?$)", value), value
    return list(csv.DictReader(io.StringIO(text, newline="")))


def links_to_tables(answer):
    return [
        link.replace("&amp;", "&") for link in re.findall(r'href="(\?[^"]*format=csv[^"]*)"', answer.content.decode())
    ]


def test_all_tables_that_pages_offer_can_be_read_and_run_nothing(brand):
    browser = Browser(brand.owner)
    row = RecommendationFactory(brand=brand, subject="=1+1", evidence=[{"kind": "page", "text": "@SUM(1)"}])
    prompt = Prompt.objects.filter(brand=brand).first()
    pages = [reverse(f"brand-{name}", args=[brand.pk]) for name in ("todo", "prompts", "competitors", "audit")]
    pages += [reverse("brand-sources", args=[brand.pk]) + "?site=tests.example"]
    pages += [
        reverse("brand-todo-item", args=[brand.pk, row.pk]),
        reverse("brand-prompt", args=[brand.pk, prompt.pk]),
    ]
    names = set()
    for page in pages:
        for link in links_to_tables(browser.open(page)):
            names.add(re.search(r"table=([a-z-]+)", link)[1])
            rows_of(browser.open(page.partition("?")[0] + link))
    assert {"to-do", "evidence", "prompts", "answers", "standing", "head-to-head", "sites", "pages"} <= names


def test_a_table_has_the_rows_of_the_filters_in_its_address(brand):
    browser, page = Browser(brand.owner), reverse("brand-prompts", args=[brand.pk])
    lost = rows_of(browser.open(f"{page}?show=lost&format=csv"))
    assert {row["topic"] for row in lost} == {"'+bikes"}
    assert all(
        row["prompt"].startswith(f"'{FORMULA}") and row["you"] == "0" and row["Velmora"] == "1" for row in lost
    )
    assert lost[0]["last mention within four weeks"] == "2026-01-01"
    assert len(rows_of(browser.open(f"{page}?show=missing&format=csv"))) == 6
    boats = Topic.objects.get(brand=brand, name="boats")
    assert len(rows_of(browser.open(f"{page}?show=missing&topic={boats.pk}&format=csv"))) == 2
    link = next(iter(links_to_tables(browser.open(f"{page}?show=all&topic={boats.pk}"))))
    assert len(rows_of(browser.open(page + link))) == 2
    sites = reverse("brand-sources", args=[brand.pk])
    assert [row["site"] for row in rows_of(browser.open(f"{sites}?kind=own&format=csv"))] == ["kryton.example"]


def test_unknown_filters_show_the_whole_and_break_nothing(brand):
    browser, wrong = Browser(brand.owner), "show=%3Cb%3E&topic=no-uuid&page=x&status=%27&kind=%3Cb%3E&engine=x"
    for name in ("todo", "prompts", "competitors", "sources", "audit"):
        page = reverse(f"brand-{name}", args=[brand.pk])
        assert text_of(browser.open(f"{page}?{wrong}")) == text_of(browser.open(page))
    assert len(rows_of(browser.open(f"{page.replace('audit', 'prompts')}?format=csv&table=%0d%0ax"))) == 6


def test_a_prompt_page_shows_the_answer_as_text_and_links_no_script(brand):
    browser = Browser(brand.owner)
    prompt = Prompt.objects.filter(brand=brand, topic__name="<b>vans</b>").first()
    page = browser.open(reverse("brand-prompt", args=[brand.pk, prompt.pk]))
    html = page.content.decode()
    assert '<mark class="b1">Velmora</mark></b> is best. &lt;script&gt;alert(1)&lt;/script&gt;' in html
    assert "<script>" not in html and "<b>vans" not in html and 'href="javascript' not in html
    assert "0 of 1 answer mention you. 1 mentions Velmora." in text_of(page)
    old = prompt.answers.order_by("day").first()
    assert "chatgpt, 1 Jan" in text_of(browser.open(f"{page.wsgi_request.path}?answer={old.pk}")).lower().replace(
        "jan", "Jan"
    )
    for key in ("0", "x", "9" * 30, "²"):
        assert browser.open(f"{page.wsgi_request.path}?answer={key}").status_code == 200

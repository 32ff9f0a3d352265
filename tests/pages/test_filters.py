"""The filters of pages with figures: in the address, from page to page, on all figures and in their tables."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from brands.models import Competitor
from tests.factories import CollaboratorFactory
from tests.pages.test_share import address_of
from tests.people.browser import Browser, text_of
from visibility.models import DayNote, Topic
from visibility.pages.filters import Filters, offer_of

pytestmark = pytest.mark.django_db
PAGES = ("brand", "brand-history", "brand-prompts", "brand-competitors", "brand-sources", "brand-answers")


def html_of(brand, page, query=""):
    return Browser(brand.owner).open(f"{reverse(page, args=[brand.pk])}?{query}").content.decode()


def filters_of(brand, query=""):
    return Filters(Client().get(f"/?{query}").wsgi_request.GET, brand, offer_of(brand))


@pytest.mark.parametrize("page", PAGES)
def test_each_page_with_figures_has_each_filter(brand, page):
    form = re.search(r'<form class="bar.*?</form>', html_of(brand, page), re.DOTALL)[0]
    assert {"period", "from", "to", "topic", "engine"} <= set(re.findall(r'name="(\w+)"', form))
    assert "<button>Show</button>" in form


@pytest.mark.parametrize("page", [*PAGES, "brand-todo", "brand-more"])
def test_filters_go_along_with_the_menu(brand, page):
    menu = re.search(
        r'<nav aria-label="Pages">.*?</nav>', html_of(brand, page, "engine=chatgpt&period=14"), re.DOTALL
    )[0]
    links = re.findall(r'href="([^"]*)"', menu)
    assert len(links) == 9
    assert all(each.endswith("?period=14&amp;engine=chatgpt") for each in links)


def test_what_is_not_valid_counts_as_not_chosen(brand):
    filters = filters_of(brand, "period=9&from=x&to=2026-02-31&topic=x&engine=x&figure=x&vs=x&before=off")
    assert filters.query == "before=on" and filters.is_whole and filters.chosen_period == "42"


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("", "2025-12-02", "2026-01-12"),
        ("period=14", "2025-12-30", "2026-01-12"),
        ("period=all", "2026-01-01", "2026-01-12"),
        ("period=own&from=2026-01-03", "2026-01-03", "2026-01-12"),
        ("period=own&to=2026-01-05", "2026-01-01", "2026-01-05"),
        ("from=2026-01-03&to=2026-01-05", "2026-01-03", "2026-01-05"),
        ("period=14&from=2026-01-03", "2025-12-30", "2026-01-12"),
    ],
)
def test_a_period_ends_on_the_last_measured_day_or_has_own_dates(brand, query, first, last):
    assert tuple(map(str, filters_of(brand, query).span)) == (first, last)


def test_own_dates_that_end_before_they_begin_have_no_days(brand):
    assert filters_of(brand, "from=2026-01-05&to=2026-01-03").span is None
    assert "No measured day is in this period." in html_of(brand, "brand", "from=2026-01-05&to=2026-01-03")


def test_the_period_before_is_as_long(brand):
    filters = filters_of(brand, "from=2026-01-05&to=2026-01-07&before=on")
    assert tuple(map(str, filters.span_before)) == ("2026-01-02", "2026-01-04")
    assert filters_of(brand, "period=all&before=on").has_before is False


def test_figures_are_as_of_the_end_of_the_period(brand):
    assert "4 of 8 answers" in text_of_page(brand, "to=2026-01-01")
    assert "2 of 8 answers" in text_of_page(brand, "")


def text_of_page(brand, query):
    return text_of(Browser(brand.owner).open(f"{reverse('brand', args=[brand.pk])}?{query}"))


def test_a_figure_as_of_a_day_leads_to_the_answers_of_that_day(brand):
    link = re.search(r'<a href="([^"]*)"><p class="big">', html_of(brand, "brand", "to=2026-01-01"))[1]
    assert link.endswith("?on=2026-01-01&amp;stance=mentioned")
    answers = text_of(Browser(brand.owner).open(link.replace("&amp;", "&")))
    assert "4 of 8 answers mention you, 1 Jan 2026" in answers and "as counted on 1 Jan" in answers


@pytest.mark.parametrize("query", ["to=2026-01-01", "period=own&to=2026-01-03"])
def test_tables_have_the_filters_of_their_page(brand, query):
    reply = Browser(brand.owner).open(
        f"{reverse('brand-competitors', args=[brand.pk])}?{query}&format=csv&table=standing"
    )
    rows = csv.DictReader(io.StringIO(reply.content.decode("utf-8-sig")))
    assert {row["brand"]: row["score"] for row in rows} == {"Kryton": "50.0", "Velmora": "50.0"}


@pytest.mark.parametrize("query", ["period=all", "period=all&engine=chatgpt", "from=2025-12-01&to=2026-01-05"])
def test_the_line_of_a_competitor_ends_at_its_number_on_the_competitors_page(brand, query):
    velmora = Competitor.objects.get(brand=brand)
    page = html_of(brand, "brand", f"vs={velmora.pk}&{query}")
    rows = re.search(r"The chart as a table.*?</table>", page, re.DOTALL)[0]
    number = re.findall(r'<td class="num">(\d+) %</td>', rows)[1]
    standing = html_of(brand, "brand-competitors", query)
    assert re.search(rf"Velmora<small.*?>{number} %<small", standing, re.DOTALL)


def test_no_fourth_line_can_be_ticked(brand):
    for number in range(3):
        Competitor.objects.create(brand=brand, name=f"Rival {number}", domain=f"rival{number}.example")
    keys = [str(each.pk) for each in brand.competitors.order_by("name")]
    page = html_of(brand, "brand", "&".join(f"vs={key}" for key in keys[:3]))
    boxes = re.findall(r'<input type="checkbox" name="vs"[^>]*>', page)
    assert len(boxes) == 4
    assert ["checked" in box for box in boxes].count(True) == 3
    assert ["disabled" in box for box in boxes].count(True) == 1


def test_a_note_is_written_and_deleted_on_the_page_that_shows_it(brand):
    browser, address = Browser(brand.owner), f"{reverse('brand', args=[brand.pk])}?period=all"
    token = {"csrfmiddlewaretoken": browser.form(address)["csrfmiddlewaretoken"], "next": address}
    note = {**token, "day": "2026-01-05", "text": "<b>New</b> prices"}
    reply = browser.client.post(reverse("brand-add-note", args=[brand.pk]), note, follow=True)
    assert reply.redirect_chain[0][0] == address and "&lt;b&gt;New&lt;/b&gt; prices" in reply.content.decode()
    gone = {**token, "id": str(DayNote.objects.get().pk)}
    reply = browser.client.post(reverse("brand-delete-note", args=[brand.pk]), gone, follow=True)
    assert "New&lt;/b&gt;" not in reply.content.decode() and not DayNote.objects.exists()


@pytest.mark.parametrize(("day", "text"), [("2026-02-31", "x"), ("", "x"), ("2026-01-05", "")])
def test_a_note_without_a_day_or_words_is_refused_in_words(brand, day, text):
    browser, address = Browser(brand.owner), reverse("brand", args=[brand.pk])
    token = {"csrfmiddlewaretoken": browser.form(f"{address}?period=all")["csrfmiddlewaretoken"], "next": address}
    reply = browser.client.post(
        reverse("brand-add-note", args=[brand.pk]), {**token, "day": day, "text": text}, follow=True
    )
    assert 'class="card error"' in reply.content.decode() and not DayNote.objects.exists()


def test_who_may_only_look_sees_notes_and_cannot_write_them(brand):
    DayNote.objects.create(brand=brand, day="2026-01-05", text="New prices")
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    page = Browser(viewer).open(reverse("brand", args=[brand.pk])).content.decode()
    assert "New prices" in page and "do/add-note" not in page and "do/delete-note" not in page


def test_notes_are_not_for_people_without_an_account(brand):
    DayNote.objects.create(brand=brand, day="2026-01-05", text="New prices")
    assert "New prices" not in Client().get(address_of(brand)).content.decode()


def test_a_link_has_the_lines_that_were_ticked(brand):
    velmora = Competitor.objects.get(brand=brand)
    shared = Client().get(address_of(brand, filters_of(brand, f"vs={velmora.pk}").query)).content.decode()
    assert 'class="other b1"' in shared and "vs Velmora" in shared


def test_topics_of_others_are_chosen_on_prompts_alone(brand):
    Topic.objects.filter(brand=brand, name="doors").update(own=False)
    topic = Topic.objects.get(brand=brand, name="doors")
    assert f'value="{topic.pk}"' in html_of(brand, "brand-prompts")
    assert f'value="{topic.pk}"' not in html_of(brand, "brand")

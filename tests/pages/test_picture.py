"""The chart of the overview as PNG: for whom, of which filters, how large, and in which colours."""

import re
import struct

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from tests.pages.test_share import address_of
from tests.people.browser import Browser
from visibility.drawing import picture
from visibility.drawing.picture import STYLE, draw_picture, light_rules
from visibility.models import Topic

CHART = '<svg class="chart trend" height="240"><path class="line" d="M30 20L400 200"/></svg>'


def size_of(png):
    """Width and height of a PNG in pixels."""
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


def test_who_may_see_the_brand_gets_the_chart_twice_as_large(brand):
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    answer = Browser(viewer).open(reverse("brand-chart", args=[brand.pk]))
    assert (answer["Content-Type"], size_of(answer.content)) == ("image/png", (1360, 680))
    assert answer["Content-Disposition"] == 'inline; filename="kryton-score.png"'
    Browser(UserFactory()).open(reverse("brand-chart", args=[brand.pk]), status=404)


def test_whoever_has_a_link_gets_it_too(brand):
    answer = Client().get(address_of(brand) + "/chart.png")
    assert (answer["Content-Type"], size_of(answer.content)) == ("image/png", (1360, 680))


def test_the_page_links_to_the_picture_of_its_own_filters(brand, monkeypatch):
    drawn = []
    monkeypatch.setattr("visibility.pages.overview.draw_picture", lambda *given: drawn.append(given) or b"")
    topic, browser = Topic.objects.get(brand=brand, name="doors"), Browser(brand.owner)
    page = browser.open(
        f"{reverse('brand', args=[brand.pk])}?topic={topic.pk}&figure=voice&engine=chatgpt&period=all"
    )
    link = re.search(r'href="([^"]+)">PNG', page.content.decode())[1].replace("&amp;", "&")
    browser.open(link)
    [(chart, title, note)] = drawn
    assert chart in page.content.decode()
    assert title == ["Kryton", "Share of voice", "doors", "ChatGPT"]
    assert note == "1 to 12 Jan 2026 · of 2 answers"


def test_where_there_is_no_chart_there_is_no_picture(db):
    brand = BrandFactory()
    browser = Browser(brand.owner)
    assert "PNG" not in browser.open(reverse("brand", args=[brand.pk])).content.decode()
    browser.open(reverse("brand-chart", args=[brand.pk]), status=404)


def test_the_colours_are_the_light_ones_of_the_style_sheet():
    sheet = ":root{--me:light-dark(#123,#fff);--t1:12px}\n.chart .line{stroke:var(--me);font:500 var(--t1) X}"
    assert light_rules(sheet) == ".chart .line{stroke:#123;font:500 12 X}"


@pytest.mark.parametrize("left_out", ["var(", "light-dark", ":hover", "px", "@media", "650"])
def test_the_style_of_pictures_has_nothing_that_is_not_understood(left_out):
    assert left_out not in STYLE
    assert ".chart .line{fill:none;stroke:#2a5bd7" in STYLE


@pytest.mark.parametrize("name", ["<b>&amp;", "x" * 500, "Łódź Кириллица", "a\x0bb\x00c", "\u202eevil"])
def test_a_name_of_any_kind_is_drawn(name):
    assert size_of(draw_picture(CHART, [name, "Mentioned"], "of 3 answers")) == (1360, 680)


def test_fonts_of_the_machine_are_looked_for_only_where_ours_lacks_a_letter(monkeypatch):
    asked = []
    monkeypatch.setattr(picture, "svg_to_bytes", lambda **options: asked.append(options["skip_system_fonts"]) or b"")
    draw_picture(CHART, ["Café", "Mentioned"], "of 3 answers")
    draw_picture(CHART, ["Łódź", "Mentioned"], "of 3 answers")
    assert asked == [True, False]

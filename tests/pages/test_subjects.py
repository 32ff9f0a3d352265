"""Competitors on pages: the most mentioned first, also where only some fit, each in a colour of its own."""

import io
import itertools
import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from apikeys.accounts.operators import system_caller
from tests.factories import UserFactory
from tests.once import made_once
from tests.people.browser import Browser, text_of
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Prompt
from visibility.pages.subjects import HUES, subjects_of

RIVALS = ("Velmora", "Ostwin", "Brask", "Quilo", "Tarnby", "Zentra")
"""In the order in which they are added; each later one is mentioned more often."""
LEAST_CONTRAST = 3.0
"""Of graphics against what is behind them, WCAG 1.4.11."""
LEAST_DIFFERENCE = 0.08
"""Between two colours in OKLab."""

pytestmark = pytest.mark.django_db


def lines(day, *, is_turned=False):
    order = RIVALS[::-1] if is_turned else RIVALS
    for topic, engine, number in itertools.product(("doors", "bikes", "boats"), ("chatgpt", "gemini"), range(6)):
        names = ", ".join(f"**{name}**" for place, name in enumerate(order) if place >= number)
        yield json.dumps(
            {
                "prompt": f"which lock for {topic}?",
                "topic": topic,
                "engine": engine,
                "sample": number + 1,
                "text": f"Good ones: {names}.",
                "time": f"2026-01-{day:02}T10:00:00Z",
            }
        )


def added(brand, day, **options):
    """The brand with the answers of one more day."""
    file = io.StringIO("\n".join(lines(day, **options)))
    return import_answers(system_caller("command:test"), brand=brand, file=file).brand


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    competitors = [(name, f"{name.lower()}.example") for name in RIVALS]
    with made_once(django_db_blocker):
        yield added(NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=competitors), 1).pk


def columns_of(html, table):
    """The names over the columns of a table that begins with a column of that class."""
    head = re.search(rf'<table class="{table}">.*?</thead>', html, re.DOTALL)[0]
    names = re.findall(r'<th scope="col"(?: class="gap")?>(?:<i [^>]*></i>)?([^<]*)</th>', head)
    return names[1:]


def html_of(brand, name, *rest):
    return Browser(brand.owner).open(reverse(name, args=[brand.pk, *rest])).content.decode()


STRONGEST = list(RIVALS[::-1])


def test_the_head_to_head_has_the_four_that_answers_mention_most(brand):
    assert columns_of(html_of(brand, "brand-competitors"), "heat duel") == STRONGEST[:4]


def test_the_map_has_the_three_that_answers_mention_most(brand):
    assert columns_of(html_of(brand, "brand"), "heat")[:4] == ["You", *STRONGEST[:3]]


def test_the_table_of_prompts_has_the_three_that_answers_mention_most(brand):
    assert columns_of(html_of(brand, "brand-prompts"), "heat")[:4] == ["You", *STRONGEST[:3]]


def test_the_counts_above_an_answer_are_the_sums_of_its_table(brand):
    prompt = Prompt.objects.filter(brand=brand).first()
    html = html_of(brand, "brand-prompt", prompt.pk)
    assert columns_of(html, "heat") == ["You", *STRONGEST[:3]]
    body = re.search(r'<table class="heat">.*?<tbody>(.*?)</tbody>', html, re.DOTALL)[1]
    rows = [re.findall(r">(\d+) of (\d+)<", row) for row in body.split("</tr>") if "<td" in row]
    own, leader = (sum(int(row[place][0]) for row in rows) for place in (0, 1))
    answers = sum(int(row[0][1]) for row in rows)
    assert (own, leader, answers) == (0, 12, 12)
    assert f"{own} of {answers} answers mention you. {leader} mention {STRONGEST[0]}." in html


def test_a_colour_stays_with_its_brand_when_another_is_mentioned_most(brand):
    before = subjects_of(brand)
    added(brand.pk, 12, is_turned=True)
    after = subjects_of(brand)
    assert list(before.names.values()) == STRONGEST and list(after.names.values()) == list(RIVALS)
    assert before.hues == after.hues


def test_six_competitors_have_six_colours_on_every_page(brand):
    hues = {name: subjects_of(brand).hue(pk) for pk, name in subjects_of(brand).names.items()}
    assert len(set(hues.values())) == len(RIVALS)
    for page in ("brand", "brand-competitors"):
        dots = re.findall(r'<i class="dot (b\d+)"></i>([A-Z][a-z]+)', html_of(brand, page))
        assert dots and all(hues[name] == hue for hue, name in dots), page
    prompt = Prompt.objects.filter(brand=brand).first()
    marks = re.findall(r'<mark class="(\w+)">([A-Z][a-z]+)</mark>', html_of(brand, "brand-prompt", prompt.pk))
    assert marks and all(hues[name] == hue for hue, name in marks)


def test_an_answer_says_in_words_whose_each_mark_is(brand):
    prompt = Prompt.objects.filter(brand=brand).first()
    page = Browser(brand.owner).open(reverse("brand-prompt", args=[brand.pk, prompt.pk]))
    assert "a solid line is you, a dotted one a competitor" in text_of(page)


def token(name):
    """A colour of the stylesheet in light and in dark, each as its linear red, green and blue."""
    css = Path(finders.find("pages/style.css")).read_text()
    pair = re.search(rf"--{name}:light-dark\((#\w+),(#\w+)\)", css).groups()
    return [_linear(code if len(code) == 7 else "#" + "".join(2 * each for each in code[1:])) for code in pair]


def _linear(code):
    parts = [int(code[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _contrast(one, other):
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other))
    return (high + 0.05) / (low + 0.05)


def _oklab(colour):
    r, g, b = colour
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize("hue", ["me", *HUES])
def test_a_colour_is_readable_on_a_card_in_light_and_dark(hue):
    for colour, card in zip(token(hue), token("raise"), strict=True):
        assert _contrast(colour, card) >= LEAST_CONTRAST


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_no_two_brands_have_colours_that_look_the_same(theme):
    colours = {hue: _oklab(token(hue)[theme]) for hue in ("me", *HUES)}
    for (one, a), (other, b) in itertools.combinations(colours.items(), 2):
        assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5 >= LEAST_DIFFERENCE, (one, other)

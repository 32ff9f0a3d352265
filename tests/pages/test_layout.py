"""How pages lie in a real browser at three widths: names inside of their cards, whole words, charts as large as they
should be."""

import io
import itertools
import json
from types import SimpleNamespace

import pytest
from django.urls import reverse

from apikeys.accounts.operators import system_caller
from tests.factories import UserFactory
from tests.live import own_database
from tests.pages.chromium import NARROW, WIDE, live_pages, open_chromium, visit
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Prompt

MIDDLE = 1024
RIVALS = ("BetaCRM Enterprise", "GammaSuite Professional", "Deltasales", "Epsilon Relations and Sons")
PAGES = (
    *("brand", "brand-history", "brand-prompts", "brand-answers", "brand-competitors", "brand-sources"),
    *("brand-audit", "brand-todo"),
)
OPENED = "document.querySelectorAll('details').forEach(each => { each.removeAttribute('name'); each.open = true })"
OUT_OF_CARDS = """() => {
  const found = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const node = walk.currentNode, element = node.parentElement, card = element.closest(".kpis a, .card")
    if (!node.data.trim() || !card || !element.checkVisibility()) continue
    if (element.closest(".tabs, .bar, pre, textarea, select, .read, [popover]")) continue
    const range = document.createRange(), edge = card.getBoundingClientRect()
    range.selectNodeContents(node)
    const boxes = [...range.getClientRects()].filter((box) => box.width)
    if (boxes.some((box) => box.right > edge.right - 3 || box.left < edge.left + 3)) found.push(node.data.trim())
  }
  return found
}"""
CUT_WORDS = """() => {
  const found = []
  for (const head of document.querySelectorAll("main :is(h1, h2, h3, thead th)")) {
    if (!head.checkVisibility()) continue
    const walk = document.createTreeWalker(head, NodeFilter.SHOW_TEXT)
    while (walk.nextNode())
      for (const word of walk.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange()
        range.setStart(walk.currentNode, word.index)
        range.setEnd(walk.currentNode, word.index + word[0].length)
        const boxes = [...range.getClientRects()].filter((box) => box.width)
        if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) found.push(word[0])
      }
  }
  return found
}"""


def long_named(owner):
    """Two measured days of two engines, on which three competitors with long names are mentioned equally often."""
    lines = [
        {
            "prompt": f"which customer relationship software for {topic}, wish {wording}?",
            "topic": f"customer relationships for {topic}",
            "engine": engine,
            "text": f"**{'**, **'.join(RIVALS[:3])}** are good." if (day + wording) % 2 else "Ask your reseller.",
            "citations": ["https://an-unusually-long-name-of-a-magazine.example/customer-relationship-management"],
            "time": f"2026-01-0{day}T10:00:00Z",
        }
        for day, topic, wording, engine in itertools.product(
            (1, 2), ("wholesalers", "associations", "manufacturers"), range(2), ("chatgpt", "google_ai_overview")
        )
    ]
    competitors = [(name, f"{name.split()[0].lower()}.example") for name in RIVALS]
    new = NewBrand(owner, "Alpha Customer Management", "alpha.example", competitors=competitors)
    file = io.StringIO("\n".join(map(json.dumps, lines)))
    return import_answers(system_caller("command:test"), brand=new, file=file).brand


WIDTHS = [WIDE, pytest.param(MIDDLE, marks=pytest.mark.proof), NARROW]


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker):
    """The brand in a database of its own, served, and a browser."""
    with django_db_blocker.unblock(), own_database() as database:
        owner = UserFactory()
        brand = long_named(owner)
        prompt = reverse("brand-prompt", args=[brand.pk, Prompt.objects.filter(brand=brand).first().pk])
        addresses = [*(reverse(name, args=[brand.pk]) for name in PAGES), prompt]
        history = reverse("brand-history", args=[brand.pk])
        with live_pages(database) as live, open_chromium() as browser:
            yield SimpleNamespace(
                live=live, browser=browser, owner=owner, pages=addresses, prompt=prompt, history=history
            )


def faults(made, width, script, addresses):
    found = {}
    with visit(made.browser, made.live, made.owner, width=width) as window:
        for address in addresses:
            window.page.goto(address)
            window.page.evaluate(OPENED)
            if those := window.page.evaluate(script):
                found[address] = those
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_names_and_labels_stay_inside_of_their_cards(made, width):
    assert not faults(made, width, OUT_OF_CARDS, made.pages)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_heading_is_cut_inside_of_a_word(made, width):
    assert not faults(made, width, CUT_WORDS, made.pages)


@pytest.mark.parametrize("figure", ["score", "voice", "cited", "prominence"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_labels_of_each_figure_stay_inside_of_its_chart(made, width, figure):
    assert not faults(made, width, OUT_OF_CARDS, [f"{made.pages[0]}?figure={figure}"])


@pytest.mark.parametrize("width", WIDTHS)
def test_the_chart_has_the_size_of_words_of_the_page_and_fills_its_card(made, width):
    with visit(made.browser, made.live, made.owner, width=width) as window:
        window.page.goto(made.history)
        size, small, free = window.page.evaluate("""() => {
          const chart = document.querySelector("svg.trend"), words = chart.querySelector("text")
          const scale = chart.getScreenCTM().a, room = chart.closest("figure").getBoundingClientRect()
          const caption = getComputedStyle(document.querySelector("figcaption"))
          const drawn = [...chart.querySelectorAll("text")].map((each) => each.getBoundingClientRect())
          return [scale * parseFloat(getComputedStyle(words).fontSize), parseFloat(caption.fontSize),
                  room.right - Math.max(...drawn.map((box) => box.right))]
        }""")
    assert size == small
    assert 0 <= free < 60


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_mark_of_a_day_is_narrow_where_there_are_two_days(made, width):
    with visit(made.browser, made.live, made.owner, width=width) as window:
        window.page.goto(made.prompt)
        marks = "[...document.querySelectorAll('svg.strip rect')].map((each) => each.getBoundingClientRect().width)"
        widths = window.page.evaluate(marks)
    assert widths and max(widths) <= 12

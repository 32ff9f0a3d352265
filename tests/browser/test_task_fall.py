"""From a fall in the trend to the sentence that explains it, in three clicks and without looking through a table."""

import re

import pytest

from tests.browser.acting import open_brand

VISIBLE = """element => {
  const box = element.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= window.innerHeight;
}"""
CLICKS = 3


@pytest.fixture
def click():
    """Clicks, and no more often than people are promised."""
    clicked = []

    def click(place):
        clicked.append(place)
        assert len(clicked) <= CLICKS
        place.click()

    return click


def test_a_fall_leads_to_the_sentence_that_explains_it_in_three_clicks(desk, click):
    page = open_brand(desk, "Norrvik Cycles")
    chart = page.locator("figure.trend svg.chart >> visible=true")
    fall = chart.get_by_role("link", name=re.compile(r"fell by .* confirmed"))
    day = re.match(r"\d+ \w+ \d+", fall.get_attribute("aria-label"))[0]
    click(fall.locator("circle"))
    assert page.locator("h1").inner_text() == day
    assert "fell by" in page.get_by_role("main").inner_text()
    desk.assert_sound()

    first = page.locator(".outcomes > li").first
    assert "fewer" in first.inner_text() and "0 of 1, before 1 of 1" in first.inner_text()
    wording = first.locator("h3").inner_text()
    click(first.get_by_role("link", name="Read the answer").first)
    assert page.locator("h1").inner_text() == wording
    answer = page.locator(".answer")
    assert "Does not name Norrvik Cycles" in answer.inner_text()
    assert answer.locator("mark.own").count() == 0
    sentence = answer.locator("li, p", has=page.locator("mark.rival")).first
    assert sentence.evaluate(VISIBLE), "it stands there without being looked for"
    assert "Velmora" in sentence.locator("mark.rival").first.inner_text()
    desk.assert_sound()

    page.go_back()
    click(first.get_by_role("link", name="said before").first)
    answer = page.locator(".answer")
    sentence = answer.locator("li, p", has=page.locator("mark.own")).first
    assert sentence.evaluate(VISIBLE) and "norrvik.example" in sentence.inner_text()
    assert "1 answer of these" in page.inner_text("main")

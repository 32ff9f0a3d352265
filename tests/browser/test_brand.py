"""What people look at first, in a real browser: sound in every way, and short enough to answer."""

import pytest

from tests.browser.watching import signed_in

QUESTIONS = {
    "where it stands": ".lede",
    "who is ahead": "figure.intervals svg.wide",
    "why did it change": "#trend ~ .answer-line a",
    "the trend": "figure.trend svg.wide",
    "what to do first": ".todo > li:nth-child(3)",
    "can I trust it": "#sure ~ .points",
}
FOCUSABLE = """() => {
  const table = document.querySelector('details table');
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
    one => one.tabIndex >= 0 && one.checkVisibility() && one.compareDocumentPosition(table) & 4).length;
}"""


@pytest.fixture
def desk(browser, served):
    with signed_in(browser, served.url, served.owner) as tab:
        yield tab


def test_the_first_screen_answers_the_first_questions(desk, served):
    desk.go(served.brand)
    for question, place in QUESTIONS.items():
        box = desk.page.locator(place).first.bounding_box()
        assert box and box["y"] + box["height"] <= 900, question


def test_few_stops_lie_before_the_numbers_of_the_trend(desk, served):
    desk.go(served.brand)
    assert desk.page.evaluate(FOCUSABLE) <= 60


def test_the_report_fills_two_sheets_and_prints_what_is_folded_away(desk, served):
    desk.go(served.brand + "/report")
    pdf = desk.page.pdf(prefer_css_page_size=True)
    assert b"/Count 2" in pdf
    desk.go(served.brand)
    desk.page.emulate_media(media="print")
    assert desk.page.locator("details table").first.is_visible()
    assert not desk.page.locator("nav.tabs").is_visible()


def test_the_page_reads_without_script_and_is_small(browser, served):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sizes = []
    page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
    page.goto(served.url + "/login/")
    page.fill("input[name=username]", served.owner[0])
    page.fill("input[name=password]", served.owner[1])
    page.click("main button")
    sizes.clear()
    page.goto(served.url + served.brand)
    assert page.locator(".lede").inner_text().startswith("Norrvik Cycles is named in")
    assert 0 < sum(sizes) <= 60_000
    context.close()

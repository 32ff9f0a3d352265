"""The ten first questions at a brand's page are answered on its first screen, with the numbers of the services."""

import re

import pytest

from tests.browser.questions import QUESTIONS
from tests.browser.watching import WIDTHS, signed_in

SCREEN = WIDTHS[1280]
IS_SEEN = """element => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})
  && (element.textContent.trim().length > 0)"""


@pytest.fixture(scope="module")
def desk_page(browser, served):
    with signed_in(browser, served.url, served.owner) as tab:
        yield tab.go(served.brand)


def asked(served, desk_page, path):
    """The service by its REST door, with the demo's key."""
    answer = desk_page.request.get(served.url + path, headers={"Authorization": f"Bearer {served.key}"})
    assert answer.ok, answer.text()
    return answer.json()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_a_question_is_answered_without_scrolling(desk_page, question):
    answers = desk_page.locator(question.place)
    assert answers.count() == 1, question.asks
    box = answers.first.bounding_box()
    assert answers.first.evaluate(IS_SEEN)
    assert box["width"] > 20 and box["height"] > 10
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= 1280 and box["y"] + box["height"] <= SCREEN, question.asks


def text(desk_page, name):
    place = next(question.place for question in QUESTIONS if question.name == name)
    return re.sub(r"\s+", " ", desk_page.locator(place).first.inner_text())


def test_the_answers_say_the_numbers_of_the_services(desk_page, served):
    brand_id = served.brand.rsplit("/", 1)[-1]
    trend = asked(served, desk_page, f"/api/v1/brands/{brand_id}/visibility")
    latest = trend["trend"][-1]
    assert f"{latest['score']:.1f} %" in desk_page.locator("figure.trend svg.wide .told").text_content()
    first = asked(served, desk_page, f"/api/v1/brands/{brand_id}/recommendations")["recommendations"]
    urgent = [row["title"] for row in first if row["status"] in ("open", "in_progress")]
    listed = desk_page.locator(".todo a[dir=auto]").all_text_contents()
    assert len(listed) == 3 and listed[0] == urgent[0] and set(listed) <= set(urgent)
    assert re.search(r"95 % interval \d+\.\d to \d+\.\d %", text(desk_page, "trust"))
    assert re.search(r"\d+ of \d+", text(desk_page, "topic")) and re.search(r"\d+ of \d+", text(desk_page, "source"))
    day = re.search(r"Measured (\d+ \w+ \d{4})", text(desk_page, "running"))
    assert day and day[1] in desk_page.locator("figure.trend svg.wide .told").text_content()


def test_the_reason_leads_to_the_prompts_of_its_day(desk_page, served):
    place = next(question.place for question in QUESTIONS if question.name == "why")
    assert desk_page.locator(place).get_attribute("href").startswith(f"{served.brand}/days/")

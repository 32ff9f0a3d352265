"""A brand is added, and its first scan is watched to its score."""

import re

import pytest

from tests.browser.acting import add_brand, open_brand, scan_first

QUESTIONS = """\
Which trail running shoes grip best on wet stone?
What are the best running shoes for wide feet?
Which running shoes last longest?
"""


@pytest.mark.usefixtures("provider")
def test_a_brand_is_added_and_its_first_scan_watched_to_its_score(desk):
    add_brand(desk, "Acme", "acme.example", "running shoes")
    page = scan_first(desk, QUESTIONS)
    assert page.locator("#run .state").inner_text() == "succeeded"
    score = page.locator(".figures .value").first.inner_text()
    assert re.fullmatch(r"\d+\.\d %", score)
    assert page.locator(".outcomes > li").count() == 3
    desk.assert_sound()
    open_brand(desk, "Acme")
    assert f"Acme is named in {score} of answers" in page.locator(".lede").inner_text()
    desk.assert_sound()

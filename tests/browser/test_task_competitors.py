"""A rival that answers name is taken from the suggestions, held against the brand, and let go again."""

import re

import pytest

from tests.browser.acting import MESSAGE, add_brand, open_brand, scan_first

QUESTIONS = "".join(f"Which trail shoes suit a runner of {weight} kilograms?\n" for weight in range(50, 62))
ANALYSE_SECONDS = 120.0


def until_counted(page):
    """Until the history is measured with the names of now."""
    for _ in range(60):
        if "is measured again with these names" not in page.get_by_role("main").inner_text():
            return
        page.wait_for_timeout(1000 * ANALYSE_SECONDS / 60)
        page.reload()
    pytest.fail("The history is not measured again.")


@pytest.mark.usefixtures("provider")
def test_a_competitor_is_taken_from_the_suggestions_and_removed(desk):
    add_brand(desk, "Acme Trail", "acme-trail.example", "trail shoes")
    scan_first(desk, QUESTIONS)
    page = open_brand(desk, "Acme Trail", "Competitors")
    suggestion = page.locator("#suggested ~ .queue > li").first
    name = suggestion.locator("h3").inner_text()
    assert re.search(r"In \d+ of 36 answers, to \d+ prompts, by ", suggestion.inner_text())
    desk.assert_sound()
    suggestion.get_by_text("Watch it", exact=True).click()
    assert suggestion.get_by_label("Name").input_value() == name
    suggestion.get_by_label("Domain").fill(f"{name.lower()}.example")
    suggestion.get_by_role("button", name="Add").click()
    assert f"{name} is now watched." in page.locator(MESSAGE).first.inner_text()
    until_counted(page)
    row = page.locator("table.rivals tr", has_text=name)
    assert re.search(r"\d+\.\d %", row.inner_text()), "counted in the answers that are there"
    assert name not in page.locator("#suggested ~ .queue h3").all_inner_texts()
    desk.assert_sound()

    row.get_by_text("Remove", exact=True).click()
    row.get_by_role("button", name=f"Watch {name} no more").click()
    assert f"{name} is no longer watched" in page.locator(MESSAGE).inner_text()
    until_counted(page)
    assert page.locator("table.rivals tr", has_text=name).count() == 0
    desk.assert_sound()

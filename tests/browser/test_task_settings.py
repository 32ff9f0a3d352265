"""Two runs are compared; a name that means more is flagged; and a brand is deleted once it was taken along."""

import csv
from pathlib import Path

from tests.browser.acting import MESSAGE, add_brand, open_brand


def test_two_runs_are_compared(desk):
    page = open_brand(desk, "Norrvik Cycles", "Runs")
    page.get_by_role("link", name="Overview", exact=True).click()
    fall = page.get_by_role("link", name="The prompts of").inner_text().partition("The prompts of ")[2]
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("link", name="Scans", exact=True).click()
    page.get_by_role("link", name="Compare two scans").click()
    days = page.get_by_label("Later").locator("option").all_inner_texts()  # newest first
    [place] = [place for place, day in enumerate(days) if day.strip().startswith(fall)]
    before, fallen = days[place + 1], days[place]
    page.get_by_label("Earlier").select_option(label=before)
    page.get_by_label("Later").select_option(label=fallen)
    page.get_by_role("button", name="Compare").click()
    shown = page.locator(".figures dt").all_inner_texts()
    assert shown == [before, fallen]
    assert page.get_by_role("region", name="Engines").locator("tbody tr").count() == 2
    first = page.locator(".outcomes > li").first
    assert "fewer" in first.inner_text()
    desk.assert_sound()
    first.get_by_role("link", name="Read the answer").first.click()
    assert "Does not name Norrvik Cycles" in page.locator(".answer").first.inner_text()


def test_a_name_that_means_more_is_flagged_and_a_brand_is_deleted_once_it_was_taken_along(desk):
    add_brand(desk, "Quillfern", "quillfern.example", "pens")
    page = open_brand(desk, "Quillfern", "Settings")
    page.get_by_label("Other names").fill("Apple")
    page.get_by_role("button", name="Save names").click()
    said = " ".join(page.locator(MESSAGE).all_inner_texts())
    assert "“Apple” is also" in said
    care = page.get_by_role("region", name="Names that need care")
    assert "Apple" in care.inner_text()
    desk.assert_sound()
    care.get_by_role("link", name="Say when a name counts").click()
    page.get_by_label("One of these words in the line").fill("pen, ink")
    page.get_by_role("button", name="Accept").click()
    assert "Apple" in page.locator(MESSAGE).first.inner_text()

    open_brand(desk, "Quillfern", "Settings").get_by_role("link", name="Delete", exact=True).click()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Prompts (CSV)").click()
    with Path(downloading.value.path()).open(encoding="utf-8-sig", newline="") as file:
        assert "text" in next(csv.reader(file))
    page.get_by_label("Type the name of the brand").fill("quillfern")
    page.get_by_role("button", name="Delete for good").click()
    assert page.get_by_role("button", name="Delete for good").count() == 1, "its name has to be typed as it is"
    page.get_by_label("Type the name of the brand").fill("Quillfern")
    page.get_by_role("button", name="Delete for good").click()
    assert "Quillfern is deleted" in page.locator(MESSAGE).inner_text()
    assert page.get_by_role("link", name="Quillfern").count() == 0

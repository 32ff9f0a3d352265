"""A recommendation is worked to its proof: read, handed to an assistant, decided on, done, planned; and one that is
proven says whether it has helped."""

import re

from tests.browser.acting import MESSAGE, open_brand


def open_first(tab):
    page = open_brand(tab, "Norrvik Cycles", "Recommendations")
    page.get_by_role("navigation", name="Status").get_by_role("link", name=re.compile(r"^Open \(")).click()
    page.locator(".queue h3 a").first.click()
    return page


def facts_of(page):
    """The figures of the page by their names."""
    rows = page.locator(".facts > div").all()
    return {row.locator("dt").inner_text(): row.locator("dd").inner_text() for row in rows}


def test_the_fix_prompt_is_copied_with_one_press(desk):
    page = open_first(desk)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    prompt = page.get_by_label("Fix prompt").input_value()
    assert "norrvik.example" in prompt and len(prompt) > 400
    page.get_by_role("button", name="Copy the fix prompt").click()
    page.get_by_text("Copied.", exact=True).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == prompt
    desk.assert_sound()


def test_a_recommendation_is_worked_to_its_plan(either):
    page = open_first(either)
    title = page.locator("h1").inner_text()
    evidence = page.locator("h2", has_text="Evidence").locator("~ p, ~ blockquote").first
    assert len(evidence.inner_text()) > 20
    page.get_by_role("button", name="Dismiss").click()
    assert "Say why it is dismissed" in page.locator(MESSAGE).inner_text()
    page.get_by_label(re.compile("^Why, or what was done")).fill("Mira writes the page.")
    page.get_by_role("button", name="Start on it").click()
    assert "is now: in progress" in page.locator(MESSAGE).inner_text()
    assert page.locator(".state.in_progress").count() == 1

    page.get_by_role("button", name="Done").click()
    assert page.locator("h1").inner_text() == "Is it done?"
    plan = facts_of(page)
    assert {"Scans", "Answers", "Control"} <= {*plan}
    page.get_by_label("What was done, and where").fill("The page is back at its old address.")
    page.get_by_role("button", name="Mark as done").click()
    assert "is now: done" in page.locator(MESSAGE).inner_text()
    shown = page.get_by_role("main").inner_text()
    assert page.locator("h1").inner_text() == title
    assert "The plan, frozen when it was done" in shown and plan["Control"] in shown
    assert "The page is back at its old address." in page.locator(".history").inner_text()

    page.get_by_role("button", name="Open again").click()
    assert "is now: open" in page.locator(MESSAGE).inner_text()
    assert all("400" in trouble for trouble in either.troubles), "what was refused"


def test_one_that_was_proven_shows_its_verdict(desk):
    page = open_brand(desk, "Norrvik Cycles", "Recommendations")
    page.get_by_role("navigation", name="Status").get_by_role("link", name="Resolved").click()
    page.locator(".queue > li", has_text="theft").get_by_role("link").first.click()
    page.get_by_role("main").get_by_role("link", name="It moved up").click()
    assert page.url.endswith("#proof")
    proof = page.locator("#proof ~ *").all_inner_texts()
    assert "On “theft” Norrvik Cycles is cited" in proof[0] and "more often" in proof[0]
    assert facts_of(page)["Difference to the control"].startswith("+")
    desk.assert_sound()

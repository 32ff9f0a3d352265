"""A scan is started in the browser and watched to its end, and a day leads to the prompts behind its score."""

import re

SCAN_SECONDS = 300.0


def links_to(page, pattern):
    """The addresses of the links of the page that look like this, each once."""
    hrefs = (link.get_attribute("href") for link in page.locator("main a").all())
    return list(dict.fromkeys(href for href in hrefs if href and re.search(pattern, href)))


def test_a_scan_is_started_and_watched_to_its_end_without_reloading(desk, served):
    page, renewals = desk.page, []
    desk.go(f"{served.brand}/scan")
    desk.assert_sound()
    page.get_by_role("button", name="Start a scan").click()
    page.wait_for_selector("#run[hx-get]")
    desk.assert_sound()
    page.on("response", lambda answer: renewals.append(answer.status) if "/runs/" in answer.url else None)
    page.evaluate("() => { window.notReloaded = true }")
    page.wait_for_selector("#run:not([hx-get])", timeout=1000 * SCAN_SECONDS)
    assert page.evaluate("() => window.notReloaded") is True
    assert renewals[-1] == 286 and set(renewals[:-1]) <= {200}
    assert page.locator("#run .state").inner_text() == "succeeded"
    assert page.locator(".figures .value").first.inner_text().endswith("%")
    assert page.locator(".outcomes > li").count() > 1
    desk.assert_sound()
    # Its hour is not over: the time of the next stands there, and no button that fails.
    desk.go(f"{served.brand}/scan")
    assert "The next can start on" in page.inner_text("main")
    assert page.get_by_role("button", name="Start a scan").count() == 0


def test_a_fallen_day_leads_to_a_prompt_that_fell_and_that_to_its_answer(desk, served):
    page = desk.go(f"{served.brand}/runs?kind=visibility")
    days = []
    for run in links_to(page, r"/runs/[\w-]{36}$"):
        desk.go(run)
        if "moved down" in page.inner_text("#run"):
            days = links_to(page, r"/days/")
            break
    desk.go(days[0])
    desk.assert_sound()
    first = page.locator(".outcomes > li").first
    assert "fewer" in first.inner_text() and "0 of 1" in first.inner_text()
    wording = first.locator("h3").inner_text()
    first.get_by_role("link", name=re.compile("^Read the answer")).first.click()
    assert wording in page.inner_text("h1")
    assert page.locator(".answer").count() >= 1

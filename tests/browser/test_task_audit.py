"""An audit is read from its score to the evidence of a finding, and the site is audited again: it stands on this
machine, and nothing outside is asked."""

import re

from tests.browser.acting import MESSAGE, open_brand

AUDIT_SECONDS = 300.0


def test_a_finding_is_read_to_its_evidence(desk):
    page = open_brand(desk, "Norrvik Cycles", "Audit")
    page.get_by_role("main").get_by_role("link", name="18:00 UTC").first.click()
    said = page.locator(".figures").inner_text()
    assert re.search(r"\d+\.\d of 100", said) and re.search(r"[+-]\d+\.\d since the audit before", said)
    assert re.search(r"\d+ new, \d+ still there", said)
    assert page.get_by_role("heading", name="Fixed since the audit before").count() == 1
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    finding = page.locator("#SCH-04")
    assert "the price is “2690.00 EUR” in the structured data, and “" in finding.inner_text()
    finding.locator("summary").click()
    quote = finding.locator("blockquote").first
    assert quote.is_visible() and "norrvik.example/bikes/" in quote.inner_text()
    prompt = finding.get_by_label(re.compile("^Fix prompt")).input_value()
    finding.get_by_role("button", name="Copy the fix prompt").click()
    finding.get_by_text("Copied.", exact=True).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == prompt and "price" in prompt
    desk.assert_sound()


def test_the_site_is_audited_again_and_watched_to_its_score(desk):
    page = open_brand(desk, "Norrvik Cycles", "Audit")
    before = page.locator("#audits tbody tr").count()
    page.get_by_label("Pages at most").fill("20")
    page.get_by_role("button", name="Start an audit").click()
    assert "up to 20 pages are being fetched" in page.locator(MESSAGE).inner_text()
    page.wait_for_selector("#audits:not([hx-get])", timeout=1000 * AUDIT_SECONDS)
    rows = page.locator("#audits tbody tr")
    assert rows.count() == before + 1
    assert "succeeded" in rows.first.inner_text() and re.search(r"\d+\.\d", rows.first.inner_text())
    desk.assert_sound()
    rows.first.get_by_role("link").click()
    assert re.search(r"\d+ new, \d+ still there", page.locator(".figures").inner_text())
    desk.assert_sound()

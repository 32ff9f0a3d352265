"""A draft is edited, copied and taken along as a file that holds what was written."""

from pathlib import Path

from tests.browser.acting import MESSAGE, open_brand

WRITTEN = "Ask your dealer about [fact needed: which studs fit]."


def test_a_draft_is_edited_copied_and_taken_along(desk):
    page = open_brand(desk, "Norrvik Cycles", "Content")
    page.get_by_role("region", name="Drafts").get_by_role("link").first.click()
    text = page.get_by_label("Text", exact=True)
    title, before = page.get_by_label("Title").input_value(), text.input_value()
    text.fill(f"{before.rstrip()}\n\n{WRITTEN}\n")
    page.get_by_role("button", name="Save and check again").click()
    assert "saved" in page.locator(MESSAGE).inner_text()
    assert "1 fact still needed" in page.get_by_role("main").inner_text()
    assert "which studs fit" in page.locator(".preview").inner_text()
    desk.assert_sound()

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the Markdown").click()
    page.get_by_text("Copied.", exact=True).wait_for()
    assert WRITTEN in page.evaluate("navigator.clipboard.readText()")

    for name, ending in (("Markdown", ".md"), ("HTML", ".html")):
        with page.expect_download() as downloading:
            page.get_by_role("main").get_by_role("link", name=name, exact=True).click()
        file = downloading.value
        content = Path(file.path()).read_text(encoding="utf-8")
        assert file.suggested_filename.endswith(ending)
        assert title in content and "which studs fit" in content
    desk.assert_sound()

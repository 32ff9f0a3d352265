"""What people do again and again on their way to something else, each step by what the page calls it."""

from playwright.sync_api import Page

from tests.browser.watching import Watched

SCAN_SECONDS = 300.0
HOME = "Brand Visibility"
MESSAGE = "p.message"
"""What the service says of what was just done."""


def add_brand(tab: Watched, name: str, domain: str, sells: str) -> Page:
    """From wherever they are to the first steps with a brand that is new."""
    page = tab.page
    page.get_by_role("link", name=HOME, exact=True).click()
    page.get_by_role("link", name="Add a brand").click()
    page.get_by_label("Name", exact=False).first.fill(name)
    page.get_by_label("Domain").fill(domain)
    page.get_by_label("What it sells").fill(sells)
    page.get_by_role("button", name="Add this brand").click()
    return page


def scan_first(tab: Watched, questions: str) -> Page:
    """From the first steps with a brand to the end of its first scan of these questions, one on each line."""
    page = tab.page
    page.get_by_role("link", name="Go on without a competitor").click()
    page.get_by_role("link", name="Paste it").click()
    page.get_by_label("Prompts, one on each line").fill(questions)
    page.get_by_role("button", name="Add these prompts").click()
    page.get_by_role("link", name="On to the first scan").click()
    page.get_by_role("button", name="Start the first scan").click()
    page.wait_for_selector("#run[hx-get]")
    page.wait_for_selector("#run:not([hx-get])", timeout=1000 * SCAN_SECONDS)
    return page


def open_brand(tab: Watched, name: str, part: str = "Overview") -> Page:
    """From wherever they are to a brand, or to a part of it that its tabs name."""
    page = tab.page
    page.get_by_role("link", name=HOME, exact=True).click()
    page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()
    if part != "Overview":
        page.get_by_role("navigation", name=name).get_by_role("link", name=part, exact=True).click()
    return page

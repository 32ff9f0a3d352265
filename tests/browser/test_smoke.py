"""The pages that everybody opens first are sound in a real browser, in daylight on a desk and in the dark on a phone.

A few days of the demo are enough for that. The whole of it, and all pages in all ways, are looked at by
`make test-browser`.
"""

from collections.abc import Iterator

import pytest

from tests.browser.serving import ServedDays, served_days
from tests.browser.watching import open_tab

PAGES = ["", "/recommendations", "/prompts", "/competitors", "/runs"]


@pytest.fixture(scope="module")
def served(executable: str) -> Iterator[ServedDays]:
    """The web server over these days; none where there is no browser to look at it."""
    with served_days() as service:
        yield service


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_pages_of_the_demo_are_sound(served, browser, scheme, width):
    tab = open_tab(browser, served.url, scheme=scheme, width=width)
    tab.sign_in(*served.owner)
    for path in PAGES:
        tab.go(served.brand + path)
        assert tab.page.locator("h1").count() == 1
        tab.assert_sound()

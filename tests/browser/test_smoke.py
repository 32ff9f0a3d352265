"""The pages that everybody opens first are sound in a real browser, in daylight on a desk and in the dark on a phone.

All pages in all ways are looked at by `make test-browser`.
"""

import pytest

from tests.browser.watching import open_tab

PAGES = ["", "/recommendations", "/prompts", "/competitors", "/runs"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_pages_of_the_demo_are_sound(browser, served, scheme, width):
    tab = open_tab(browser, served.url, scheme=scheme, width=width)
    tab.sign_in(*served.owner)
    for path in PAGES:
        tab.go(served.brand + path)
        assert tab.page.locator("h1").count() == 1
        tab.assert_sound()

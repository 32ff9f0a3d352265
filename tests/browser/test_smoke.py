"""The pages of a brand open, in both themes and widths, and nothing on them is wrong."""

import pytest

PAGES = ["", "/recommendations", "/prompts", "/competitors", "/content", "/audits", "/scan"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_the_demo_is_sound(tab, served, path):
    tab.go(served.brand + path)
    assert tab.page.locator("h1").count() == 1
    tab.assert_sound()

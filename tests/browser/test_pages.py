"""Every page of the demo, in both themes, on a desk and on a phone: nothing on it is wrong."""

import pytest

OF_A_BRAND = [
    *("", "/trend", "/report", "/recommendations", "/prompts", "/prompts/add", "/topics", "/plan", "/other-tools"),
    *("/competitors", "/gaps", "/comparison", "/sources", "/evidence", "/content", "/audits", "/runs", "/scan"),
    *("/settings", "/people"),
]
OF_NO_BRAND = ["/", "/account", "/brands/add", "/invitations", "/method", "/bot"]
FIRST_LINKS = {
    "a recommendation": ("/recommendations", ".queue h3 a"),
    "a prompt": ("/prompts", "main table th a"),
    "a run": ("/runs", "main table th a, main table td a"),
    "an audit": ("/audits", "main table a"),
    "a draft": ("/content", "main table th a"),
    "a source": ("/sources", "main table th a"),
}
"""Pages that are reached from a list: the page of the list, and its first link."""


@pytest.mark.parametrize("path", OF_A_BRAND)
def test_a_page_of_the_brand_is_sound(tab, served, path):
    response = tab.page.goto(served.url + served.brand + path)
    assert response.status == 200
    assert tab.page.locator("h1").count() == 1
    tab.assert_sound()


@pytest.mark.parametrize("path", OF_NO_BRAND)
def test_a_page_of_no_brand_is_sound(tab, served, path):
    response = tab.page.goto(served.url + path)
    assert response.status == 200
    tab.assert_sound()


@pytest.mark.parametrize("what", FIRST_LINKS)
def test_a_page_behind_a_list_is_sound(tab, served, what):
    path, link = FIRST_LINKS[what]
    tab.go(served.brand + path)
    tab.page.locator(link).first.click()
    assert tab.page.locator("h1").count() == 1
    tab.assert_sound()

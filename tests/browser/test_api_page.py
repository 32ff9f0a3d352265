"""The page of the REST API: in the frame of the site, readable in both themes, with a way back."""


def test_the_page_of_the_api_is_sound_also_with_endpoints_opened(tab):
    page = tab.go("/api/v1/docs")
    page.wait_for_selector(".opblock-summary-control")
    assert page.locator("h1:visible").count() == 1
    for endpoint in page.locator(".opblock-summary-control").all()[:2]:
        endpoint.click()
    page.wait_for_selector(".responses-inner")
    tab.assert_sound()
    page.get_by_role("link", name="Brand Visibility", exact=True).click()
    assert page.url == f"{tab.url}/"

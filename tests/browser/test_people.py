"""What owners do by themselves, in a real browser: a brand comes to its first scan."""

from tests.browser.watching import open_tab


def test_a_brand_is_added_and_comes_to_its_prompts(browser, served):
    tab = open_tab(browser, served.url)
    tab.sign_in(*served.owner)
    page = tab.go("/brands/add")
    page.get_by_label("Name", exact=False).first.fill("Velvet Anchor")
    page.get_by_label("Domain").fill("velvet-anchor.example")
    page.get_by_label("What it sells").fill("folding bikes")
    page.get_by_role("button", name="Add this brand").click()
    page.get_by_label("Name").fill("Rival Wheels")
    page.get_by_label("Domain").fill("rival-wheels.example")
    page.get_by_role("button", name="Watch it").click()
    assert page.get_by_label("What it sells").input_value() == "folding bikes"
    page.get_by_role("button", name="Begin with these").click()
    page.get_by_role("link", name="Add your own").click()
    page.get_by_label("Prompts, one on each line").fill(
        "Which folding bike is light?\nWhich folding bike fits a train?"
    )
    page.get_by_role("button", name="Add these prompts").click()
    assert page.get_by_text("2 prompts added").count() == 1
    tab.assert_sound()
    page.context.close()

"""The main forms in a browser that runs no script: a person adds a brand, tends it and deletes it."""

import pytest

from tests.browser.watching import open_tab
from tests.factories import PASSWORD


@pytest.fixture
def page(browser, served, worlds):
    """A tab without script of somebody who has no brand yet."""
    tab = open_tab(browser, served.url, script=False)
    tab.sign_in("doer@worlds.example", PASSWORD)
    yield tab.page
    assert tab.troubles == []
    tab.page.context.close()


def send(page, form, button, **fields):
    """Fill the fields, by their labels, of the form that sends to this end of an address, and press its button."""
    place = page.locator(f"main form[action$='{form}']") if form else page.locator("main form[method=post]")
    for label, value in fields.items():
        place.get_by_label(label.replace("_", " ")).first.fill(value)
    place.get_by_role("button", name=button).first.click()
    return page.locator("main").inner_text()


def open_page_of_brand(page, name):
    """By its name in the navigation of the brand."""
    page.locator("nav.tabs").get_by_role("link", name=name, exact=True).click()


def test_the_main_forms_work_without_script(page, served):
    page.goto(f"{served.url}/brands/add")
    assert "is added" in send(page, "", "Add this brand", Name="Quiet Wheels", Domain="quiet-wheels.example")
    assert "is watched" in send(page, "/start/competitor", "Watch it", Name="Loud Wheels", Domain="loud.example")
    assert "prompt" in send(
        page, "/start/topics", "Begin with these", What_it_sells="folding bikes", Prompts_on_each="2"
    )

    open_page_of_brand(page, "Prompts")
    page.get_by_role("link", name="Add prompts").click()
    told = send(page, "/add/many", "Add these prompts", Prompts="Which bike is quiet?\nWhich bike is light?")
    assert "2 prompts added" in told
    open_page_of_brand(page, "Prompts")
    page.get_by_label("Search").fill("quiet")
    page.locator("form[role=search]").get_by_role("button").click()
    assert page.locator("table.prompts tbody tr").count() == 1
    page.get_by_role("link", name="Edit").first.click()
    assert "Which bike is very quiet?" in send(page, "", "Save", Prompt="Which bike is very quiet?")
    open_page_of_brand(page, "Prompts")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Archive the ticked").click()
    assert "archive" in page.inner_text("main").lower()

    open_page_of_brand(page, "Competitors")
    assert "Soft Wheels" in send(page, "/competitors/add", "Add", Name="Soft Wheels", Domain="soft.example")
    open_page_of_brand(page, "Settings")
    assert "QW" in send(page, "/settings/names", "Save names", Other_names="QW") or page.get_by_text("saved").count()
    page.get_by_role("link", name="People", exact=True).click()
    assert "friend@worlds.example" in send(page, "/invite", "Invite", Email_address="friend@worlds.example")
    send(page, "/withdraw", "Withdraw")

    open_page_of_brand(page, "Runs")
    page.get_by_role("link", name="Start a scan").click()
    assert "What it takes" in page.inner_text("main")

    open_page_of_brand(page, "Settings")
    page.get_by_role("link", name="Delete", exact=True).click()
    send(page, "", "Delete for good", name="Quiet Wheels")
    assert page.url == f"{served.url}/"

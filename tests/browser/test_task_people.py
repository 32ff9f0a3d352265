"""An owner lets somebody in by address, who accepts, changes something and is removed. A viewer changes nothing.

With script and without.
"""

import pytest

from tests.browser.acting import MESSAGE, add_brand, open_brand
from tests.browser.watching import open_tab
from tests.live import manage

ADD_PERSON = """
from apikeys.operators import system_caller
from apikeys.services.users import create_user
create_user(system_caller("test"), email={email!r}, plan=None, password={password!r})
"""
PASSWORD = "three-green-bottles"


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def both(request, browser, served):
    """The owner and somebody who has an account, each with a tab; and the address of the second."""
    email = f"mira-{request.node.callspec.id}@example.com"
    manage(served.env, "shell", "-c", ADD_PERSON.format(email=email, password=PASSWORD))
    owner, guest = (open_tab(browser, served.url, script=request.param) for _ in range(2))
    owner.sign_in(*served.owner)
    yield owner, guest, email
    for tab in (owner, guest):
        tab.page.context.close()


def test_somebody_is_invited_accepts_edits_and_is_removed(both):
    owner, guest, email = both
    name = f"Linden {email.split('@')[0]}"
    add_brand(owner, name, f"{email.split('@')[0]}.example", "lamps")
    page = open_brand(owner, name, "Settings")
    page.get_by_role("link", name="People", exact=True).click()
    invite = page.get_by_role("region", name="Invite somebody")
    invite.get_by_label("Email address").fill(email)
    invite.get_by_role("button", name="Invite").click()
    assert f"{email} is invited" in page.locator(MESSAGE).inner_text()

    guest.sign_in(email, PASSWORD)
    theirs = guest.page
    theirs.get_by_role("link", name="You are invited to 1 brand").click()
    said = theirs.get_by_role("main").inner_text()
    assert name in said and "invites you as editor: you change the brand and start scans" in said
    theirs.get_by_role("button", name="Accept").click()
    assert f"You now work on {name}." in theirs.locator(MESSAGE).inner_text()
    open_brand(guest, name, "Settings")
    theirs.get_by_label("What it sells").fill("lamps and shades")
    theirs.get_by_role("button", name="Save names").click()
    assert "lamps and shades" in theirs.get_by_label("What it sells").input_value()

    page.reload()
    page.get_by_role("button", name=f"Remove {email}").click()
    assert f"{email} has no access any more" in page.locator(MESSAGE).inner_text()
    theirs.reload()
    assert name not in theirs.content() and "404" in str(guest.troubles)
    open_brand(owner, name, "Settings")
    assert "lamps and shades" in page.get_by_label("What it sells").input_value()
    assert owner.troubles == []


def test_a_viewer_reads_and_sees_no_form(browser, served):
    tab = open_tab(browser, served.url)
    tab.sign_in(*served.viewer)
    parts = ["Overview", "Recommendations", "Prompts", "Competitors", "Sources", "Content", "Evidence", "Audit"]
    for part in [*parts, "Runs", "Settings"]:
        page = open_brand(tab, "Norrvik Cycles", part)
        assert page.locator("main form[method=post]").count() == 0, part
    assert "Ask its owner, demo@example.com, to make you an editor." in page.get_by_role("main").inner_text()
    page.get_by_role("link", name="People", exact=True).click()
    buttons = page.locator("main form[method=post] button").all_inner_texts()
    assert buttons == ["Leave this brand"]
    tab.assert_sound()
    tab.page.context.close()

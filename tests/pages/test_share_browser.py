"""The shared page in a real browser: clean at every width and theme, printed whole, by a button with a script."""

from itertools import product

import pytest

from tests.factories import UserFactory
from tests.live import own_database
from tests.pages.chromium import NARROW, TOO_WIDE, WIDE, live_pages, open_chromium, visit
from tests.pages.test_share import address_of
from tests.pages.worlds import small_brand

A4 = {"width": 718, "height": 1046}
"""Pixels of a sheet without its margins."""


@pytest.fixture(scope="module")
def shared(django_db_setup, django_db_blocker):
    """The address of a link, behind a running service, and the browser to open it with."""
    with django_db_blocker.unblock(), own_database() as database:
        address = address_of(small_brand(UserFactory()))
        with live_pages(database) as live, open_chromium() as browser:
            yield address, live, browser


@pytest.mark.parametrize(
    ("page", "width", "theme"),
    [
        ("", WIDE, "light"),
        ("/method", NARROW, "dark"),
        *(
            pytest.param(page, width, theme, marks=pytest.mark.proof)
            for page, width, theme in product(["", "/method"], [WIDE, NARROW], ["light", "dark"])
        ),
    ],
)
def test_it_is_clean(shared, page, width, theme):
    address, live, browser = shared
    with visit(browser, live, width=width, theme=theme) as window:
        assert not window.look(address + page)
        assert "Inter" in window.page.evaluate("getComputedStyle(document.body).fontFamily")


def test_a_button_prints_where_scripts_run(shared):
    address, live, browser = shared
    with visit(browser, live) as window:
        window.page.add_init_script("window.print = () => (document.title = 'printing')")
        window.page.goto(address)
        window.page.get_by_role("button", name="Print").click()
        assert window.page.title() == "printing"


def test_nothing_is_cut_on_paper(shared):
    address, live, browser = shared
    with visit(browser, live) as window:
        window.page.goto(address)
        window.page.set_viewport_size(A4)
        window.page.emulate_media(media="print")
        assert window.page.evaluate(TOO_WIDE) == []
        assert not window.page.get_by_role("button", name="Print").is_visible()

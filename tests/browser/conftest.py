"""One service with its demo for all browser tests, as `make run` starts it, and Debian's Chromium to look at it.

The service is processes in a folder of their own: the tests see it through the browser and its other doors only.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.serving import NO_BROWSER, Served, browser_path, served_demo
from tests.browser.watching import SCHEMES, WIDTHS, Watched, open_tab


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here drive a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def executable() -> str:
    """The path of the browser; tests are skipped, aloud, where there is none."""
    path = browser_path()
    if path is None:
        pytest.skip(NO_BROWSER)
    return path


@pytest.fixture(scope="session")
def served(executable: str) -> Iterator[Served]:
    """One service for all tests; none where there is no browser to look at it."""
    with served_demo() as service:
        yield service


@pytest.fixture(scope="module")
def browser(executable: str) -> Iterator[Browser]:
    """A browser for the tests of a file. Its driver keeps an event loop in this thread, in which Django refuses to
    reach a database: it has to end before tests of other files."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield chromium
        chromium.close()


WAYS = [(scheme, width) for scheme in SCHEMES for width in WIDTHS]


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]}-{way[1]}")
def tab(request: pytest.FixtureRequest, browser: Browser, served: Served) -> Iterator[Watched]:
    """A tab of the owner of the demo, signed in, in both themes, on a desk and on a phone."""
    scheme, width = request.param
    watched = open_tab(browser, served.url, scheme=scheme, width=width)
    watched.sign_in(*served.owner)
    yield watched
    watched.page.context.close()


@pytest.fixture
def desk(browser: Browser, served: Served) -> Iterator[Watched]:
    """A tab of the owner of the demo, signed in, on a desk in daylight: for what looks the same everywhere."""
    watched = open_tab(browser, served.url)
    watched.sign_in(*served.owner)
    yield watched
    watched.page.context.close()

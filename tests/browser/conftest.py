"""One service with its demo for all browser tests, as `make run` starts it, and Debian's Chromium to look at it.

The service is processes in a folder of their own: the tests see it through the browser and its other doors only.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.serving import NO_BROWSER, Served, browser_path, served_demo
from tests.browser.sweeping import MAKE_WORLDS
from tests.browser.watching import WAYS, Watched, open_tab
from tests.factories import PASSWORD
from tests.live import manage
from tests.providers.process import ProviderProcess, provider_process


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


ADD_ENGINE = """
from apikeys.operators import system_caller
from visibility.services.engines.configuring import add_engine
add_engine(system_caller("test"), name="house-model", provider="vllm", model="house", base_url={url!r}, enabled=True)
"""


@pytest.fixture(scope="session")
def provider(served: Served) -> Iterator[ProviderProcess]:
    """An AI provider on loopback, which the operator has configured as the engine of all brands that choose none: it
    speaks of Acme, Rival, Northwind and others."""
    with provider_process(paragraphs=4) as process:
        manage(served.env, "shell", "-c", ADD_ENGINE.format(url=process.base_url("chat")))
        yield process


@pytest.fixture(scope="module")
def browser(executable: str) -> Iterator[Browser]:
    """A browser for the tests of a file. Its driver keeps an event loop in this thread, in which Django refuses to
    reach a database: it has to end before tests of other files."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield chromium
        chromium.close()


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


@pytest.fixture(scope="session")
def worlds(served: Served) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Examples of the arguments of addresses, by world: the demo, and what is made beside it."""
    printed = manage(served.env, "shell", "--verbosity", "0", "-c", MAKE_WORLDS).stdout
    made: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(printed.splitlines()[-1])
    return made


@pytest.fixture(scope="session")
def people(served: Served) -> Mapping[str, tuple[str, str]]:
    """Who may sign in, by world and by role."""
    made = {name: (f"{name}@worlds.example", PASSWORD) for name in ("bare", "hostile", "newcomer", "looker")}
    return {"demo": served.owner, "viewer": served.viewer, "staff": served.staff, **made}


@pytest.fixture(scope="module")
def tabs(browser: Browser, served: Served, worlds: Mapping[str, object], people: Mapping[str, tuple[str, str]]):
    """A tab by world, of somebody who may do everything there; of nobody where nobody is signed in."""
    tabs = {world: open_tab(browser, served.url) for world in worlds}
    for world, tab in tabs.items():
        if world in people:
            tab.sign_in(*people[world])
    yield tabs
    for tab in tabs.values():
        tab.page.context.close()


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def either(request: pytest.FixtureRequest, browser: Browser, served: Served) -> Iterator[Watched]:
    """A tab of the owner of the demo on a desk, with script and without."""
    watched = open_tab(browser, served.url, script=request.param)
    watched.sign_in(*served.owner)
    yield watched
    watched.page.context.close()

"""One service with its demo for all browser tests, as `make run` starts it, and Debian's Chromium to look at it.

The service is processes in a folder of their own: the tests see it through the browser and its other doors only.
"""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.watching import SCHEMES, WIDTHS, Watched, open_tab
from tests.live import free_port, live_process, manage, wait_for

OURS = ("DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "PYTEST_XDIST_WORKER")
SEED_SECONDS = 900.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here drive a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass(frozen=True)
class Served:
    """The running service: its address and environment, who may sign in, a key, and the path of the demo's brand."""

    url: str
    env: dict[str, str]
    owner: tuple[str, str]
    staff: tuple[str, str]
    key: str
    brand: str


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """Web server, worker and scheduler over a fresh demo."""
    with tempfile.TemporaryDirectory(prefix="browser-") as folder:
        env = {name: value for name, value in os.environ.items() if name not in OURS} | {"VAR_DIR": folder}
        manage(env, "migrate", "--verbosity", "0")
        manage(env, "collectstatic", "--noinput", "--verbosity", "0")
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "manage.py", "serve", "--demo", "--port", str(port)]
        with live_process(command, env, url, "/readyz", 300.0) as live:
            printed = wait_for(
                lambda: "Ctrl-C stops the service" in live.printed() and live.printed(), seconds=SEED_SECONDS, what="the demo"
            )
            yield Served(url, env, _login(printed, "Owner"), _login(printed, "Staff"), *_key_and_brand(printed))


def _login(printed: str, who: str) -> tuple[str, str]:
    found = re.search(rf"{who} login +(\S+) .*?(\S+)\n", printed)
    assert found, printed
    return found[1], found[2]


def _key_and_brand(printed: str) -> tuple[str, str]:
    key, brand = re.search(r"API key +(\S+)", printed), re.search(r"(/brands/[\w-]{36})\n", printed)
    assert key and brand, printed
    return key[1], brand[1]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or another of its names; tests are skipped, aloud, where there is none."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("There is no Chromium here. On Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
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

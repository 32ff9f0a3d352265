"""The service as `make run` starts it, with its demo, in a folder of its own: for browser tests and pictures."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.live import free_port, live_process, manage, wait_for

OURS = ("DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "PYTEST_XDIST_WORKER")
SEED_SECONDS = 900.0
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "There is no Chromium here. On Debian: sudo apt-get install chromium"


@dataclass(frozen=True)
class Served:
    """The running service: its address and environment, who may sign in, a key, and the path of the demo's brand."""

    url: str
    env: dict[str, str]
    owner: tuple[str, str]
    staff: tuple[str, str]
    key: str
    brand: str


@contextmanager
def served_demo() -> Iterator[Served]:
    """Web server, worker and scheduler over a fresh demo; all of it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        env = {name: value for name, value in os.environ.items() if name not in OURS} | {"VAR_DIR": folder}
        manage(env, "migrate", "--verbosity", "0")
        manage(env, "collectstatic", "--noinput", "--verbosity", "0")
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "manage.py", "serve", "--demo", "--port", str(port)]
        with live_process(command, env, url, "/readyz", 300.0) as live:
            printed = wait_for(
                lambda: "Ctrl-C stops the service" in live.printed() and live.printed(),
                seconds=SEED_SECONDS,
                what="the demo",
            )
            yield Served(url, env, _login(printed, "Owner"), _login(printed, "Staff"), *_key_and_brand(printed))


def browser_path() -> str | None:
    """Debian's Chromium, or another of its names; None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def _login(printed: str, who: str) -> tuple[str, str]:
    found = re.search(rf"{who} login +(\S+) .*?(\S+)\n", printed)
    assert found, printed
    return found[1], found[2]


def _key_and_brand(printed: str) -> tuple[str, str]:
    key, brand = re.search(r"API key +(\S+)", printed), re.search(r"(/brands/[\w-]{36})\n", printed)
    assert key and brand, printed
    return key[1], brand[1]

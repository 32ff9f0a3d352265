"""The service as `make run` starts it, with its demo, in a folder of its own: for browser tests and pictures.

While tests are written a demo that is served already saves its start: `SERVED_DEMO` names the file into which
`manage.py serve --demo` of this checkout prints.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.live import free_port, live_process, manage, wait_for

SERVED = "SERVED_DEMO"
OURS = ("DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "PYTEST_XDIST_WORKER")
SEED_SECONDS = 900.0
SEED_DAYS = """
import json
from django.core.management import call_command
from apikeys.operators import system_caller
from apikeys.services.operators import renew_password
from visibility.demo.days import DAYS, SEEDER
from visibility.demo.history import seed_history
from visibility.demo.seeding import seed_brand, seed_owner
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
caller = system_caller(SEEDER)
owner, _ = seed_owner(caller)
brand, _ = seed_brand(caller, owner)
seed_history(caller, brand, days=range(DAYS - 3, DAYS + 1))
print(json.dumps({"owner": [owner.email, renew_password(caller, user=owner)], "brand": f"/brands/{brand.pk}"}))
"""
"""What makes the last four days of the demo, in a process of the service."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "There is no Chromium here. On Debian: sudo apt-get install chromium"


@dataclass(frozen=True)
class Served:
    """The running service: its address and environment, who may sign in, a key, and the path of the demo's brand."""

    url: str
    env: dict[str, str]
    owner: tuple[str, str]
    viewer: tuple[str, str]
    staff: tuple[str, str]
    key: str
    brand: str

    @classmethod
    def said_by(cls, printed: str, url: str, env: dict[str, str]) -> "Served":
        """What the service printed when its demo was ready."""
        key, brand = _said(r"API key +(\S+)", printed), _said(r"(/brands/[\w-]{36})\n", printed)
        owner, viewer, staff = (_login(printed, who) for who in ("Owner", "Viewer", "Staff"))
        return cls(url, env, owner, viewer, staff, key, brand)


@dataclass(frozen=True)
class ServedDays:
    """The web server alone over some days of the demo: its address, who may sign in, and the path of the brand."""

    url: str
    owner: tuple[str, str]
    brand: str


@contextmanager
def served_days() -> Iterator[ServedDays]:
    """What a smoke looks at, in a tenth of the time that the whole demo takes; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        url = f"http://127.0.0.1:{(port := free_port())}"
        env = {**_environment(folder), "DJANGO_SETTINGS_MODULE": "config.settings.local", "WEB_WORKERS": "1"}
        made = json.loads(manage(env, "shell", "--verbosity", "0", "-c", SEED_DAYS).stdout.splitlines()[-1])
        command = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"]
        with live_process(command, {**env, "BIND": f"127.0.0.1:{port}"}, url, "/healthz", 300.0):
            yield ServedDays(url, tuple(made["owner"]), made["brand"])


@contextmanager
def served_demo() -> Iterator[Served]:
    """Web server, worker and scheduler over a fresh demo, all of it gone afterwards; or one served already."""
    if SERVED in os.environ:
        printed = Path(os.environ[SERVED]).read_text()
        folder, url = _said(r"its data stays in (\S+)\.\n", printed), _said(r"Address +(\S+)/\n", printed)
        yield Served.said_by(printed, url, _environment(folder))
        return
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        env = _environment(folder)
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
            yield Served.said_by(printed, url, env)


def browser_path() -> str | None:
    """Debian's Chromium, or another of its names; None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def _environment(folder: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OURS} | {"VAR_DIR": folder}


def _login(printed: str, who: str) -> tuple[str, str]:
    return _said(rf"{who} login +(\S+) ", printed), _said(rf"{who} login .*?(\S+)\n", printed)


def _said(pattern: str, printed: str) -> str:
    match = re.search(pattern, printed)
    assert match, printed
    return match[1]

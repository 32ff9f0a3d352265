"""A real browser over the running service: who looks, at what width, in which theme; and what must not happen."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright

from tests.live import ROOT, WEB, Live, live_process

WIDE, NARROW = 1280, 390
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
# Of the desk, which is Django's, the standard is asked for; of our pages good practice, too.
DESK_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
TOO_WIDE = """(() => {
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= width) return []
  const wide = [...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > width)
  return wide.slice(-3).map((each) => each.outerHTML.slice(0, 120))
})()"""


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """The browser, as long as the block lasts. Without one the test is skipped, in continuous integration failed.

    Playwright holds an event loop in this thread meanwhile, in which Django refuses its ORM unless that is allowed,
    and other tests could run no loop of their own: so the browser is not left open for the session.
    """
    if not Path(CHROMIUM).exists():
        words = f"There is no Chromium at {CHROMIUM}: install it, or name it by CHROMIUM."
        pytest.fail(words) if os.environ.get("CI") else pytest.skip(words)
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
            yield browser
            browser.close()
    finally:
        os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")
        if before is not None:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@contextmanager
def live_pages(database: str, *, worker: bool = False, **more: str) -> Iterator[Live]:
    """The web server with its static files as in production, and where asked for a worker. It knows our sessions, and
    has `more` in its environment."""
    environment = {"STATIC_ROOT": _collected(), "SECRET_KEY": settings.SECRET_KEY, "CITED_PAGES_PER_WEEK": "0"}
    with live_process(*WEB, database=database, RATE_LIMIT="100000/m", **environment, **more) as live:
        if not worker:
            yield live
            return
        command = (sys.executable, "manage.py", "worker")
        with live_process(*command, database=database, ready="", **environment):
            yield live


@cache
def _collected() -> str:
    """The folder of the static files as they are served, which all servers of this process share."""
    folder = tempfile.mkdtemp(prefix="static-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--ignore", "swagger-ui*", "-v", "0"]
    subprocess.run(collect, cwd=ROOT, env={**os.environ, "STATIC_ROOT": folder}, check=True)
    return folder


class Visit:
    """Somebody's window: its page, and what went wrong on it so far."""

    def __init__(self, page: Page, host: str) -> None:
        self.page, self.troubles, self._axe = page, list[str](), Axe()
        page.on("console", lambda message: self._note(message.type in ("error", "warning"), message.text))
        page.on("pageerror", lambda error: self._note(True, str(error)))
        page.on(
            "request", lambda request: self._note(not request.url.startswith((host, "data:")), f"asks {request.url}")
        )
        page.on("response", lambda answer: self._note(answer.status >= 400, f"{answer.status} {answer.url}"))

    def _note(self, is_trouble: bool, words: str) -> None:
        if is_trouble:
            self.troubles.append(words)

    def look(self, address: str) -> list[str]:
        """Open an address; all that is wrong with it."""
        self.troubles.clear()
        self.page.goto(address)
        return [*self.troubles, *self.faults()]

    def faults(self) -> list[str]:
        """What of the page that is open hinders people: too wide, or against a rule of axe."""
        found = [f"too wide: {element}" for element in self.page.evaluate(TOO_WIDE)]
        for rule in self._axe.run(self.page, options=DESK_RULES if "/admin/" in self.page.url else {}).response[
            "violations"
        ]:
            found += [f"{rule['id']}: {node['target']}" for node in rule["nodes"][:3]]
        return found


@contextmanager
def visit(browser: Browser, live: Live, user=None, *, width: int = WIDE, theme: str = "light") -> Iterator[Visit]:
    """A window of somebody who is signed in, or of nobody."""
    context = browser.new_context(base_url=live.url, viewport={"width": width, "height": 900}, color_scheme=theme)
    if user is not None:
        client = Client()
        client.force_login(user)
        connection.close()  # playwright's loop has one of its own, which would outlive the database
        name = settings.SESSION_COOKIE_NAME
        context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live.url}])
    try:
        yield Visit(context.new_page(), live.url)
    finally:
        context.close()

"""The picture of the README: `python -m tests.picture` serves a fresh demo and photographs the page of its brand.

Needs Chromium. The service runs in a folder of its own, which is gone afterwards.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.live import ROOT, free_port, live_process, manage

PICTURE = ROOT / "docs" / "images" / "brand-page.png"
WIDTH, HEIGHT = 1280, 1500
SEED_SECONDS = 600
OURS = ("DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE")


def browser_path() -> str:
    """Debian's Chromium, or another of its names; ends the program with what to install where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("No picture was made: there is no Chromium here. On Debian: sudo apt-get install chromium")


def photograph(
    url: str, password: str, path: Path, *, width: int = WIDTH, height: int | None = HEIGHT, scheme: str = "light"
) -> None:
    """Sign in as the owner of the demo and store the page of the brand; without a `height` all of it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height or HEIGHT}, color_scheme=scheme)
        page.goto(f"{url}/")
        page.fill("input[name=username]", "demo@example.com")
        page.fill("input[name=password]", password)
        page.click("main button")
        page.get_by_role("link", name="Norrvik Cycles").click()
        page.wait_for_selector("svg.chart >> visible=true")
        page.screenshot(path=path, full_page=height is None)
        browser.close()


def main() -> None:
    """Make the picture anew."""
    browser_path()
    with tempfile.TemporaryDirectory(prefix="picture-") as folder:
        env = {name: value for name, value in os.environ.items() if name not in OURS} | {"VAR_DIR": folder}
        manage(env, "migrate", "--verbosity", "0")
        manage(env, "collectstatic", "--noinput", "--verbosity", "0")
        print("Seeding the demo …", flush=True)
        printed = manage(env, "seed_demo", seconds=SEED_SECONDS).stdout
        password = re.search(r"with the password (\S+)", printed)
        assert password, printed
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
        with live_process(command, env, url, "/readyz", 120):
            photograph(url, password[1], PICTURE)
    print(f"Wrote {PICTURE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()

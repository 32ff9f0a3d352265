"""The pictures of the documentation: `python -m tests.picture` serves a fresh demo and photographs its pages, and the
parts of the brand's page that answer the first questions.

Needs Chromium. The service runs in a folder of its own, which is gone afterwards. Each page is taken in both themes.
"""

import sys
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.questions import FOLDER as QUESTION_FOLDER
from tests.browser.questions import PAGE as QUESTION_PAGE
from tests.browser.questions import QUESTIONS, described
from tests.browser.serving import NO_BROWSER, Served, browser_path, served_demo
from tests.browser.watching import SCHEMES, open_tab
from tests.live import ROOT

FOLDER = ROOT / "docs" / "images"
SMALL_WEBP = {
    **{"format": "webp", "quality": 28},
    "clip": {"x": 0, "y": 0, "width": 1280, "height": 900, "scale": 0.75},
}
FRAME = """part => {
  part.style.outline = '4px solid #d9480f'; part.style.outlineOffset = '5px'; part.style.borderRadius = '3px';
}"""


@dataclass(frozen=True)
class Picture:
    """A page of the demo's brand, by its path below that of the brand, and how many pixels of it are shown."""

    name: str
    path: str
    height: int = 900


PICTURES = (
    Picture("brand-page", ""),
    Picture("recommendations", "/recommendations"),
    Picture("prompts", "/prompts"),
    Picture("audits", "/audits"),
)


def taken(browser: Browser, service: Served, folder: Path) -> Iterator[Path]:
    """Store each picture as the owner of the demo sees the page, light and dark."""
    for scheme in SCHEMES:
        tab = open_tab(browser, service.url, scheme=scheme)
        tab.sign_in(*service.owner)
        for picture in PICTURES:
            page = tab.go(service.brand + picture.path)
            page.set_viewport_size({"width": 1280, "height": picture.height})
            path = folder / f"{picture.name}-{scheme}.png"
            page.screenshot(path=path)
            yield path
        tab.page.context.close()


def framed(browser: Browser, service: Served) -> Iterator[Path]:
    """Store the first screen of the brand's page once for each question, with the part that answers it framed."""
    tab = open_tab(browser, service.url)
    tab.sign_in(*service.owner)
    page = tab.go(service.brand)
    channel = page.context.new_cdp_session(page)
    for question in QUESTIONS:
        part = page.locator(question.place).first
        part.evaluate(FRAME)
        shot = channel.send("Page.captureScreenshot", SMALL_WEBP)
        part.evaluate("part => { part.style.outline = '' }")
        path = ROOT / QUESTION_FOLDER / f"{question.name}.webp"
        path.write_bytes(b64decode(shot["data"]))
        yield path
    tab.page.context.close()


def main() -> None:
    """Make the pictures anew."""
    executable = browser_path()
    if executable is None:
        sys.exit(f"No picture was made. {NO_BROWSER}")
    print("Serving a fresh demo …", flush=True)
    (ROOT / QUESTION_FOLDER).mkdir(parents=True, exist_ok=True)
    (ROOT / QUESTION_PAGE).write_text(described())
    with served_demo() as service, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for path in chain(taken(browser, service, FOLDER), framed(browser, service)):
            print(f"Wrote {path.relative_to(ROOT)}.", flush=True)
        browser.close()


if __name__ == "__main__":
    main()

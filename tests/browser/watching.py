"""A page in a real browser, and all that must not happen on it: errors in the console, requests to other hosts,
answers that are no success, parts that stick out, and what axe-core finds."""

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SCHEMES = ("light", "dark")
WIDTHS = {1280: 900, 390: 844}
"""Width and height of a desk and of a phone."""
STICKS_OUT = """() => [...document.querySelectorAll('body *')].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.right > document.documentElement.clientWidth + 1
    && !element.closest('.scroll, .skip, [hidden]') && getComputedStyle(element).position !== 'fixed';
}).slice(0, 5).map(element => element.outerHTML.slice(0, 200))"""
WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
TEXT_OUTSIDE = """() => [...document.querySelectorAll('svg text')].filter(text => {
  const svg = text.ownerSVGElement.getBoundingClientRect(), box = text.getBoundingClientRect();
  return box.width && (box.left < svg.left - 1 || box.right > svg.right + 1
    || box.top < svg.top - 1 || box.bottom > svg.bottom + 1);
}).map(text => text.textContent)"""


@cache
def axe() -> str:
    """The script of axe-core, from the package that brings it."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text()


@dataclass
class Watched:
    """A tab of the browser at one address of the service, with what went wrong in it so far."""

    url: str
    page: Page
    troubles: list[str] = field(default_factory=list)

    @classmethod
    def in_context(cls, context: BrowserContext, url: str) -> "Watched":
        """A new tab, watched from its first request on."""
        watched = cls(url, context.new_page())
        page = watched.page
        page.on("console", lambda line: line.type == "error" and watched.troubles.append(f"console: {line.text}"))
        page.on("pageerror", lambda error: watched.troubles.append(f"script: {error}"))
        page.on("request", lambda request: watched._note_request(request.url))
        page.on("response", lambda response: watched._note_response(response.status, response.url))
        return watched

    def _note_request(self, url: str) -> None:
        if not url.startswith(("data:", "blob:")) and urlsplit(url).netloc != urlsplit(self.url).netloc:
            self.troubles.append(f"request to another host: {url}")

    def _note_response(self, status: int, url: str) -> None:
        if status >= 400:
            self.troubles.append(f"{status} for {url}")

    def go(self, path: str) -> Page:
        """Open an address of the service."""
        self.page.goto(self.url + path)
        return self.page

    def sign_in(self, email: str, password: str) -> None:
        """Through the form, as people do."""
        self.go("/login/")
        self.page.fill("input[name=username]", email)
        self.page.fill("input[name=password]", password)
        self.page.click("main button")

    def violations(self) -> list[str]:
        """What axe-core finds on the page as it stands: rule, help and the first elements. Evaluated by the browser's
        own channel, which no policy of the page stops."""
        self.page.evaluate(axe())
        found = self.page.evaluate("rules => axe.run({runOnly: rules})", RULES)["violations"]
        return [
            f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}" for rule in found
        ]

    def assert_sound(self) -> None:
        """No trouble so far, nothing outside of its place, no violation."""
        assert self.troubles == []
        assert self.page.evaluate(STICKS_OUT) == [], "sticks out of the page"
        assert self.page.evaluate(WIDER) is False, "wider than its window"
        assert self.page.evaluate(TEXT_OUTSIDE) == [], "text outside of its picture"
        assert self.violations() == []


def open_tab(browser: Browser, url: str, *, scheme: str = "light", width: int = 1280) -> Watched:
    """A tab of a browser that nobody has used before."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": WIDTHS[width]})
    return Watched.in_context(context, url)

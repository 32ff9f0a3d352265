"""A page in a real browser, and all that must not happen on it: errors in the console, requests to other hosts,
answers that are no success, parts that stick out, and what axe-core finds."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
AXE = "rules => axe.run({runOnly: rules, resultTypes: ['violations'], preload: false})"
SCHEMES = ("light", "dark")
WIDTHS = {1280: 900, 390: 844}
"""Width and height of a desk and of a phone."""
WAYS = [(scheme, width) for scheme in SCHEMES for width in WIDTHS]
EACH_ONCE = [("light", 1280), ("dark", 390)]
"""Each theme and each width once, where all four pairs would tell no more."""
STICKS_OUT = """() => [...document.querySelectorAll('body *')].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.right > document.documentElement.clientWidth + 1
    && !element.closest('.scroll, .skip, .away, .unseen, [hidden]') && getComputedStyle(element).position !== 'fixed';
}).slice(0, 5).map(element => element.outerHTML.slice(0, 200))"""
WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
TEXT_OUTSIDE = """() => [...document.querySelectorAll('svg text')].filter(text => {
  const svg = text.ownerSVGElement.getBoundingClientRect(), box = text.getBoundingClientRect();
  return box.width && (box.left < svg.left - 1 || box.right > svg.right + 1
    || box.top < svg.top - 1 || box.bottom > svg.bottom + 1);
}).map(text => text.textContent)"""

SHEET = {"width": 690, "height": 1000}
"""The part of an A4 sheet that is printed on, at 96 dots an inch."""
PRESSED = """() => [...document.querySelectorAll('button, nav, .skip')].filter(element => element.checkVisibility())
  .map(element => element.outerHTML.slice(0, 120)).slice(0, 5)"""
ACTS = """() => [...document.querySelectorAll('*:not(.swagger-ui *)')].flatMap(element => [
  ...element.getAttributeNames().filter(name => name.startsWith('on') || name === 'style' || name === 'srcdoc'),
  ...['href', 'src', 'action', 'formaction'].map(name => element.getAttribute(name) || '')
    .filter(address => /^[^/?#]*:/.test(address.trim()) && !/^(https?|mailto):/i.test(address.trim())),
].map(found => `${element.localName} ${found.slice(0, 100)}`)).slice(0, 5)"""
TURNS = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (/[\\u202a-\\u202e]/.test(texts.currentNode.data) && !element.closest('bdi, [dir], option, script, textarea'))
      found.push(element.outerHTML.slice(0, 160));
  }
  return found.slice(0, 5);
}"""
"""Text that reorders what stands beside it has to be in an element that keeps it to itself."""


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
        page.on("dialog", lambda dialog: (watched.troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
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
        self.page.evaluate(f"() => {{ if (!window.axe) {{ {axe()} }} }}")
        found = self.page.evaluate(AXE, RULES)["violations"]
        return [
            f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}" for rule in found
        ]

    def findings(self) -> list[tuple[str, str]]:
        """Each element that axe-core finds something at: the rule and its markup. It fetches no style sheet again, as
        `violations` does, which the policy of the page would write into the console."""
        self.page.evaluate(axe())
        ruled = self.page.evaluate("rules => axe.run({runOnly: rules, preload: false})", RULES)["violations"]
        return [(rule["id"], node["html"]) for rule in ruled for node in rule["nodes"]]

    def faults(self) -> list[str]:
        """All that is wrong with the page as it stands: trouble so far, what is out of its place, violations."""
        checks = {
            "sticks out of the page": STICKS_OUT,
            "text outside of its picture": TEXT_OUTSIDE,
            "acts by itself": ACTS,
            "turns the text beside it": TURNS,
        }
        faults = [*self.troubles, *self.violations()]
        faults += [f"{what}: {found}" for what, check in checks.items() if (found := self.page.evaluate(check))]
        faults += ["wider than its window"] if self.page.evaluate(WIDER) else []
        headings = self.page.locator("h1:visible").count()
        return faults if headings == 1 else [*faults, f"{headings} first headings"]

    def assert_sound(self) -> None:
        """Nothing is wrong with the page as it stands."""
        faults = self.faults()
        assert not faults, faults

    def _faults_on_paper(self) -> list[str]:
        """What would be cut off on a printed sheet, and what can only be pressed."""
        self.page.emulate_media(media="print")
        self.page.set_viewport_size(SHEET)
        checks = {"wider than a sheet": WIDER, "text outside of its picture": TEXT_OUTSIDE, "to be pressed": PRESSED}
        faults = [f"{what}: {found}" for what, check in checks.items() if (found := self.page.evaluate(check))]
        self.page.emulate_media(media="screen")
        return faults

    def faults_in(self, ways: Sequence[tuple[str, int]]) -> list[str]:
        """The faults of the page, loaded once: in these themes and widths, and on paper."""
        faults: dict[str, list[str]] = {}
        for scheme, width in ways:
            self.page.emulate_media(color_scheme=scheme)
            self.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
            for fault in self.faults():
                faults.setdefault(fault, []).append(f"{scheme} {width}")
        for fault in self._faults_on_paper():
            faults.setdefault(fault, []).append("print")
        self.troubles.clear()
        return [f"{fault} ({', '.join(ways)})" for fault, ways in faults.items()]


def open_tab(browser: Browser, url: str, *, scheme: str = "light", width: int = 1280, script: bool = True) -> Watched:
    """A tab of a browser that nobody has used before."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": WIDTHS[width]}, java_script_enabled=script
    )
    return Watched.in_context(context, url)


@contextmanager
def signed_in(browser: Browser, url: str, login: tuple[str, str]) -> Iterator[Watched]:
    """A tab of somebody who is signed in, for as long as the block runs."""
    tab = open_tab(browser, url)
    tab.sign_in(*login)
    yield tab
    tab.page.context.close()

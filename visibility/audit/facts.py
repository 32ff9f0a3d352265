"""The facts of an audit: what each address answered, what its pages say, robots.txt, sitemaps and probes.

All of it can be stored as JSON (`stored.py`), so that checks run again without the site. Lines count from 1 in
the HTML as it was sent; texts have their white space folded; addresses are absolute and without fragment.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from visibility.audit.addresses import joined, same_page
from visibility.audit.crawlers import Purpose
from visibility.audit.robots import RobotsRules
from visibility.audit.sentences import from_stored

PageKind = Literal[
    "home", "product", "pricing", "article", "listing", "about", "contact", "docs",
    "legal", "search", "login", "other",
]  # fmt: skip
"""What a page is for: `listing` shows many items of a kind, `article` is dated text, `docs` is reference."""
BlockKind = Literal["paragraph", "heading", "item", "table", "quote", "code"]
Meaning = Literal["published", "modified", ""]
ListedIn = Literal["robots.txt", "guess", "index"]
Place = Literal["navigation", "main", "footer", "other"]
ProbeName = Literal[
    "missing page", "plain http", "other host", "llms.txt", "markdown", "mcp.json", "api-catalog", "agent card", "ucp"
]
"""`other host`: the home page's twin, with `www.` where the site is without it, and the other way round."""
NOWHERE = 99
"""The depth of a page that no link led to."""
_REFRESH = re.compile(r"\s*+[\d.]*+(?:\s*[;,]|\s)\s*+(?:url\s*=)?+(?P<url>.+)", re.IGNORECASE)
AgentVerdict = Literal["same", "refused", "different", "unknown"]


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text and the line where it begins."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Meta:
    """A meta element: its name, property or http-equiv in lower case, and its content."""

    name: str
    content: str
    line: int


@dataclass(frozen=True, slots=True)
class HeadLink:
    """A link element, one for each word of its rel; `href` is its address as it is written."""

    rel: str
    url: str
    line: int
    hreflang: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 6."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """An anchor. `url` is empty where nothing can be followed (no href, a script); `href` as it is written."""

    url: str
    text: str
    line: int
    place: Place
    href: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the content: no tracking pixel, no decoration. `alt` is null where there is none."""

    src: str
    alt: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the main text, beginning at `offset` of it; `path`: the headings above it, outermost first."""

    kind: BlockKind
    text: str
    offset: int
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table of data, of three rows and columns or more; `quote`: its first row."""

    line: int
    header_cells: int
    quote: str


@dataclass(frozen=True, slots=True)
class Markup:
    """A block of structured data: its nodes, and why strict readers fail (`error`, on `error_line` of the page);
    it may have nodes even then."""

    syntax: Literal["json-ld", "microdata"]
    line: int
    nodes: tuple[dict[str, Any], ...] = ()
    error: str = ""
    error_line: int = 0


@dataclass(frozen=True, slots=True)
class PageDate:
    """A date that the page declares (`markup`, `meta`, `time`) or shows (`text`)."""

    day: date
    source: Literal["markup", "meta", "time", "text"]
    meaning: Meaning
    quote: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """A price in the visible text: the amount in digits with a point, the currency (ISO 4217), and how both are
    written. `main`: the price of what the page offers, as well as can be told."""

    amount: str
    currency: str
    written: str
    main: bool = False


@dataclass(frozen=True, slots=True)
class Hidden:
    """Text that people do not see and machines read, addressed to AI systems."""

    quote: str
    how: Literal["unicode", "style", "comment"]
    line: int


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """One HTML page as it is without scripts."""

    url: str
    kind: PageKind = "other"
    content_hash: str = ""
    """SHA-256 of the main text without the dates that it shows."""
    words: int = 0
    """Of the main text."""
    visible_words: int = 0
    visible_text: str = ""
    """Navigation and footer included; at most 400,000 characters."""
    lang_declared: str = ""
    lang_detected: str = ""
    """ISO 639-1; empty under 100 words, or where it cannot be told."""
    titles: tuple[Text, ...] = ()
    metas: tuple[Meta, ...] = ()
    head_links: tuple[HeadLink, ...] = ()
    headings: tuple[Heading, ...] = ()
    has_landmark: bool = False
    """A main or article element or role."""
    blocks: tuple[Block, ...] = ()
    """The main text, at most 200,000 characters."""
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    tables: tuple[Table, ...] = ()
    markup: tuple[Markup, ...] = ()
    dates: tuple[PageDate, ...] = ()
    prices: tuple[Price, ...] = ()
    illegible: str = ""
    """Why its characters cannot be read: what is wrong with the charset; empty where they can."""
    unquotable_words: int = 0
    """Of the main text, inside data-nosnippet."""
    client_rendered: str = ""
    """What shows that its text is in scripts or frames, or nowhere (`<div id="root"> is empty`); empty for none."""
    sentences: Mapping[str, Any] = field(default_factory=dict)
    """`illegible` and `client_rendered` with template and values, as `sentences.to_stored` writes them."""
    hidden: tuple[Hidden, ...] = ()
    cut: bool = False
    """The page was longer than the cap: this is its beginning."""

    def sentence(self, name: Literal["illegible", "client_rendered"]) -> str:
        """One of these two, with its template where it was stored."""
        text: str = from_stored(self.sentences.get(name, getattr(self, name)))
        return text

    def meta(self, *names: str) -> tuple[Meta, ...]:
        """The meta elements with one of these names."""
        return tuple(meta for meta in self.metas if meta.name in names)

    def linked(self, rel: str) -> tuple[HeadLink, ...]:
        """The link elements with this rel."""
        return tuple(link for link in self.head_links if link.rel == rel)

    @property
    def versions(self) -> tuple[HeadLink, ...]:
        """The links to its versions for other languages and places."""
        return tuple(link for link in self.linked("alternate") if link.hreflang)

    @property
    def canonical_url(self) -> str:
        """The address that it names as its canonical one, its own where it names none."""
        return next((link.url for link in self.linked("canonical")[:1] if link.url), self.url)

    @property
    def leads_to(self) -> str:
        """The other page that it sends browsers to (meta refresh); empty for none."""
        targets = (_REFRESH.match(meta.content) for meta in self.meta("refresh"))
        urls = (joined(self.url, target["url"].strip("\"' ")) for target in targets if target)
        return next((url for url in urls if not same_page(url, self.url)), "")

    @property
    def main_text(self) -> str:
        """A line for each block of it."""
        return "\n".join(block.text for block in self.blocks)

    @property
    def title(self) -> str:
        """The text of the first title element."""
        return self.titles[0].text if self.titles else ""

    @property
    def newest_shown(self) -> date | None:
        """The newest date that it shows to people."""
        return max((day.day for day in self.dates if day.source in ("time", "text")), default=None)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A page or file that could not be read within its limits, or is no HTML."""

    url: str
    reason: Literal["too_deep", "tag_too_large", "too_slow", "too_much_memory", "not_html", "broken"]
    detail: str
    """A sentence for people."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address answered. `status` is 0 where there was no answer; `error` is the reason then, `detail` a
    sentence."""

    url: str
    """As it was asked for."""
    status: int = 0
    final_url: str = ""
    """Where redirects led."""
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case."""
    hops: tuple[tuple[str, int], ...] = ()
    """The redirects that were followed: address and status."""
    bytes: int = 0
    cut: bool = False
    error: str = ""
    detail: str = ""
    challenge: bool = False
    """It asks visitors to prove that they are people."""
    unchanged: bool = False
    """It answered 304 to a conditional request: status and header are those of the earlier audit."""

    def header(self, name: str) -> str:
        """The values of a header field, joined by commas; empty without one."""
        return ", ".join(value for key, value in self.headers if key == name)

    @property
    def content_type(self) -> str:
        """The header field, as it was sent."""
        return self.header("content-type")

    @property
    def answered(self) -> bool:
        """Whether the address gave what it should: 200, and no error."""
        return self.status == 200 and not self.error

    @property
    def is_silent(self) -> bool:
        """Whether the host answers nothing for now: no answer, too many requests, or an error of its own."""
        return bool(self.error) or self.status == 429 or self.status >= 500


@dataclass(frozen=True, slots=True)
class SitePage:
    """An address of the crawl: what it answered, what it says. It is no page of its own where `aside` gives a reason
    (no HTML, another site, the same as another page)."""

    fetched: Fetched
    depth: int
    """Clicks from the home page."""
    parsed: ParsedPage | None = None
    unparsed: Unparsed | None = None
    aside: str = ""

    @property
    def url(self) -> str:
        """Where the page is: the address after redirects."""
        return self.fetched.final_url or self.fetched.url


@dataclass(frozen=True, slots=True)
class Robots:
    """robots.txt: what the address answered, and its rules as far as it is one."""

    fetched: Fetched
    rules: RobotsRules = field(default_factory=RobotsRules)

    @property
    def unreachable(self) -> bool:
        """Whether crawlers must take everything for disallowed (RFC 9309, 2.3.1.4)."""
        return self.fetched.status >= 500 or (not self.fetched.status and self.fetched.error != "too_many_redirects")

    def allows(self, agent: str, url: str) -> bool:
        """Whether an agent may fetch an address."""
        return not self.unreachable and self.rules.allows(agent, url)


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """An address that a sitemap lists, and its lastmod as written and in UTC (null where unreadable)."""

    url: str
    lastmod: datetime | None = None
    written: str = ""


@dataclass(frozen=True, slots=True)
class SitemapText:
    """What a sitemap file says. `kind` is empty where it is none; `total` counts what `entries` samples evenly;
    `children`: the files that an index lists; `problem`: a sentence."""

    kind: Literal["urlset", "index", "text", ""]
    entries: tuple[SitemapEntry, ...] = ()
    total: int = 0
    problem: str = ""
    children: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sitemap:
    """A sitemap file or index: what it answered, and what it says. `written`: how robots.txt names it, where that is
    no absolute address."""

    fetched: Fetched
    listed_in: ListedIn
    text: SitemapText
    written: str = ""


@dataclass(frozen=True, slots=True)
class SmallFile:
    """What the beginning (64 KB) of a small file says, such as llms.txt."""

    opening: str = ""
    characters: int = 0
    is_html: bool = False
    is_json: bool = False
    has_heading: bool = False
    has_link: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """One further address that was asked, with what its answer says where it is 200."""

    fetched: Fetched
    text: SmallFile = SmallFile()


@dataclass(frozen=True, slots=True)
class AgentProbe:
    """A page that was requested under the name of an AI crawler, and how the answer compares with the one to us.

    Only the user agent is the crawler's, not its address: sites that verify addresses may refuse such a request and
    let the crawler itself in. `refused`: a 4xx or 5xx, a challenge or no answer where we were let in before and after
    it. `different`: less than half or more than twice our words. `unknown`: throttled, or we were refused, too.
    """

    agent: str
    purpose: Purpose
    url: str
    fetched: Fetched
    verdict: AgentVerdict
    words: int | None = None
    our_words: int | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """All that checks read. Pages are in the order of the crawl, the home page first; without any, the site was
    audited from robots.txt alone."""

    home_url: str
    names: tuple[str, ...]
    """The brand's name and its aliases."""
    audited_at: datetime
    user_agent: str
    robots: Robots
    pages: tuple[SitePage, ...] = ()
    sitemaps: tuple[Sitemap, ...] = ()
    probes: Mapping[ProbeName, Probe] = field(default_factory=dict)
    agents: tuple[AgentProbe, ...] = ()
    sampled: tuple[Fetched, ...] = ()
    """Addresses that were asked for their status besides the pages."""
    earlier: Mapping[str, ParsedPage] = field(default_factory=dict)
    """What the audit before read, by address."""

    @property
    def home(self) -> SitePage | None:
        """The home page, where it was fetched."""
        return self.pages[0] if self.pages else None

    def parsed(self) -> tuple[ParsedPage, ...]:
        """What the pages say that were read."""
        return tuple(page.parsed for page in self.pages if page.parsed is not None)

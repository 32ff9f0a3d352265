"""What an audit knows of a site: what each address answered, what its pages say, robots.txt, sitemaps and probes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from visibility.audit.page import PageKind, ParsedPage, Unparsed
from visibility.audit.robots import RobotsRules

ProbeName = Literal[
    "missing page", "plain http", "other host", "neutral client", "llms.txt", "markdown", "mcp.json",
    "mcp server card", "api-catalog", "agent card", "ucp", "web bot auth", "tdmrep", "rsl",
]  # fmt: skip
"""`other host`: the home page's twin, on `www.` where the site stands without it, and without it where it has it."""
FoundBy = Literal["home", "sitemap", "link"]
AgentVerdict = Literal["same", "refused", "different", "unknown"]
Target = Literal["link", "canonical", "hreflang", "sitemap"]
"""What names an address that is asked for its status: an internal link, a canonical address, a version for another
language, a sitemap."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A redirect that was followed: the address that answered with it, and the status."""

    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address answered. `status` is 0 where there was no answer; `error` is the reason then, as the fetcher
    names it (`FetchError.reason`), `detail` a sentence."""

    url: str
    """As it was asked for."""
    status: int = 0
    final_url: str = ""
    """Where redirects led."""
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case."""
    hops: tuple[Hop, ...] = ()
    first_byte_seconds: float = 0.0
    bytes: int = 0
    cut: bool = False
    error: str = ""
    detail: str = ""
    unchanged: bool = False
    """Asked with the ETag or the time of an earlier audit, it answered 304: status, size and header fields are those
    of then, as far as the answer did not name new ones."""

    def header(self, name: str) -> str:
        """The values of a header, joined by commas; empty without one."""
        return ", ".join(value for key, value in self.headers if key == name)

    @property
    def answered(self) -> bool:
        """Whether the address gave a page: 200, and no error."""
        return self.status == 200 and not self.error


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of the crawl: how it was found, what it answered, what it says (null where it was not read)."""

    fetched: Fetched
    found_by: FoundBy
    depth: int
    """Clicks from the home page; 0 for the home page, 99 where no link led there."""
    parsed: ParsedPage | None = None
    unparsed: Unparsed | None = None
    linked_from: str = ""
    lastmod: date | None = None
    """From the sitemap."""

    @property
    def url(self) -> str:
        """Where the page stands: the address after redirects."""
        return self.fetched.final_url or self.fetched.url


@dataclass(frozen=True, slots=True)
class Robots:
    """robots.txt: what the address answered, and what its text says as far as it is one."""

    fetched: Fetched
    rules: RobotsRules = field(default_factory=RobotsRules)
    key: str = ""
    """Of the bytes that were read, so that the same bytes need not be read again."""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """An address that a sitemap lists, with the time it names (null where there is none or it is unreadable)."""

    url: str
    lastmod: datetime | None = None
    lastmod_text: str = ""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """A sitemap file or index: what it answered, and its entries (of an index: none, its files follow)."""

    fetched: Fetched
    listed_in: Literal["robots.txt", "guess", "index"]
    kind: Literal["urlset", "index", "text", "feed", ""] = ""
    """Empty where it is none of these."""
    entries: tuple[SitemapEntry, ...] = ()
    total: int = 0
    """Entries in the file, also those above the bound."""
    problem: str = ""
    """What is wrong with it, in a sentence."""
    written: str = ""
    """How robots.txt names it, where that is no absolute address; crawlers follow absolute ones only."""
    children: tuple[str, ...] = ()
    """The files that an index lists."""
    key: str = ""
    """Of the bytes that were read, so that the same bytes need not be read again."""


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What is told of a small file by its beginning (at most 64 KB)."""

    opening: str = ""
    """Its first characters, without white space around."""
    characters: int = 0
    """Without white space around."""
    is_html: bool = False
    is_json: bool = False
    """An object or list of JSON; a file that was cut begins like one."""
    has_heading: bool = False
    """A line that is a first heading of Markdown."""
    has_link: bool = False
    """A link of Markdown."""
    names_rsl: bool = False
    """It names the standard of RSL licences."""
    reservation: str = ""
    """Of a tdmrep.json, for the whole site: `0` mining is not reserved, `1` it is; empty where it says neither."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One further address that was asked, with what its answer says where it is 200."""

    fetched: Fetched
    text: TextFacts = TextFacts()
    key: str = ""
    """Of the bytes that were read, so that the same bytes need not be read again."""


@dataclass(frozen=True, slots=True)
class AgentProbe:
    """A page that was asked for under the name of an AI crawler, and how the answer compares with the one to us.

    Only the user agent is the crawler's, not its address: sites that verify addresses may refuse such a request and
    let the crawler itself in. Pages that robots.txt bars the crawler from are not asked for, and have no probe.
    """

    agent: str
    """The token, as in `checks.access.crawlers`."""
    purpose: Literal["search", "user", "training"]
    url: str
    """As it was asked for; the home page and two key pages, for training crawlers the home page only."""
    fetched: Fetched
    """The answer that the verdict is about: the second one where the first was not the same as ours."""
    verdict: AgentVerdict
    """`same`: the same status, and as much text. `refused`: a 4xx or 5xx, a challenge or no answer, where we were let
    in before and again after it. `different`: it led elsewhere, or has less than half or more than twice our words.
    `unknown`: throttled (429, 503), or we were not answered any more, either."""
    challenge: bool = False
    """It is a page that asks visitors to prove that they are people."""
    words: int | None = None
    """Of the main text; null where there is none to count."""
    our_status: int = 200
    our_bytes: int = 0
    our_words: int | None = None
    """What our own crawler got for the same address in this audit."""

    @property
    def status(self) -> int:
        """What the address answered; 0 where there was no answer."""
        return self.fetched.status


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many addresses of a kind were asked for, as pages or for their status, of how many that are known."""

    reached: int
    known: int


@dataclass(frozen=True, slots=True)
class EarlierPage:
    """What the audit before knew of a page."""

    content_hash: str
    visible_date: date | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """All that checks read. Pages stand in the order of the crawl, the home page first; without any, the site was
    audited from robots.txt alone."""

    home_url: str
    brand: str
    names: tuple[str, ...]
    """The brand's name and its aliases."""
    audited_at: datetime
    user_agent: str
    robots: Robots
    pages: tuple[SitePage, ...] = ()
    sitemaps: tuple[Sitemap, ...] = ()
    probes: Mapping[ProbeName, Probe] = field(default_factory=dict)
    sampled: tuple[Fetched, ...] = ()
    """Addresses that were asked for their status beside the pages: internal links, targets of canonical links and of
    language versions, addresses of sitemaps (HEAD, and GET where that is not answered with 2xx or 3xx)."""
    coverage: Mapping[Target, Coverage] = field(default_factory=dict)
    """By what names them: how many distinct addresses of the site were asked for, of how many. Kinds without any are
    left out."""
    agents: tuple[AgentProbe, ...] = ()
    """Pages asked for under the names of AI crawlers, in the order of `CRAWLERS`, the home page first."""
    linked_from: Mapping[str, str] = field(default_factory=dict)
    """The first page that links an address which was asked for."""
    earlier: Mapping[str, EarlierPage] = field(default_factory=dict)
    """By address."""
    out_of_bytes: bool = False
    """The audit had read all that one audit reads of a site, and left out the rest: pages that failed with
    `byte_budget`, addresses that were not asked for."""

    @property
    def home(self) -> SitePage | None:
        """The home page, where it was fetched."""
        return self.pages[0] if self.pages else None

    def parsed(self, *kinds: PageKind) -> tuple[ParsedPage, ...]:
        """What the pages say that were read; of these kinds, where any are named."""
        read = (page.parsed for page in self.pages if page.parsed is not None)
        return tuple(parsed for parsed in read if not kinds or parsed.kind in kinds)

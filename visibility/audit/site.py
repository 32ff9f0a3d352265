"""What an audit knows of a site: what each address answered, what its pages say, robots.txt, sitemaps and probes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from visibility.audit.page import PageKind, ParsedPage, Unparsed
from visibility.audit.robots import RobotsRules

ProbeName = Literal[
    "missing page", "plain http", "neutral client", "llms.txt", "markdown", "mcp.json", "mcp server card",
    "api-catalog", "agent card", "ucp", "web bot auth", "tdmrep", "rsl",
]  # fmt: skip
FoundBy = Literal["home", "sitemap", "link"]


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
    """Addresses of the sitemap and internal links that were asked for their status beside the pages."""
    linked_from: Mapping[str, str] = field(default_factory=dict)
    """The first page that links an address which was asked for."""
    earlier: Mapping[str, EarlierPage] = field(default_factory=dict)
    """By address."""

    @property
    def home(self) -> SitePage | None:
        """The home page, where it was fetched."""
        return self.pages[0] if self.pages else None

    def parsed(self, *kinds: PageKind) -> tuple[ParsedPage, ...]:
        """What the pages say that were read; of these kinds, where any are named."""
        read = (page.parsed for page in self.pages if page.parsed is not None)
        return tuple(parsed for parsed in read if not kinds or parsed.kind in kinds)

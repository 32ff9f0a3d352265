"""The brand's own pages, and which of them answers a question: by content, never by address alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Subquery
from django.db.models.functions import Left, Length

from brands.models import Brand
from brands.services.tracked import read_names
from visibility.audit.page import ParsedPage
from visibility.detection.citations.citations import find_citations
from visibility.detection.text.addresses import canonical_url
from visibility.detection.types import BRAND, Domains
from visibility.engines.protocol import Source
from visibility.measured.audits import finished_audits, read_pages
from visibility.models import Page, Run
from visibility.writers.passages import Held, Passages

MAX_PAGES = 300
"""Own pages that are looked at, those of the audit first, in the order of its crawl."""
MAX_STORED_PAGES = 2_000
"""Stored pages whose addresses are looked at."""
MAX_PAGE_TEXT = 60_000
MAX_TEXT = 4_000_000
"""Characters of one page and of all together."""
MAX_HEADINGS = 200
NO_ANSWER = frozenset({"search", "login", "legal"})
"""Kinds of pages that answer no buyer."""


@dataclass(frozen=True, slots=True)
class OwnPage:
    """A page of the brand: of its latest audit, or stored for local search below one of its domains. `text` has a
    line for each block, its headings among them."""

    url: str
    title: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """How well a page answers: `share` (0–1) of what is asked for is in its title, headings or text; `passage` is its
    best passage, verbatim but for its line breaks."""

    page: OwnPage
    share: float
    passage: str


@dataclass(frozen=True)
class OwnPages:
    """All own pages that are known; empty where none was read, which is not that there is none."""

    pages: Sequence[OwnPage]

    def best(self, question: str) -> Match | None:
        """The page that answers it best; None where no page shares a word that tells."""
        answering = self._passages.best(question)
        return self._match(answering) if answering else None

    def answers(self, question: str) -> Match | None:
        """The page that answers it well enough; None where none does."""
        answering = self._passages.best(question)
        return self._match(answering) if answering and answering.answers else None

    def best_answer(self, questions: Iterable[str]) -> Match | None:
        """The page that answers one of several questions well enough, by the largest share; the first of equals."""
        matches = [match for question in questions if (match := self.answers(question))]
        return max(matches, key=lambda match: match.share, default=None)

    def is_about(self, topic: str) -> bool:
        """Whether a page is about what people call so: its title or a heading, not a mention in passing."""
        return self._passages.is_title(topic)

    @cached_property
    def _passages(self) -> Passages:
        return Passages(self.pages)

    def _match(self, answering: Held) -> Match:
        return Match(self.pages[answering.page], round(answering.share, 2), answering.passage)


def read_own_pages(brand: Brand, *, titles_only: bool = False) -> OwnPages:
    """The own pages of the brand, in a fixed number of statements: those that its latest finished audit read, then
    stored ones at other addresses; `titles_only` leaves the texts of these out, for who asks what pages are about."""
    pages: dict[str, OwnPage] = {}
    lengths: dict[str, int] = {}
    audit = finished_audits(Run.objects.filter(brand=brand)).values("pk")[:1]
    for parsed in read_pages(Subquery(audit), MAX_PAGES):
        if parsed.kind not in NO_ANSWER:
            pages.setdefault(_address(parsed.url), as_own_page(parsed))
    for page, length in (_stored_titles if titles_only else _stored)(brand, MAX_PAGES - len(pages)):
        pages.setdefault(_address(page.url), page)
        lengths.setdefault(page.url, length)
    kept, total = [], 0
    for page in pages.values():
        total += len(page.text) or lengths.get(page.url, 0)
        if total > MAX_TEXT:
            break
        kept.append(page)
    return OwnPages(kept)


def own_domains(brand: Brand) -> Domains:
    """The brand's domains, as citations are told apart by them."""
    return Domains({BRAND: (brand.domain, *read_names(brand).domains)})


def is_own(url: str, domains: Domains) -> bool:
    """Whether the page lies on one of the brand's domains."""
    return any(citation.subject == BRAND for citation in find_citations([Source(url)], domains))


def as_own_page(page: ParsedPage) -> OwnPage:
    """A page that an audit read, as questions are compared with it."""
    headings = tuple(heading.text for heading in page.headings[:MAX_HEADINGS])
    title = page.titles[0].text if page.titles else next(iter(headings), "")
    return OwnPage(page.url, title, headings, page.main_text[:MAX_PAGE_TEXT])


def _stored(brand: Brand, most: int) -> list[tuple[OwnPage, int]]:
    """The pages of the corpus that lie on an own domain, with the length of their text; they have no headings."""
    domains = own_domains(brand)
    stored = Page.objects.filter(brand=brand).order_by("url")
    rows = stored.values_list("pk", "url")[:MAX_STORED_PAGES]
    chosen = [pk for pk, url in rows if is_own(url, domains)][:most]
    texts = stored.filter(pk__in=chosen).annotate(beginning=Left("text", MAX_PAGE_TEXT))
    rows = texts.values_list("url", "title", "beginning")
    return [(OwnPage(url, title, (), text), len(text)) for url, title, text in rows]


def _stored_titles(brand: Brand, most: int) -> list[tuple[OwnPage, int]]:
    """The same without the texts."""
    domains = own_domains(brand)
    stored = Page.objects.filter(brand=brand).order_by("url").annotate(length=Length(Left("text", MAX_PAGE_TEXT)))
    rows = stored.values_list("url", "title", "length")[:MAX_STORED_PAGES]
    return [(OwnPage(url, title, (), ""), length) for url, title, length in rows if is_own(url, domains)][:most]


def _address(url: str) -> str:
    """What two addresses of one page share."""
    return (canonical_url(url) or url).split("://", 1)[-1].removeprefix("www.").rstrip("/")

"""The brand's own pages, and which of them answers a question: by content, never by address alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, BinaryField, F, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Left

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, Slot
from brands.models import Brand
from brands.services.tracked import read_names
from visibility.audit.page import ParsedPage
from visibility.detection.citations.citations import find_citations
from visibility.detection.text.addresses import canonical_url
from visibility.detection.types import BRAND, Domains
from visibility.engines.protocol import Source
from visibility.measured.audits import finished_audits
from visibility.measured.page_facts import page_from_bytes
from visibility.models import AuditPage, Page, Run
from visibility.writers.passages import Held, Passages

MAX_PAGES = 300
"""Own pages that are looked at, those of the audit first, in the order of its crawl."""
MAX_STORED_PAGES = 2_000
"""Stored pages whose addresses are looked at."""
MAX_PAGE_TEXT = 60_000
MAX_TEXT = 4_000_000
"""Characters of one page and of all together."""
MAX_HEADINGS = 200
_AUDITED, _STORED = range(2)
_COLUMNS = ("part", "key", "facts", "url", "title", "place")
_MISSING = {
    "facts": Cast(Value(None), BinaryField()),
    **dict.fromkeys(("url", "title"), Value("", output_field=TextField())),
    "place": Value(0, output_field=BigIntegerField()),
}
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


class _Stored(NamedTuple):
    """A page that is stored for local search, without its text."""

    pk: int
    url: str
    title: str
    place: int


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

    @cached_property
    def _passages(self) -> Passages:
        return Passages(self.pages)

    def _match(self, answering: Held) -> Match:
        return Match(self.pages[answering.page], round(answering.share, 2), answering.passage)


def read_own_pages(brand: Brand) -> OwnPages:
    """The own pages of the brand, in three statements at most: those that its latest finished audit read, then stored
    ones at other addresses."""
    domains = own_domains(brand)
    pages: dict[str, OwnPage] = {}
    stored: list[_Stored] = []
    read: set[int] = set()
    for part, key, facts, *row in _ROWS.rows(None, brand_id=brand.pk):
        if part == _STORED and is_own(row[0], domains):
            stored.append(_Stored(key, *row))
        elif part == _AUDITED and key not in read:
            read.add(key)
            parsed = page_from_bytes(bytes(facts), parsed=True)
            if isinstance(parsed, ParsedPage) and parsed.kind not in NO_ANSWER:
                pages.setdefault(_address(parsed.url), as_own_page(parsed))
    chosen = stored[: MAX_PAGES - len(pages)]
    texts = _texts([page.pk for page in chosen])
    for page in chosen:
        pages.setdefault(_address(page.url), OwnPage(page.url, page.title, (), texts.get(page.pk, "")))
    kept, total = [], 0
    for own_page in pages.values():
        total += len(own_page.text)
        if total > MAX_TEXT:
            break
        kept.append(own_page)
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


def _rows(caller: Caller | None, brand_id: Slot) -> QuerySet[Any, Any]:
    """What the latest finished audit read, in the order of its crawl, then what is stored, by address; in one
    statement."""
    audit = finished_audits(Run.objects.filter(brand=brand_id)).values("pk")[:1]
    read = AuditPage.objects.filter(run=Subquery(audit), content__parsed=True)
    first = read.order_by("position").values("pk")[:MAX_PAGES]
    stored = Page.objects.filter(brand=brand_id)
    known = stored.order_by("url").values("pk")[:MAX_STORED_PAGES]
    audited: QuerySet[Any, Any] = _part(
        read.filter(pk__in=first), _AUDITED, key=F("content_id"), facts=F("content__facts"), place=F("position")
    )
    rows: QuerySet[Any, Any] = audited.union(
        _part(stored.filter(pk__in=known), _STORED, key=F("pk"), url=F("url"), title=F("title")),
        all=True,
    )
    return rows.order_by("page_part", "page_place", "page_url", "page_key")


def _part(rows: Any, part: int, **columns: Any) -> Any:
    every = {**_MISSING, **columns, "part": Value(part)}
    named = {f"page_{name}": every[name] for name in _COLUMNS}
    return rows.order_by().annotate(**named).values_list(*named)


_ROWS = Prepared(_rows)


def _texts(pages: Sequence[int]) -> dict[int, str]:
    """The beginnings of the texts of stored pages."""
    texts = Page.objects.filter(pk__in=pages).order_by().annotate(beginning=Left("text", MAX_PAGE_TEXT))
    return dict(texts.values_list("pk", "beginning"))


def _address(url: str) -> str:
    """What two addresses of one page share."""
    return (canonical_url(url) or url).split("://", 1)[-1].removeprefix("www.").rstrip("/")

"""Cited sources: one for each page, however its address is written, with its owner and the class of its site."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from visibility.detection.addresses import EXTRACT, host_of, registrable_domain
from visibility.detection.canonical import canonical_url

LONGEST_TITLE = 500
GROUNDING = "vertexaisearch.cloud.google.com"
"""Google's redirect: its title, not its address, names the site."""
# Result pages of searches, by the name before the public suffix: the path, and the parameters with the question.
# They are suggestions to search, not sources.
_SEARCHES: dict[str, tuple[str, set[str]]] = {
    "chatgpt": (r"/?", {"q", "hints"}),
    "google": (r"/search", {"q"}),
    "bing": (r"/(?:\w+/)?search", {"q"}),
    "duckduckgo": (r"/?(?:html/?)?", {"q"}),
    "yahoo": (r"/search(?:;.*)?", {"p"}),
    "yandex": (r"/search/?", {"text"}),
    "baidu": (r"/s", {"wd", "word"}),
    "ecosia": (r"/search", {"q"}),
    "brave": (r"/search", {"q"}),
    "startpage": (r"/(?:do|sp)/.*", {"query", "q"}),
    "perplexity": (r"/search(?:/.*)?", {"q"}),
}


class SourceClass(StrEnum):
    """What kind of site a source is."""

    OWN = "own"
    COMPETITOR = "competitor"
    REVIEW_SITE = "review_site"
    COMMUNITY = "community"
    NEWS = "news"
    REFERENCE = "reference"
    VIDEO = "video"
    SHOP = "shop"
    OTHER = "other"


_TABLE = tomllib.loads(Path(__file__).with_name("source_classes.toml").read_text(encoding="utf-8"))
_CLASSES = {name: SourceClass(kind) for kind, names in _TABLE["domains"].items() for name in names.split()}
"""By domain; an entry `amazon.*` covers the name below any public suffix."""
_BY_FIRST_LABEL = dict.fromkeys(_TABLE["community_hosts"].split(), SourceClass.COMMUNITY)
_BY_FIRST_LABEL |= dict.fromkeys(_TABLE["shop_hosts"].split(), SourceClass.SHOP)
_REFERENCE_SUFFIXES = frozenset(_TABLE["reference_suffixes"].split())


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited page; `position` counts from 1, `owner` is the key of the subject whose domain it is."""

    url: str
    domain: str
    title: str
    position: int
    owner: str | None
    source_class: SourceClass


def find_citations(
    sources: Iterable[Sequence[str]], domains: Mapping[str, Sequence[str]], *, brand: str
) -> list[Citation]:
    """The pages that an answer cites, in its order, without links to searches and what is no web address.

    `sources` are addresses with titles, and where known the site behind a redirect; `domains` those of each subject
    by its key, `brand` the key of the brand.
    """
    claimants = [*sorted(domains.keys() - {brand}, reverse=True), brand]  # of two that claim a domain, the brand
    claims = ((domain, key) for key in claimants for domain in domains.get(key, ()))
    owners = {host_of(canonical_url(f"https://{domain}") or domain): key for domain, key in claims}
    titles: dict[str, str] = {}
    sites: dict[str, str] = {}
    for address, title, *site in sources:
        url = canonical_url(address)
        if url and not is_search(url):
            titles[url] = titles.get(url) or _clean_title(title)
            sites[url] = sites.get(url) or "".join(site)
    citations = []
    for position, (url, title) in enumerate(titles.items(), 1):
        host = _host_behind(url, sites[url], title)
        owner = next((owners[name] for name in _names_above(host) if name in owners), None)
        if owner is None:
            source_class = class_of(host)
        else:
            source_class = SourceClass.OWN if owner == brand else SourceClass.COMPETITOR
        # A redirect that does not say where it leads is not passed off as a page of its operator.
        domain = host if host == GROUNDING else registrable_domain(host)
        citations.append(Citation(url, domain, title, position, owner, source_class))
    return citations


def is_search(url: str) -> bool:
    """Whether a canonical URL leads to the results of a search."""
    parts = urlsplit(url)
    path, parameters = _SEARCHES.get(EXTRACT(parts.hostname or "").domain, ("", set()))
    asked = {name for name, _ in parse_qsl(parts.query)}
    return re.fullmatch(path, parts.path) is not None and not parameters.isdisjoint(asked)


def class_of(host: str) -> SourceClass:
    """The class of a host by the longest entry of the table that covers it.

    Where no entry covers it, suffixes of schools and governments are reference, hosts that begin with `forum.` or the
    like are communities, with `shop.` shops. All others are "other": makers and blogs have no class.
    """
    suffix = EXTRACT(host).suffix
    names = [*_names_above(host)]
    if suffix and host.endswith(f".{suffix}"):
        names.append(host.removesuffix(f".{suffix}").rsplit(".", 1)[-1] + ".*")
    if listed := next((_CLASSES[name] for name in names if name in _CLASSES), None):
        return listed
    labels = suffix.split(".")
    if _REFERENCE_SUFFIXES & {labels[0], labels[-1]} or (labels[0] == "ac" and len(labels) > 1):
        return SourceClass.REFERENCE
    return _BY_FIRST_LABEL.get(host.split(".")[0], SourceClass.OTHER)


def _host_behind(url: str, *names: str) -> str:
    """The host of a page: behind Google's redirect the first that its domain and title name, if they do."""
    host = host_of(url)
    if host == GROUNDING:
        named = (name for name in names if "." in name and " " not in name and EXTRACT(name).suffix)
        return next((behind for name in named if (behind := host_of(name)) != GROUNDING), host)
    return host


def _names_above(host: str) -> Iterator[str]:
    """The host and the domains above it, the longest first."""
    labels = host.split(".")
    return (".".join(labels[start:]) for start in range(len(labels)))


def _clean_title(title: str) -> str:
    """The title on one line, without characters that cannot be stored or shown."""
    line = " ".join(title.split())
    return "".join(char for char in line if unicodedata.category(char) not in ("Cc", "Cs"))[:LONGEST_TITLE]

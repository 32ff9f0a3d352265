"""What a site says of itself: its names, what it sells, and with whom it compares itself, each with its place.

Nothing is invented: a proposal is words of the site, and without any there is none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from visibility.audit.addresses import domain_of, page_key, same_site, split
from visibility.audit.facts import ParsedPage
from visibility.audit.markup import Node, main_nodes, nodes_in, texts_of, types_of
from visibility.audit.sentences import say

MOST_NAMES, MOST_TOPICS, MOST_COMPETITORS = 5, 5, 10
LONGEST_NAME, LONGEST_TOPIC, MOST_TOPIC_WORDS = 60, 60, 5
LEAST_TITLES = 2
"""In so many titles a part is a name of the site, and no title of a page."""
MOST_LISTED = 5_000
_PUBLISHERS = frozenset({"Organization", "Corporation", "OnlineBusiness", "OnlineStore", "LocalBusiness", "Store",
                          "WebSite"})  # fmt: skip
_TITLE_PARTS = re.compile(r"\s+[|–—·•:»-]\s+|\s*[|·•»]\s*|:\s+")
_VERSUS = re.compile(r"(?P<left>[^|–—:?!(]+?)\s+(?:vs\.?|versus)\s+(?P<right>[^|–—:?!(,]+)", re.IGNORECASE)
_SLUG_VERSUS = re.compile(r"(?:(?P<left>[\w-]+?)-)?(?:vs|versus)-(?P<right>[\w-]+)", re.IGNORECASE)
_SLUG_ALTERNATIVE = re.compile(
    r"(?:alternativen?s?-(?:to|zu|de|a|von)-(?P<after>[\w-]+)|(?P<before>[\w-]+?)-alternativ(?:es?|en|as?))",
    re.IGNORECASE,
)
_SLUG_FOLDER = re.compile(r"vs|versus|alternatives?|alternativen?|alternative-to|alternatives-to", re.IGNORECASE)
_EXTENSION = re.compile(r"\.\w{2,5}\Z")
_OFFERS = frozenset({"Product", "ProductGroup", "SoftwareApplication", "WebApplication", "Service", "Offer"})
Texts = Sequence[tuple[str, ParsedPage]]
"""Titles, headings and words of links, each with its page."""
_UNTOLD = frozenset({"home", "about", "contact", "legal", "login", "search", "article", "docs", "pricing"})
"""Kinds of pages that are about no need of buyers."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Words of the site, and where they are; `domain` of a competitor, where the site links it. Words of menus and
    headings are not sure to be what buyers look for."""

    text: str
    because: str
    domain: str = ""
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a site says, the surest first."""

    names: Sequence[Proposal] = ()
    topics: Sequence[Proposal] = ()
    competitors: Sequence[Proposal] = ()


def propose(pages: Sequence[ParsedPage], domain: str, listed: Iterable[str] = ()) -> Proposals:
    """Proposals from the pages of a site, the home page first; `listed`: addresses of its sitemaps."""
    names = _names(pages, domain)
    own = {_folded(name.text) for name in names} | {_folded(domain.split(".")[0])}
    topics = [each for each in _topics(pages) if not _names_one(each.text, own)]
    competitors = _competitors(pages, list(listed)[:MOST_LISTED], own)
    return Proposals(names[:MOST_NAMES], topics[:MOST_TOPICS], competitors[:MOST_COMPETITORS])


def _names(pages: Sequence[ParsedPage], domain: str) -> list[Proposal]:
    found: dict[str, Proposal] = {}
    for text, because in _named(pages, domain):
        name = " ".join(text.split())
        if 1 < len(name) <= LONGEST_NAME and not re.match(r"https?:|www\.", name):
            found.setdefault(name.casefold(), Proposal(name, because))
    return list(found.values())


def _named(pages: Sequence[ParsedPage], domain: str) -> Iterator[tuple[str, str]]:
    """Names of the site, as its data and titles have them."""
    for page in pages[:1]:
        for meta in page.meta("og:site_name", "application-name"):
            yield meta.content, say("{name} of {place}", name=meta.name, place=_place(page))
    for page in pages:
        for node in (node for block in page.markup for node in main_nodes(block.nodes)):
            if types_of(node) & _PUBLISHERS and _is_own(node, domain):
                for name in texts_of(node, "name", "alternateName", "legalName"):
                    yield name, say("structured data of {place}", place=_place(page))
    parts = Counter(part for page in pages for part in {*_TITLE_PARTS.split(page.title)} if part)
    for part, number in parts.most_common():
        if number >= LEAST_TITLES and number > len(pages) / 2:
            yield part, say("titles of {number} pages", number=number)


def _is_own(node: Node, domain: str) -> bool:
    """Whether an organisation is the site's own: it has an address on the site, or none."""
    urls = [url for url in texts_of(node, "url", "@id") if domain_of(url)]
    return not urls or any(domain_of(url) == domain_of(f"https://{domain}/") for url in urls)


def _topics(pages: Sequence[ParsedPage]) -> list[Proposal]:
    """What the site sells: the categories that its data state, its breadcrumbs, then its menu as far as it leads to
    pages of products, and their headings."""
    found: dict[str, Proposal] = {}
    for text, because, is_sure in _sold(pages):
        topic = " ".join(text.split()).strip(" .")
        if 2 < len(topic) <= LONGEST_TOPIC and len(topic.split()) <= MOST_TOPIC_WORDS and not split(topic).scheme:
            found.setdefault(_folded(topic), Proposal(topic, because, is_sure=is_sure))
    return list(found.values())


def _sold(pages: Sequence[ParsedPage]) -> Iterator[tuple[str, str, bool]]:
    told = [page for page in pages if page.kind not in _UNTOLD]
    for page in told:
        yield from ((*each, True) for each in _categories(page))
    for page in told:
        yield from ((*each, True) for each in _breadcrumbs(page))
    general = [page for page in told if page.kind != "product"]
    keys = {page_key(page.url) for page in general}
    for page in pages[:1]:
        for link in page.links:
            if link.place == "navigation" and page_key(link.url) in keys:
                yield link.text, say("menu of {place}", place=_place(page)), False
    for page in sorted(general, key=lambda page: page.kind != "listing"):
        headings = [each.text for each in page.headings if each.level == 1]
        if len(headings) == 1:
            yield headings[0], say("heading of {place}", place=_place(page)), False


def _categories(page: ParsedPage) -> Iterator[tuple[str, str]]:
    for node in _nodes(page):
        if types_of(node) & _OFFERS:
            because = say("category in the data of {place}", place=_place(page))
            for name in texts_of(node, "category", "applicationSubCategory", "serviceType"):
                yield re.split(r"\s*[>/]\s*", name)[-1], because


def _breadcrumbs(page: ParsedPage) -> Iterator[tuple[str, str]]:
    """What is between the home page and the page itself."""
    for node in _nodes(page):
        if "BreadcrumbList" in types_of(node):
            names = [name for item in nodes_in(node.get("itemListElement")) for name in texts_of(item, "name")]
            because = say("breadcrumb of {place}", place=_place(page))
            yield from ((name, because) for name in list(dict.fromkeys(names))[1:-1])


def _competitors(pages: Sequence[ParsedPage], listed: Sequence[str], own: set[str]) -> list[Proposal]:
    """Whom the site compares itself with: by what pages, links and addresses of comparisons are called."""
    links = [(link.url, link.text, page) for page in pages for link in page.links if link.url]
    texts = [(text, page) for page in pages for text in (page.title, *(each.text for each in page.headings))]
    texts += [(text, page) for _, text, page in links]
    own_links = [url for url in (*(url for url, _, _ in links), *listed) if pages and same_site(url, pages[0].url)]
    outside = {_folded(domain_of(url).split(".")[0]): domain_of(url) for url, _, _ in links}
    found: dict[str, Proposal] = {}
    for text, because in (*_compared_in_words(texts, own), *_compared_in_addresses(own_links, texts, own)):
        name = _named_in(text)
        key = _folded(name)
        if len(key) > 1 and len(name) <= LONGEST_NAME and key not in own:
            found.setdefault(key, Proposal(name, because, outside.get(key, "")))
    return list(found.values())


def _compared_in_words(texts: Texts, own: set[str]) -> Iterator[tuple[str, str]]:
    for text, page in texts:
        for match in _VERSUS.finditer(text):
            because = say("“{text}” on {place}", text=text[:80], place=_place(page))
            if _folded(_named_in(match["left"], last=True)) in own:
                yield match["right"], because
            elif _folded(_named_in(match["right"])) in own:
                yield _named_in(match["left"], last=True), because


def _compared_in_addresses(urls: Iterable[str], texts: Texts, own: set[str]) -> Iterator[tuple[str, str]]:
    for url in urls:
        for slug in _compared_in(url, own):
            because = say("address {path}", path=split(url).path[:80])
            yield _as_written(slug, texts) or slug.replace("-", " "), because


def _compared_in(url: str, own: set[str]) -> Iterator[str]:
    """The names in the address of a comparison: `/acme-vs-beta`, `/vs/beta`, `/alternatives/beta`."""
    parts = [_EXTENSION.sub("", part) for part in unquote(split(url).path).split("/") if part]
    for place, part in enumerate(parts):
        if place and _SLUG_FOLDER.fullmatch(parts[place - 1]) and not re.search(r"\b(?:vs|versus)\b", part):
            yield part
        if match := _SLUG_VERSUS.fullmatch(part):
            left, right = match["left"] or "", match["right"]
            if _folded(left) in own or not left:
                yield right
            elif _folded(right) in own:
                yield left
        elif match := _SLUG_ALTERNATIVE.fullmatch(part):
            yield match["after"] or match["before"]


def _as_written(slug: str, texts: Texts) -> str:
    """How the site writes a name of an address; empty where it does not."""
    pattern = re.compile(r"\b" + r"[\s.&'-]*".join(map(re.escape, slug.split("-"))) + r"\b", re.IGNORECASE)
    return next((match[0] for text, _ in texts if (match := pattern.search(text))), "")


def _named_in(text: str, *, last: bool = False) -> str:
    """The name at the beginning of some words, or at their end (`last`): its words in capitals; of words without
    any, all of them."""
    words = text.split()
    if last:
        words = words[::-1]
    name: list[str] = []
    for word in words:
        if word == word.lower() and not word[:1].isdigit():
            break
        name.append(word)
    chosen = name or words
    return " ".join(chosen[::-1] if last else chosen).strip(" ,.;:!?\"'“”")


def _names_one(text: str, names: set[str]) -> bool:
    """Whether a text has one of these names."""
    words = text.split()
    spans = ("".join(words[first:last]) for first in range(len(words)) for last in range(first + 1, len(words) + 1))
    return any(_folded(span) in names for span in spans)


def _nodes(page: ParsedPage) -> Iterator[Node]:
    return (node for block in page.markup for node in nodes_in(block.nodes))


def _place(page: ParsedPage) -> str:
    return split(page.url).path or "/"


def _folded(text: str) -> str:
    """A name without case, spaces and signs."""
    return re.sub(r"[\W_]+", "", text).casefold()

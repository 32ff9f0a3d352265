"""The pages that a check looks at."""

from visibility.audit.addresses import is_private, page_key, split
from visibility.audit.facts import PageKind, ParsedPage, Site, SitePage

KEY_KINDS: tuple[PageKind, ...] = ("home", "product", "pricing", "article", "about", "contact", "docs")
"""Kinds of pages that a site wants to be discovered by."""
MIN_VISIBLE_WORDS = 20
"""The content of a page with fewer is not judged."""
_PAGES = frozenset({"", "html", "htm", "php", "asp", "aspx", "jsp"})
"""Endings of the names of pages; others are files."""


def readable(site: Site) -> list[ParsedPage]:
    """The pages that were read, without those for one visitor (login, search results)."""
    return [page for page in site.parsed() if page.kind not in ("login", "search")]


def content_pages(site: Site, *kinds: PageKind) -> list[ParsedPage]:
    """The pages with text, each address once, of these kinds if any are given; without those that only redirect."""
    pages: dict[str, ParsedPage] = {}
    for page in readable(site):
        if (not kinds or page.kind in kinds) and page.visible_words >= MIN_VISIBLE_WORDS and not page.leads_to:
            pages.setdefault(page_key(page.url), page)
    return list(pages.values())


def key_pages(site: Site) -> list[SitePage]:
    """Pages that were read and that the site wants to be discovered by: those of a key kind, and those that the home
    page links, but for private and legal ones."""
    return [page for page in site.pages if page.parsed is not None and _is_key(page, page.parsed)]


def is_public(url: str) -> bool:
    """Whether an address is that of a page for everybody: not private, no filter of a list, no file."""
    parts = split(url)
    name = parts.path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    return not parts.query and not is_private(url) and ending in _PAGES


def _is_key(page: SitePage, parsed: ParsedPage) -> bool:
    if page.depth == 0:
        return True
    if parsed.kind in ("login", "search", "legal") or is_private(page.url):
        return False
    return parsed.kind in KEY_KINDS or (page.depth == 1 and not split(page.url).query)

"""Which pages a check looks at, and how what it sees becomes an outcome."""

import re
from collections.abc import Mapping, Sequence

from apikeys.text.sentences import counted
from visibility.audit.checks.addresses import split
from visibility.audit.outcome import Evidence, Outcome, failed, not_applicable, passed
from visibility.audit.page import PageKind, ParsedPage
from visibility.audit.site import Site, SitePage

KEY_KINDS: tuple[PageKind, ...] = ("home", "product", "pricing", "article", "about", "contact", "docs")
"""Kinds of pages that a site wants to be found by."""
PRIVATE_KINDS: tuple[PageKind, ...] = ("login", "search", "legal")
_PRIVATE = re.compile(
    r"/(?:cart|basket|bag|checkout|kasse|warenkorb|panier|carrito|carrello|winkelwagen|varukorg|"
    r"account|my-?account|konto|compte|cuenta|profile|wishlist|favou?rites|compare|"
    r"log-?in|sign-?in|sign-?up|log-?out|register|registration|password|auth|admin|wp-admin|"
    r"search|suche|recherche|tags?|print|unsubscribe|thank-?you|danke|merci|preview|draft|404|not-found)"
    r"(?:[/._-]|$)",
    re.IGNORECASE,
)
"""Addresses that are rightly kept out of search: for one visitor, or of no use to others."""
_PAGES = frozenset({"", "html", "htm", "php", "asp", "aspx", "jsp"})
"""How the names of pages end; others are files."""


def readable(site: Site) -> list[ParsedPage]:
    """The pages that were read, without those for one visitor (login, search results)."""
    return [page for page in site.parsed() if page.kind not in ("login", "search")]


def key_pages(site: Site) -> list[SitePage]:
    """Pages that were read and that the site wants to be found by: those of a key kind, and those that the home page
    links, but for private and legal ones."""
    return [page for page in site.pages if page.parsed is not None and _is_key(page, page.parsed)]


def is_public(url: str) -> bool:
    """Whether an address is that of a page for everybody: not private, no filter of a list, no file."""
    parts = split(url)
    ending = parts.path.rpartition("/")[2].rpartition(".")[2].lower() if "." in parts.path.rpartition("/")[2] else ""
    return not parts.query and not _PRIVATE.search(parts.path) and ending in _PAGES


def _is_key(page: SitePage, parsed: ParsedPage) -> bool:
    if page.depth == 0 or parsed.kind == "home":
        return True
    parts = split(page.url)
    if parsed.kind in PRIVATE_KINDS or _PRIVATE.search(parts.path):
        return False
    return parsed.kind in KEY_KINDS or (page.depth == 1 and not parts.query)


def at_line(url: str, line: int, quote: str) -> Evidence:
    """What stands on a line of a page; line 0: somewhere on it."""
    return Evidence(url, f"line {line}" if line else "the page", quote)


def also(number: int, one: str = "page", many: str = "pages") -> str:
    """The sentence behind one about the first of so many: the same holds for the rest."""
    rest = counted(number - 1, f"more {one}", f"more {many}")
    return f"The same holds for {rest}." if number > 1 else ""


def outcome_of(
    looked_at: int, problems: Sequence[Evidence], words: Mapping[str, str], *, lost: float = 0.0, none: str = ""
) -> Outcome:
    """Passed without problems; else failed, with the share of what was looked at that has none. Each problem stands
    for an address of its own; `lost` as `Outcome` has it; `none`: why the check does not apply where nothing was
    looked at."""
    if not looked_at:
        return not_applicable(none or "No page was read.")
    if not problems:
        return passed()
    wrong = len({problem.url for problem in problems})
    return failed(evidence=tuple(problems), share=max(0.0, 1 - wrong / looked_at), words=words, lost=lost)

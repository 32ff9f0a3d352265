"""Whose pages the saved pages are: what tests of evidence read, and by which names the brand is known."""

from collections.abc import Collection, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tests.audit.parse import saved
from visibility.audit.page import ParsedPage
from visibility.audit.parse.parsing import parse_page

SHOPS = {
    "www.amazon.com": ("Amazon.com", "Amazon"),
    "www.amazon.de": ("Amazon.de", "Amazon"),
    "www.amazon.fr": ("Amazon.fr", "Amazon"),
    "www.argos.co.uk": ("Argos",),
    "www.bestbuy.ca": ("Best Buy",),
    "www.ebay.ca": ("eBay",),
    "www.ebay.co.uk": ("eBay",),
    "www.ebay.ie": ("eBay",),
    "www.ikea.com": ("IKEA",),
    "www.johnlewis.com": ("John Lewis",),
    "www.jumbo.ch": ("JUMBO",),
    "www.kiabi.com": ("Kiabi",),
    "www.laendleanzeiger.at": ("Ländleanzeiger",),
    "www.liveauctioneers.com": ("LiveAuctioneers",),
    "www.olx.com.pk": ("OLX",),
    "www.puntoticket.com": ("Punto Ticket",),
    "www.zalando.ie": ("Zalando",),
    "www.zara.com": ("ZARA",),
    "www.3suisses.fr": ("3 SUISSES",),
}
"""Brands of the saved shop pages in a language that evidence reads, by host."""
SITES = {"nutch": ("Nutch", "Apache Nutch"), "ofbiz": ("OFBiz", "Apache OFBiz")}
OTHERS = {
    "mozilla-1": (("Firefox", "Mozilla"), "https://www.mozilla.org/en-US/firefox/features/", False),
    "creativecommons.org.html": (("Creative Commons", "CC"), "https://creativecommons.org/about/", False),
    "belfusto.html": (("Belfusto", "Ergowear"), "https://www.belfusto.com/", True),
    "github.html": (("Microlink", "mql"), "https://github.com/microlinkhq/mql", True),
    "ebrosia.de.zinfandel.html": (("ebrosia",), "https://www.ebrosia.de/beringer-zinfandel-rose", False),
    "smava.de.privatkredit.html": (("smava",), "https://www.smava.de/privatkredit/", False),
    "theinsidersnet.com-wellaflex.html": (("Wellaflex", "Wella"), "https://www.theinsidersnet.com/features/", False),
}
"""Saved pages of a brand that came without their address: its names, the address to read them by, whether it is the
home page."""


NAMES = list(dict.fromkeys([*SITES.values(), *SHOPS.values(), *(names for names, _, _ in OTHERS.values())]))
"""Of all these brands."""
Pages = list[tuple[str, ParsedPage]]
"""Pages, each with its file."""


def brands(data: Path, chosen: Collection[tuple[str, ...]] = NAMES) -> Iterator[tuple[tuple[str, ...], Pages]]:
    """The names of each of the chosen brands with its saved pages."""
    pages: dict[tuple[str, ...], Pages] = {}
    seen = set()
    for page in saved.everything(data):
        names, url, home = _known(page)
        if names not in chosen or page.body in seen:
            continue
        seen.add(page.body)
        parsed = parse_page(page.body, url=url, content_type="text/html", is_home=home)
        if isinstance(parsed, ParsedPage):
            pages.setdefault(names, []).append((f"{page.group}/{page.name.lstrip('/')}", parsed))
    yield from pages.items()


def _known(page: saved.Saved) -> tuple[tuple[str, ...], str, bool]:
    if page.group in SITES:
        return SITES[page.group], page.url, page.name == "/"
    if page.name in OTHERS:
        return OTHERS[page.name]
    return SHOPS.get(urlsplit(page.url).netloc, ()), page.url, False

"""The kind of a page, by its structured data, its address, a price with a button to buy, and its text."""

import re
from urllib.parse import unquote, urlsplit

from visibility.audit.facts import PageKind, ParsedPage
from visibility.audit.markup import main_nodes, types_of

PRODUCTS = frozenset({"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Book"})
ARTICLES = frozenset({"Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "ScholarlyArticle", "HowTo"})
LISTINGS = frozenset({"CollectionPage", "ItemList", "SearchResultsPage", "Blog", "ProductCollection"})
_OF_TYPES: dict[str, PageKind] = {"ContactPage": "contact", "AboutPage": "about", "FAQPage": "docs"}
_SEGMENTS: tuple[tuple[PageKind, str], ...] = (
    ("login", r"log-?in|sign-?in|sign-?up|register|account|anmelden|connexion|mi-cuenta"),
    ("search", r"search|suche|recherche|buscar"),
    (
        "legal",
        r"privacy(?:-policy)?|terms(?:-[a-z-]+)?|imprint|impressum|legal(?:-notice)?|datenschutz\w*|agb|cookies?",
    ),
    ("pricing", r"pricing|prices?|plans?(?:-and-pricing)?|preise?|tarifs?|tarife|precios"),
    ("contact", r"contact(?:-us)?|kontakt|contacto|contactez-nous|get-in-touch|mailing-lists?"),
    ("about", r"about(?:-us|-[a-z]+)?|company|team|who-we-are|ueber-uns|über-uns|a-propos|sobre-nosotros|our-story"),
    (
        "docs",
        r"docs?|documentation|manual|reference|api|javadoc|faqs?|help|hilfe|aide|tutorials?|wiki|getting-started",
    ),
    ("product", r"products?|produkte?|produits?|productos?|dp|p|item|itm|shop|deal|sku|pdp?"),
    ("article", r"blog|news|articles?|posts?|stories|magazine?|guides?|press|insights|resources|actualites|ratgeber"),
    ("listing", r"categor(?:y|ies)|tags?|collections?|archives?|topics?|brands?|c|kategorie\w*|catalog(?:ue)?"),
)
_KIND_OF_SEGMENT = tuple(
    (kind, re.compile(rf"(?:{words})(?:\.(?:html?|php|aspx?))?", re.IGNORECASE)) for kind, words in _SEGMENTS
)
_DATED = re.compile(r"/(?:19|20)\d\d/(?:\d{1,2}|[a-z]{3})(?:/|-)")
BUY = re.compile(
    r"add[_-]?(?:item[_-]?)?to[_-]?(?:cart|basket|bag|trolley)|(?:cart|basket|warenkorb|panier)[_/-]?add"
    r"|buy[_-]?(?:now|box|button|btn)|(?:btn|button)[_-]?(?:buy|cart|basket)|purchase[_-]?(?:button|btn)|place[_-]?bid",
    re.IGNORECASE,
)
"""Names of buttons and forms that put something into a basket, in pages of any language."""
MAX_LOGIN = 1_500
"""Characters of visible text of a login page; shops have a form to log in on each page."""
MIN_ARTICLE, MIN_DATED_ADDRESS = 150, 50
"""Words of a text with a published date that make it an article; of one whose address says so."""
MAX_LINKED = 0.4
"""Share of a page's words that are in links of its content; above, it is a list."""


def page_kind(page: ParsedPage, *, is_home: bool, password: bool, buy: bool) -> PageKind:
    """The kind of a page by the first sign that shows one: it is the home page, asks for a password, what it says, or
    it has a button that puts something into a basket (`buy`)."""
    if is_home:
        return "home"
    if password and len(page.visible_text) < MAX_LOGIN:
        return "login"
    offer: PageKind | None = "product" if buy and _has_main_price(page) else None
    return _structured(page) or _address(page, buy) or offer or _text(page) or "other"


def _structured(page: ParsedPage) -> PageKind | None:
    named = [types_of(node) for block in page.markup for node in main_nodes(block.nodes)]
    types = {name for names in named for name in names}
    products = sum(not PRODUCTS.isdisjoint(names) for names in named)
    if products == 1 or (products and _has_main_price(page) and not types & LISTINGS):
        return "product"
    if types & ARTICLES:
        return "article"
    if types & LISTINGS:
        return "listing"
    return next((kind for name, kind in _OF_TYPES.items() if name in types), None)


def _address(page: ParsedPage, buy: bool) -> PageKind | None:
    path = unquote(urlsplit(page.url).path)
    if _DATED.search(path):
        return "article"
    segments = [segment for segment in path.split("/") if segment][:20]
    if segments and re.fullmatch(r"index\.(?:html?|php)", segments[-1]):
        segments.pop()
    for place, segment in enumerate(reversed(segments)):
        for named, pattern in _KIND_OF_SEGMENT:
            if pattern.fullmatch(segment) and (kind := _of_segment(page, named, buy=buy, last=place == 0)):
                return kind
    return None


def _of_segment(page: ParsedPage, kind: PageKind, *, buy: bool, last: bool) -> PageKind | None:
    """The kind of a page by a part of its address that names a kind; `last`: it is the last part."""
    if kind in ("product", "article") and last:
        return "listing"
    is_none = {
        "product": not (_has_main_price(page) or buy),
        "article": page.words < MIN_DATED_ADDRESS,
        **dict.fromkeys(("login", "search", "contact", "about", "pricing"), not last),
    }
    return None if is_none.get(kind) else kind


def _has_main_price(page: ParsedPage) -> bool:
    return any(price.main for price in page.prices)


def _text(page: ParsedPage) -> PageKind | None:
    if page.words >= MIN_ARTICLE and any(date.meaning == "published" for date in page.dates):
        return "article"
    inside = [link for link in page.links if link.place in ("main", "other") and link.url]
    linked = sum(len(link.text.split()) for link in inside)
    return "listing" if len(inside) > 20 and linked > MAX_LINKED * page.visible_words else None

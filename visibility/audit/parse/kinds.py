"""What a page is for: told from structured data, its address, its title and what stands in its text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from visibility.audit.page import Link, Markup, Meta, PageDate, PageKind, Price, Text, nodes_of, types_of

PRODUCTS = {"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Book"}
ARTICLES = {
    "Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "ScholarlyArticle", "HowTo", "Recipe",
    "LiveBlogPosting", "OpinionNewsArticle", "ReviewNewsArticle", "AnalysisNewsArticle",
}  # fmt: skip
_OF_TYPES: dict[str, PageKind] = {"ContactPage": "contact", "AboutPage": "about", "FAQPage": "docs"}
LISTINGS = {"CollectionPage", "ItemList", "SearchResultsPage", "Blog", "ProductCollection"}

_PATHS: tuple[tuple[PageKind, str], ...] = (
    ("login", r"log-?in|sign-?in|sign-?up|register|account|anmelden|connexion|mi-cuenta"),
    ("search", r"search|suche|recherche|buscar|find"),
    ("legal", r"privacy(?:-policy)?|terms(?:-(?:of|and)-[a-z-]+)?|imprint|impressum|legal(?:-notice)?|datenschutz\w*"
        r"|agb"
              r"|cookies?(?:-policy)?|disclaimer|mentions-legales|aviso-legal|conditions|licen[cs]es?|security-policy"),
    ("pricing", r"pricing|prices?|plans?(?:-and-pricing)?|preise?|tarifs?|tarife|precios|plans-pricing"),
    ("contact", r"contact(?:-us)?|kontakt|contacto|contactez-nous|get-in-touch|support|mailing-lists?"),
    ("about", r"about(?:-us|-[a-z]+)?|company|team|who-we-are|ueber-uns|uber-uns|über-uns|a-propos|sobre-nosotros"
        r"|our-story"
              r"|people(?:-credits)?|people-credits|unternehmen"),
    ("docs", r"docs?|documentation|manual|reference|api|javadoc|faqs?|help|help-center|hilfe|aide|tutorials?|wiki"
        r"|developers?"
             r"|getting-started|knowledge-base|handbook|release-notes|changelog"),
    ("product", r"products?|produkte?|produits?|productos?|dp|p|item|itm|shop|product_info\.php|deal|event[os]?|sku"
        r"|pdp?"),
    ("article", r"blog|news|articles?|posts?|stories|story|magazine|magazin|guides?|press|insights"
        r"|resources"
                r"|case-stud(?:y|ies)|user-stories|actualites|noticias|ratgeber|comparisons?|compare|vs|podcast"),
    ("listing", r"categor(?:y|ies)|tags?|collections?|archives?|topics?|brands?|c|kategorie\w*|catalog(?:ue)?"
        r"|authors?"),
)  # fmt: skip
_SEGMENTS = tuple(
    (kind, re.compile(rf"(?:{pattern})(?:\.(?:html?|php|aspx?))?", re.IGNORECASE)) for kind, pattern in _PATHS
)
_OF_ONE_PRODUCT = re.compile(r"dp|itm|product_info\.php|pdp|sku", re.IGNORECASE)
"""Segments that shops use for pages of one product only."""
_PAGED = re.compile(r"/page/\d+/?$", re.IGNORECASE)
_DATED = re.compile(r"/(?:19|20)\d\d/(?:\d{1,2}|[a-z]{3})(?:/|-)")
CART = re.compile(
    r"add[_-]?(?:item[_-]?)?to[_-]?(?:cart|basket|bag|trolley)|(?:cart|basket|warenkorb|panier)[_/-]?add"
    r"|buy[_-]?(?:now|box|button|btn|process)|(?:btn|button)[_-]?(?:buy|cart|basket)|purchase[_-]?(?:button|btn)|place[_-]?bid"
    r"|buyproduct",
    re.IGNORECASE,
)
"""Names of the buttons and forms that put something into a basket, whatever the language of the page."""
_BUY = re.compile(
    r"(?i)\b(?:add to (?:cart|basket|bag|trolley)|buy (?:it )?now|buy tickets|place bid|make an offer"
    r"|currently unavailable"
    r"|out of stock|in den warenkorb|in den einkaufswagen|zum warenkorb|jetzt kaufen|derzeit nicht verfügbar"
    r"|ajouter au panier|acheter|añadir (?:al carrito|a la cesta)|agregar al carrito|comprar|aggiungi al carrello"
    r"|adicionar ao carrinho|do koszyka|do košíka|do košíku|v košarico|u košaricu|kupi|pirkt|в корзину|купить)\b"
    r"|加入購物車|立即購買|구매하기"
)


@dataclass(frozen=True, slots=True)
class Forms:
    """What a page asks people for: how many passwords, and the name of a button or form that puts something into a
    basket (empty for none)."""

    passwords: int = 0
    cart: str = ""


@dataclass(frozen=True, slots=True)
class Signs:
    """What the kind of a page is told from. `words`: of the main text."""

    url: str
    is_home: bool
    words: int
    forms: Forms
    visible: str
    metas: tuple[Meta, ...]
    markup: tuple[Markup, ...]
    links: tuple[Link, ...]
    prices: tuple[Price, ...]
    dates: tuple[PageDate, ...]
    bylines: tuple[Text, ...]

    @classmethod
    def of(cls, url: str, *, is_home: bool, words: int, forms: Forms, said: dict[str, Any]) -> Self:
        """`said`: the fields of a `ParsedPage` by name."""
        named = {name: said[name] for name in ("metas", "markup", "links", "prices", "dates", "bylines")}
        return cls(url=url, is_home=is_home, words=words, forms=forms, visible=said["visible_text"], **named)

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.url).path)


MAX_LOGIN = 1_500
"""Characters of visible text; shops have a form to log in on each page."""
MIN_WORDS = 50
"""Words without which an address makes nothing an article."""
MIN_POST = 150
"""Words of a text that says when it was published."""
MIN_ARTICLE = 300
"""Words of a text with a date or an author that make it an article."""
MIN_TEXT = 1_200
"""Words that make a text an article without either."""
MAX_LINKED = 0.4
"""Share of a page's words that stand in links of its content; above, it is a list."""

Rule = Callable[[Signs], tuple[PageKind, str] | None]


def page_kind(signs: Signs) -> tuple[PageKind, str]:
    """The kind of a page and what tells it: the first of the rules that says something."""
    for rule in _RULES:
        if verdict := rule(signs):
            return verdict
    return "other", "nothing tells its kind"


def _home(signs: Signs) -> tuple[PageKind, str] | None:
    if signs.is_home:
        return "home", "it is the address of the site"
    return None


def _login(signs: Signs) -> tuple[PageKind, str] | None:
    if signs.forms.passwords and len(signs.visible) < MAX_LOGIN:
        return "login", "it asks for a password and says little else"
    return None


def _structured(signs: Signs) -> tuple[PageKind, str] | None:
    named = [name for block in signs.markup for node in block.nodes for name in _main_types(node)]
    types, products = set(named), sum(name in PRODUCTS for name in named)
    if products == 1:
        return "product", f"{_first(types, PRODUCTS)} in its structured data"
    if types & ARTICLES:
        return "article", f"{_first(types, ARTICLES)} in its structured data"
    og_type = next((meta.content.lower() for meta in signs.metas if meta.name == "og:type"), "")
    if og_type in ("product", "og:product", "product.item", "ebay-objects:item") and (signs.prices or _buy(signs)):
        return "product", f"og:type is {og_type}"
    if products and not types & LISTINGS and _main_price(signs):
        return "product", "Product in its structured data and one price"
    if types & LISTINGS:
        return "listing", f"{_first(types, LISTINGS)} in its structured data"
    return next(((kind, f"{name} in its structured data") for name, kind in _OF_TYPES.items() if name in types), None)


def _main_types(node: dict[str, object]) -> set[str]:
    """The types of a top-level node, of a graph's nodes, and of what a page says that it is about."""
    inside = nodes_of([node.get(name) for name in ("@graph", "mainEntity", "mainEntityOfPage")])
    return types_of(node).union(*(types_of(part) for part in inside))


def _first(types: set[str], of: set[str]) -> str:
    return sorted(types & of)[0]


def _address(signs: Signs) -> tuple[PageKind, str] | None:
    if _DATED.search(signs.path):
        return "article", "a date in the address"
    segments = [segment for segment in signs.path.split("/") if segment]
    if segments and segments[-1].lower() in ("index.html", "index.htm", "index.php"):
        segments.pop()
    for place, segment in enumerate(reversed(segments)):
        for kind, pattern in _SEGMENTS:
            if not pattern.fullmatch(segment):
                continue
            if verdict := _by_segment(signs, kind, segment, last=place == 0):
                return verdict
    return None


def _by_segment(signs: Signs, kind: PageKind, segment: str, *, last: bool) -> tuple[PageKind, str] | None:
    why = f"/{segment} in the address"
    if kind == "product":
        return _by_product_segment(signs, segment, last=last)
    if kind == "article":
        if last or _PAGED.search(signs.path):
            return "listing", f"{why} and no page of its own"
        return ("article", why) if signs.words >= MIN_WORDS else None
    if kind in ("login", "search", "contact", "about") and not last:
        return None
    if kind == "pricing" and not last:
        return None
    return kind, why


def _by_product_segment(signs: Signs, segment: str, *, last: bool) -> tuple[PageKind, str] | None:
    why = f"/{segment} in the address"
    if last:
        return "listing", why
    if _main_price(signs):
        return "product", f"{why} and a price"
    return ("product", why) if _OF_ONE_PRODUCT.fullmatch(segment) or _buy(signs) else None


def _shop(signs: Signs) -> tuple[PageKind, str] | None:
    main = _main_price(signs)
    if main and (button := _buy(signs)):
        return "product", f"a price ({main.written}) and “{button}”"
    og_type = next((meta.content.lower() for meta in signs.metas if meta.name == "og:type"), "")
    # Themes say so of each page: only with a date or an author it is one.
    if og_type == "article" and (signs.bylines or _dated(signs)):
        return "article", "og:type is article, and it has a date or an author"
    return None


def _dated(signs: Signs) -> bool:
    return any(date.source != "guess" for date in signs.dates)


def _buy(signs: Signs) -> str:
    match = _BUY.search(signs.visible)
    return match[0] if match else signs.forms.cart


def _main_price(signs: Signs) -> Price | None:
    return next((price for price in signs.prices if price.main), None)


def _text(signs: Signs) -> tuple[PageKind, str] | None:
    if signs.words >= MIN_POST and any(date.meaning == "published" for date in signs.dates):
        return "article", "it says when it was published"
    inside = [link for link in signs.links if link.place in ("main", "other") and link.url]
    linked = sum(len(link.text.split()) for link in inside)
    if len(inside) > 20 and linked > MAX_LINKED * len(signs.visible.split()) and signs.words < MIN_TEXT:
        return "listing", f"{len(inside)} links, and most of its words stand in them"
    if (signs.bylines or _dated(signs)) and signs.words >= MIN_ARTICLE:
        return "article", f"{signs.words:,} words and a {'byline' if signs.bylines else 'date'}"
    if signs.words >= MIN_TEXT:
        return "article", f"{signs.words:,} words of text"
    return None


_RULES: tuple[Rule, ...] = (_home, _login, _structured, _address, _shop, _text)

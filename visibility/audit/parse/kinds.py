"""What a page is for: told from structured data, its address, its title and what stands in its text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from visibility.audit.page import Heading, Link, Markup, Meta, PageDate, PageKind, Price, nodes_of, types_of

PRODUCTS = {"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Book"}
ARTICLES = {
    "Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "ScholarlyArticle", "HowTo", "Recipe",
    "LiveBlogPosting", "OpinionNewsArticle", "ReviewNewsArticle", "AnalysisNewsArticle",
}  # fmt: skip
LISTINGS = {"CollectionPage", "ItemList", "SearchResultsPage", "Blog", "ProductCollection"}

_PATHS: tuple[tuple[PageKind, str], ...] = (
    ("login", r"log-?in|sign-?in|sign-?up|register|account|anmelden|connexion|mi-cuenta"),
    ("search", r"search|suche|recherche|buscar|find"),
    ("legal", r"privacy(?:-policy)?|terms(?:-(?:of|and)-[a-z-]+)?|imprint|impressum|legal(?:-notice)?|datenschutz\w*|agb"
              r"|cookies?(?:-policy)?|disclaimer|mentions-legales|aviso-legal|conditions|licen[cs]es?|security-policy"),
    ("pricing", r"pricing|prices?|plans?(?:-and-pricing)?|preise?|tarifs?|tarife|precios|plans-pricing"),
    ("contact", r"contact(?:-us)?|kontakt|contacto|contactez-nous|get-in-touch|support|mailing-lists?"),
    ("about", r"about(?:-us|-[a-z]+)?|company|team|who-we-are|ueber-uns|uber-uns|über-uns|a-propos|sobre-nosotros|our-story"
              r"|people(?:-credits)?|people-credits|unternehmen"),
    ("docs", r"docs?|documentation|manual|reference|api|javadoc|faqs?|help|help-center|hilfe|aide|tutorials?|wiki|developers?"
             r"|getting-started|knowledge-base|handbook"),
    ("product", r"products?|produkte?|produits?|dp|p|item|itm|shop|product_info\.php|deal|evento|sku|pd"),
    ("article", r"blog|news|articles?|posts?|stories|story|magazine|magazin|guides?|press|release-notes|insights|resources"
                r"|case-stud(?:y|ies)|user-stories|actualites|noticias|ratgeber|comparisons?|compare|vs|podcast"),
    ("listing", r"categor(?:y|ies)|tags?|collections?|archives?|topics?|brands?|c|kategorie\w*|catalog(?:ue)?|authors?"),
)  # fmt: skip
_SEGMENTS = tuple(
    (kind, re.compile(rf"(?:{pattern})(?:\.(?:html?|php|aspx?))?", re.IGNORECASE)) for kind, pattern in _PATHS
)
_DATED = re.compile(r"/(?:19|20)\d\d/(?:\d{1,2}|[a-z]{3})(?:/|-)")
_BUY = re.compile(
    r"(?i)\b(?:add to (?:cart|basket|bag|trolley)|buy (?:it )?now|in den warenkorb|in den einkaufswagen|ajouter au panier"
    r"|añadir (?:al carrito|a la cesta)|agregar al carrito|aggiungi al carrello|adicionar ao carrinho|comprar|dodaj do koszyka"
    r"|vložiť do košíka|do košíka|přidat do košíku|v košarico|в корзину|купить|dodaj u košaricu|加入購物車|구매하기|place bid"
    r"|ielikt grozā|pirkt|acheter|jetzt kaufen|kupiti|naruči|zum warenkorb|أضف|make an offer|out of stock|in stock)\b"
)


@dataclass(frozen=True, slots=True)
class Signs:
    """What the kind of a page is told from."""

    url: str
    is_home: bool
    title: str
    visible: str
    words: int
    metas: tuple[Meta, ...]
    markup: tuple[Markup, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    prices: tuple[Price, ...]
    dates: tuple[PageDate, ...]
    bylines: int
    password_fields: int
    long_paragraphs: int

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.url).path)


Rule = Callable[[Signs], tuple[PageKind, str] | None]


def page_kind(signs: Signs) -> tuple[PageKind, str]:
    """The kind of a page and what tells it: the first of the rules that says something."""
    for rule in _RULES:
        if told := rule(signs):
            return told
    return "other", "nothing tells its kind"


def _home(signs: Signs) -> tuple[PageKind, str] | None:
    if signs.is_home:
        return "home", "it is the address of the site"
    return None


def _login(signs: Signs) -> tuple[PageKind, str] | None:
    if signs.password_fields and signs.words < 150:
        return "login", "it asks for a password and says little else"
    return None


def _structured(signs: Signs) -> tuple[PageKind, str] | None:
    types = {name for block in signs.markup for node in block.nodes for name in _main_types(node)}
    if (
        len(
            of_products := [
                1 for block in signs.markup for node in block.nodes for name in _main_types(node) if name in PRODUCTS
            ]
        )
        == 1
    ):
        return "product", f"{_first(types, PRODUCTS)} in its structured data"
    if types & ARTICLES:
        return "article", f"{_first(types, ARTICLES)} in its structured data"
    og_type = next((meta.content.lower() for meta in signs.metas if meta.name == "og:type"), "")
    if og_type in ("product", "og:product", "product.item", "ebay-objects:item") and (signs.prices or _buy(signs)):
        return "product", f"og:type is {og_type}"
    if of_products and not types & LISTINGS and _main_price(signs):
        return "product", "Product in its structured data and one price"
    if types & LISTINGS:
        return "listing", f"{_first(types, LISTINGS)} in its structured data"
    for kind, name in (("contact", "ContactPage"), ("about", "AboutPage"), ("docs", "FAQPage")):
        if name in types:
            return kind, f"{name} in its structured data"  # type: ignore[return-value]
    return None


def _main_types(node: dict[str, object]) -> set[str]:
    """The types of a top-level node, of a graph's nodes, and of what a page says that it is about."""
    found = set(types_of(node))
    for inside in (
        nodes_of([node.get("@graph"), node.get("mainEntity"), node.get("mainEntityOfPage")]) if node else []
    ):
        found |= types_of(inside) if inside is not node else set()
    return found


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
            if told := _by_segment(signs, kind, segment, last=place == 0):
                return told
    return None


def _by_segment(signs: Signs, kind: PageKind, segment: str, *, last: bool) -> tuple[PageKind, str] | None:
    why = f"/{segment} in the address"
    if kind == "product":
        return (
            ("product", f"{why} and a price")
            if not last and _main_price(signs)
            else ("listing", why)
            if last
            else None
        )
    if kind == "article":
        return ("listing", f"{why} at the end of the address") if last else ("article", why)
    if kind in ("login", "search", "contact", "about") and not last:
        return None
    if kind == "pricing" and not last:
        return None
    return kind, why


def _shop(signs: Signs) -> tuple[PageKind, str] | None:
    main = _main_price(signs)
    if main and (found := _buy(signs)):
        return "product", f"a price ({main.quote[:40]}) and “{found}”"
    og_type = next((meta.content.lower() for meta in signs.metas if meta.name == "og:type"), "")
    if og_type == "article":
        return "article", "og:type is article"
    return None


def _buy(signs: Signs) -> str:
    found = _BUY.search(signs.visible)
    return found[0] if found else ""


def _main_price(signs: Signs) -> Price | None:
    return next((price for price in signs.prices if price.main), None)


def _text(signs: Signs) -> tuple[PageKind, str] | None:
    dated = any(date.meaning or date.source != "guess" for date in signs.dates)
    if signs.long_paragraphs >= 3 and (signs.bylines or dated):
        return "article", f"{signs.long_paragraphs} paragraphs and a {'byline' if signs.bylines else 'date'}"
    inside = [link for link in signs.links if link.place in ("main", "other")]
    if len(inside) > 30 and signs.long_paragraphs < 3:
        return "listing", f"{len(inside)} links and little text"
    if signs.long_paragraphs >= 8:
        return "article", f"{signs.long_paragraphs} paragraphs of text"
    return None


_RULES: tuple[Rule, ...] = (_home, _login, _structured, _address, _shop, _text)

"""The prices in a page's visible text, and which of them is the price of what the page offers."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from lxml import html

from visibility.audit.page import Markup, Meta, Price, nodes_of
from visibility.audit.parse.document import Document, Line, folded
from visibility.audit.parse.money import Money, money_in, plain, same_amount

MAX_PRICES = 300
MAX_QUOTE = 120
MAX_LINE = 400
"""Characters of a line that can be the price of the offer; longer ones are prose that mentions amounts."""
MAX_LABEL = 40
"""Characters of a line that can be the label of the price below it."""
MIN_NAME = 8
MIN_WORTH = 1.5
NEAR = 60
"""Lines below the name of what is offered where its price stands."""

_DIGIT = re.compile(r"\d")
_STRUCK = re.compile(
    r"(?:^|[\s_-])(?:old|was|strike|striked|strikethrough|crossed|list-?price|rrp|uvp|before|original|previous)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_LINE_THROUGH = re.compile(r"text-decoration[^;]{0,200}line-through", re.IGNORECASE)
_OTHER_BEFORE = re.compile(
    r"(?i)\b(?:shipping|delivery|postage|versand(?:kosten)?|livraison|envío|spedizione|save|you save|économisez"
    r"|sie sparen|was"
    r"|rrp|msrp|uvp|statt|list price|au lieu de|prix conseillé|starting (?:price|bid)|est(?:imate|\.)?"
    r"|orders? over|from"
    r" only|deposit|import (?:fees|charges)|gift ?card|voucher|coupon|reserve)\b[^\d]{0,25}$|\+\s*$|建議售價|定價"
    r"|原價"
)
_OTHER_AFTER = re.compile(
    r"(?i)^\s*(?:/\s*(?:mo|month|monat|mois|mes)|(?:per|a|pro|par|al)\s+(?:month|monat|mois|mes)|monatlich|off\b|cashback"
    r"|rabatt|\(-?\d{1,2}\s?%\)|(?:shipping|delivery|versand|livraison)\b(?!\s*(?:free|gratuit)))"
)
_NET = re.compile(
    r"(?i)\b(?:bez dph|brez ddv|bez pdv|excl|ex\.? vat|ohne mwst|netto|hors taxes?|ht|sin iva|iva esclusa"
    r"|without tax)\b"
)
_LABEL = re.compile(
    r"(?i)(?:price|prix(?: de l['’]offre)?|preis|precios?|prezzo|preço|cena|ціна|цена|hinta|pris|now|our price"
    r"|jetzt|nu)"
    r"\s*:?\s*$|(?<!建議)(?:特價|售價|優惠價)[^$]{0,10}$"
)
_ASIDE = re.compile(
    r"related|recommend|similar|carousel|also|upsell|cross-?sell|recent|sponsored|suggest|teaser|mini-?cart|basket"
    r"|product-slider|listing",
    re.IGNORECASE,
)
_BASKET = re.compile(r"cart|basket|warenkorb|panier|carrito|header|total", re.IGNORECASE)
_PRICE_NAME = re.compile(r"price|prix|preis|precio|prezzo|amount|cost", re.IGNORECASE)
_OFFERS = ("price", "lowPrice", "highPrice")
_META_AMOUNTS = ("og:price:amount", "product:price:amount", "twitter:data1", "product:sale_price:amount")
_META_CURRENCIES = ("og:price:currency", "product:price:currency", "product:sale_price:currency")


@dataclass(frozen=True, slots=True)
class _Found:
    """A price with what tells whether it is the offer's: its line, and what stands before and after it."""

    price: Price
    line: Line
    position: int
    before: str
    after: str
    alone: bool


def prices(page: Document, metas: tuple[Meta, ...], markup: tuple[Markup, ...], lang: str) -> tuple[Price, ...]:
    """The prices that people see, in the order of the page; one of them is marked as the offer's."""
    amounts, currency = declared_offer(metas, markup)
    country = country_of(page.url, lang)
    candidates: list[_Found] = []
    for position, line in enumerate(page.lines):
        if _DIGIT.search(line.text):
            candidates.extend(_in_line(page, position, country, currency))
        if len(candidates) >= MAX_PRICES:
            break
    main = _main(page, candidates[:MAX_PRICES], amounts, metas)
    return tuple(replace(candidate.price, main=candidate is main) for candidate in candidates[:MAX_PRICES])


def _in_line(page: Document, position: int, country: str, currency: str) -> Iterator[_Found]:
    line = page.lines[position]
    amounts = list(money_in(line.text, country, currency))
    ends = [0, *(money.start + len(money.quote) for money in amounts)]
    starts = [*(money.start for money in amounts), len(line.text)]
    above = page.lines[position - 1].text if position else ""
    for place, money in enumerate(amounts):
        before = line.text[ends[place] : money.start]
        if not before.strip() and place == 0 and len(above) <= MAX_LABEL:
            before = above
        if float(money.amount) == 0 and _in_basket(line):
            continue
        yield _Found(
            Price(money.amount, money.currency, _quote(line.text, money), line.line, written=money.quote),
            line,
            position,
            before,
            line.text[ends[place + 1] : starts[place + 1]],
            len(money.quote) * 2 >= len(line.text),
        )


def declared_offer(metas: Iterable[Meta], markup: Iterable[Markup]) -> tuple[list[str], str]:
    """The amounts and the currency that structured data and meta elements name for the offer."""
    amounts: list[str] = []
    currency = ""
    for node in (node for block in markup for node in nodes_of(block.nodes, without=("Review",))):
        for name in _OFFERS:
            if isinstance(value := node.get(name), (str, int, float)) and re.search(r"\d", str(value)):
                amounts.append(plain(re.sub(r"[^\d.,]", "", str(value)).strip(".,")))
        if isinstance(node.get("priceCurrency"), str) and not currency:
            currency = node["priceCurrency"].strip().upper()
    for meta in metas:
        if meta.name in _META_AMOUNTS and re.search(r"\d", meta.content):
            amounts.append(plain(re.sub(r"[^\d.,]", "", meta.content).strip(".,")))
        if meta.name in _META_CURRENCIES and not currency:
            currency = meta.content.upper()
    return amounts, currency


def country_of(url: str, lang: str) -> str:
    """The country that a page is for, as far as its host or its language's region says: ISO 3166, lower case."""
    host = urlsplit(url).hostname or ""
    suffix = host.rsplit(".", 1)[-1]
    if len(suffix) == 2 and suffix not in ("io", "co", "ai", "me", "tv", "eu"):
        return suffix
    region = re.search(r"[-_]([A-Za-z]{2})$", lang)
    return region[1].lower() if region else ""


def _quote(text: str, money: Money) -> str:
    start = max(0, money.start - 40)
    return text[start : start + MAX_QUOTE].strip()


def _main(page: Document, candidates: list[_Found], amounts: list[str], metas: tuple[Meta, ...]) -> _Found | None:
    names = _name_lines(page, metas)
    best, score = None, MIN_WORTH
    for place, candidate in enumerate(candidates):
        distance = min((candidate.position - name for name in names if name <= candidate.position), default=-1)
        worth = _worth(candidate, distance, any(same_amount(candidate.price.amount, amount) for amount in amounts))
        if worth > 0 and any(_cheaper(candidate, other) for other in candidates[max(0, place - 1) : place + 2]):
            worth -= 1.0
        if worth > score:
            best, score = candidate, worth
    return best


def _name_lines(page: Document, metas: tuple[Meta, ...]) -> list[int]:
    """Where the name of what the page is about stands: lines that its titles begin with, else first headings."""
    titles = [meta.content for meta in metas if meta.name in ("og:title", "twitter:title")]
    titles += [folded("".join(title.itertext())) for title in page.root.iter("title")][:1]
    titles = [title.lower() for title in titles]
    lines = list(enumerate(page.lines))
    named = [
        position
        for position, line in lines
        if len(line.text) >= MIN_NAME and any(title.startswith(line.text.lower()) for title in titles)
    ]
    return named or [position for position, line in lines if _in_h1(line.element)]


def _worth(candidate: _Found, distance: int, declared: bool) -> float:
    """How much speaks for a price as the offer's; nothing for those in navigation and prose. `distance`: lines since
    the name of what is offered, negative where that does not stand above."""
    line, names = candidate.line, _names(candidate.line.element)
    signs = (
        bool(_PRICE_NAME.search(names)) * 1.5
        + bool(_LABEL.search(candidate.before)) * 1.0
        + 0.5 * candidate.alone
        + 4.0 * declared
    )
    if line.place in ("navigation", "footer") or len(line.text) > MAX_LINE or not signs:
        return 0.0
    worth = 1.0 + signs
    worth += 3.0 * (1 - distance / NEAR) if 0 <= distance < NEAR else -0.5 if distance < 0 else 0.0
    worth -= 3.0 * bool(_struck(line.element) or _STRUCK.search(names))
    worth -= 3.0 * bool(_OTHER_BEFORE.search(candidate.before[-60:]) or _OTHER_AFTER.search(candidate.after[:40]))
    worth -= 2.0 * bool(_ASIDE.search(names))
    return worth


def _in_basket(line: Line) -> bool:
    """Whether a line may be the sum of an empty basket, as headers show it: no price then."""
    return line.place in ("navigation", "footer") or _BASKET.search(_names(line.element)) is not None


def _cheaper(candidate: _Found, other: _Found) -> bool:
    """Whether another price beside this one is what it costs now: lower, but not a part of it."""
    if (
        abs(candidate.position - other.position) > 1
        or _NET.search(other.before[-30:])
        or candidate.price.currency != other.price.currency
        or float(candidate.price.amount) == 0
    ):
        return False
    return 0.2 < float(other.price.amount) / float(candidate.price.amount) < 0.999


def _names(element: html.HtmlElement) -> str:
    around = [element, *element.iterancestors()][:6]
    return " ".join(
        f"{parent.get('class') or ''} {parent.get('id') or ''} {parent.get('itemprop') or ''}" for parent in around
    )


def _struck(element: html.HtmlElement) -> bool:
    around = [element, *element.iterancestors()][:4]
    styles = (parent.get("style") or "" for parent in around)
    return any(parent.tag in ("del", "s", "strike") for parent in around) or any(map(_LINE_THROUGH.search, styles))


def _in_h1(element: html.HtmlElement) -> bool:
    return any(parent.tag == "h1" for parent in [element, *element.iterancestors()][:4])

"""The prices in a page's visible text, and which of them is the price of what the page offers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from lxml import html

from visibility.audit.page import Markup, Meta, Price, nodes_of
from visibility.audit.parse.document import Document, Line
from visibility.audit.parse.money import Money, money_in, plain, same_amount

MAX_PRICES = 300
MAX_QUOTE = 120
MAX_LINE = 400
"""Characters of a line that can be the price of the offer; longer ones are prose that mentions amounts."""
NEAR = 40
"""Lines below the first heading where the price of an offer stands."""

_STRUCK = re.compile(
    r"(?:^|[\s_-])(?:old|was|strike|striked|strikethrough|crossed|list-?price|regular|rrp|uvp|before|original|previous)(?:$|[\s_-])",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?i)\b(?:shipping|delivery|deliver|versand|livraison|envío|spedizione|save|you save|was|rrp|uvp|statt|list price|au lieu"
    r"|per month|/month|/mo|a month|monatlich|/monat|par mois|instal?ments?|gift ?card|orders? over|voucher|coupon|off"
    r"|cashback|deposit|postage|import|estimated|starting bid|ab einem)\b"
)
_ASIDE = re.compile(
    r"(?:related|recommend|similar|carousel|slider|also|upsell|cross-?sell|recent|sponsored|suggest|teaser|minicart|basket|cart-)",
    re.IGNORECASE,
)
_PRICE_NAME = re.compile(r"price|prix|preis|precio|prezzo|amount|cost", re.IGNORECASE)
_OFFERS = ("price", "lowPrice", "highPrice")
_META_AMOUNTS = ("og:price:amount", "product:price:amount", "twitter:data1", "product:sale_price:amount")
_META_CURRENCIES = ("og:price:currency", "product:price:currency", "product:sale_price:currency")


@dataclass(frozen=True, slots=True)
class _Found:
    price: Price
    line: Line
    position: int
    alone: bool


def prices(page: Document, metas: tuple[Meta, ...], markup: tuple[Markup, ...], lang: str) -> tuple[Price, ...]:
    """The prices that people see, in the order of the page; one of them is marked as the offer's."""
    amounts, currency = declared_offer(metas, markup)
    country = country_of(page.url, lang)
    found: list[_Found] = []
    for position, line in enumerate(page.lines):
        if not any(sign.isdecimal() for sign in line.text):
            continue
        for money in money_in(line.text, country, currency):
            price = Price(money.amount, money.currency, _quote(line.text, money), line.line, shown=money.quote)
            found.append(_Found(price, line, position, len(money.quote) * 2 >= len(line.text)))
        if len(found) >= MAX_PRICES:
            break
    main = _main(page, found, amounts)
    return tuple(replace(each.price, main=each is main) for each in found)


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


def _main(page: Document, found: list[_Found], amounts: list[str]) -> _Found | None:
    heading = next((position for position, line in enumerate(page.lines) if _in_h1(line.element)), 0)
    best, score = None, 0.0
    for each in found:
        worth = _worth(each, heading, amounts)
        if worth > score:
            best, score = each, worth
    return best


def _worth(each: _Found, heading: int, amounts: list[str]) -> float:
    """How much speaks for a price as the offer's; nothing for those that are struck out or of something else."""
    line = each.line
    if line.place in ("navigation", "footer") or len(line.text) > MAX_LINE:
        return 0.0
    declared = any(same_amount(each.price.amount, amount) for amount in amounts)
    worth = 1.0 + 6.0 * declared + 1.0 * each.alone
    distance = each.position - heading
    worth += 2.0 * (1 - distance / NEAR) if 0 <= distance < NEAR else -0.5 if distance < 0 else 0.0
    names = _names(line.element)
    worth += 1.5 * bool(_PRICE_NAME.search(names))
    worth -= 3.0 * bool(_struck(line.element) or _STRUCK.search(names))
    worth -= 2.0 * bool(_OTHERS.search(line.text))
    worth -= 2.0 * bool(_ASIDE.search(names))
    return max(worth, 0.01)


def _names(element: html.HtmlElement) -> str:
    around = [element, *element.iterancestors()][:6]
    return " ".join(
        f"{each.get('class') or ''} {each.get('id') or ''} {each.get('itemprop') or ''}" for each in around
    )


def _struck(element: html.HtmlElement) -> bool:
    return any(each.tag in ("del", "s", "strike") for each in [element, *element.iterancestors()][:4])


def _in_h1(element: html.HtmlElement) -> bool:
    return any(each.tag == "h1" for each in [element, *element.iterancestors()][:4])

"""The prices in a page's visible text, and which of them is the price of what the page offers."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from lxml import html
from price_parser import Price as Parsed

from visibility.audit.facts import Markup, Meta, Price
from visibility.audit.markup import nodes_in, numbers_of
from visibility.audit.read.document import Document, Line, around, folded

MAX_PRICES = 300
MAX_LINE = 400
"""Characters of a line that can be the price of the offer; longer ones are prose that mentions amounts."""
NEAR = 60
"""Lines below the name of what is offered where its price is."""
_TABLE = json.loads(Path(__file__).with_name("currencies.json").read_bytes())
CODES: frozenset[str] = frozenset(_TABLE["codes"])
"""Codes that shops write next to prices; not all of the 180 codes, some of which are words (ALL, TOP)."""
SIGNS: dict[str, str] = _TABLE["signs"]
SHARED: dict[str, dict[str, str]] = _TABLE["shared"]
"""Signs of several currencies, by the country of a host's name or a language's region."""
_SIGN = "|".join(re.escape(sign) for sign in sorted([*SIGNS, *map(str.lower, CODES)], key=len, reverse=True))
_SPACE = "[\u0020\u00a0\u2009\u202f]"
_NUMBER = (
    rf"\d{{1,3}}(?:(?:[.,'’]|{_SPACE})\d{{3}}){{1,6}}(?:[.,]\d{{1,2}})?(?!\d)|\d{{1,9}}(?:\s?[.,]\s?\d{{1,3}})?(?!\d)"
)
_MONEY = re.compile(
    rf"(?<!\w)(?P<before>{_SIGN})\.?{_SPACE}{{0,2}}(?P<follows>{_NUMBER})(?![^\W\d_])"
    rf"|(?<![\w.,])(?P<number>{_NUMBER})(?:,[-–—]{{1,2}}|\.-)?{_SPACE}{{0,2}}(?P<after>{_SIGN})(?![^\W\d_])",
    re.IGNORECASE,
)
_PRICE_NAME = re.compile(r"price|prix|preis|precio|prezzo|amount|cost", re.IGNORECASE)
_STRUCK = re.compile(
    r"(?:^|[\s_-])(?:old|was|strike\w*|crossed|list-?price|rrp|uvp|before|original|previous)(?:$|[\s_-])",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"related|recommend|similar|carousel|also|upsell|cross-?sell|recent|sponsored|suggest|cart|basket|slider|listing",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?i)\b(?:shipping|delivery|postage|versand(?:kosten)?|livraison|envío|save|sie sparen|économisez|statt)"
    r"\b[^\d]{0,25}$|\+\s*$"
)
_AMOUNTS = frozenset({"og:price:amount", "product:price:amount", "product:sale_price:amount"})
_CURRENCIES = frozenset({"og:price:currency", "product:price:currency", "product:sale_price:currency"})


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A price with its line, that line's position, and the text before it."""

    price: Price
    line: Line
    position: int
    before: str


def prices(page: Document, metas: tuple[Meta, ...], markup: tuple[Markup, ...], lang: str) -> tuple[Price, ...]:
    """The prices that people see, in the order of the page; one of them is marked as the offer's."""
    declared, currency = _declared(metas, markup)
    country = _country(page.url, lang)
    candidates: list[_Candidate] = []
    for position, line in enumerate(page.lines):
        above = page.lines[position - 1].text if position and len(page.lines[position - 1].text) <= 40 else ""
        for match in _MONEY.finditer(line.text):
            if price := _price(match, country, currency):
                before = line.text[max(0, match.start() - 60) : match.start()]
                candidates.append(_Candidate(price, line, position, before if before.strip() else above))
        if len(candidates) >= MAX_PRICES:
            break
    candidates = candidates[:MAX_PRICES]
    main = _main(page, candidates, declared, metas)
    return tuple(replace(each.price, main=each is main) for each in candidates)


def _price(match: re.Match[str], country: str, declared: str) -> Price | None:
    amount = Parsed.fromstring((match["follows"] or match["number"]).replace(" ", "")).amount
    if amount is None:
        return None
    sign = (match["before"] or match["after"]).lower()
    currency = sign.upper() if sign.upper() in CODES else SIGNS[sign]
    if choices := SHARED.get(sign):
        currency = declared if declared in {currency, *choices.values()} else choices.get(country, currency)
    return Price(f"{amount:f}", currency, match[0].strip())


def _declared(metas: Iterable[Meta], markup: Iterable[Markup]) -> tuple[set[float], str]:
    """The amounts and the currency that structured data and meta elements name for the offer."""
    amounts: set[float] = set()
    currency = ""
    for node in nodes_in([block.nodes for block in markup]):
        for name in ("price", "lowPrice", "highPrice"):
            amounts.update(float(number) for number in numbers_of(node.get(name)))
        if isinstance(node.get("priceCurrency"), str):
            currency = currency or node["priceCurrency"].strip().upper()
    for meta in metas:
        if meta.name in _AMOUNTS:
            amounts.update(float(number) for number in numbers_of(meta.content))
        if meta.name in _CURRENCIES:
            currency = currency or meta.content.upper()
    return amounts, currency


def _country(url: str, lang: str) -> str:
    """The country of a page by its host or the region of its language: ISO 3166, lower case; empty if unknown."""
    suffix = (urlsplit(url).hostname or "").rsplit(".", 1)[-1]
    if len(suffix) == 2 and suffix not in ("io", "co", "ai", "me", "tv", "eu"):
        return suffix
    region = re.search(r"[-_]([A-Za-z]{2})$", lang)
    return region[1].lower() if region else ""


def _main(
    page: Document, candidates: list[_Candidate], declared: set[float], metas: tuple[Meta, ...]
) -> _Candidate | None:
    """The likeliest price of the offer: declared, named as a price, near below the name, not struck through."""
    starts = _name_lines(page, metas)
    best, most = None, 1.5
    for place, each in enumerate(candidates):
        distance = min((each.position - start for start in starts if start <= each.position), default=-1)
        worth = _worth(each, distance, any(abs(float(each.price.amount) - amount) < 0.005 for amount in declared))
        if worth > 0 and any(_is_now(other, each) for other in candidates[max(0, place - 1) : place + 2]):
            worth -= 1.0
        if worth > most:
            best, most = each, worth
    return best


def _name_lines(page: Document, metas: tuple[Meta, ...]) -> list[int]:
    """Where the name of what the page is about is: lines that its titles begin with, else first headings."""
    titles = [meta.content for meta in metas if meta.name in ("og:title", "twitter:title")]
    titles += [folded("".join(title.itertext())) for title in page.root.iter("title")][:1]
    titles = [title.lower()[:500] for title in titles]
    named = [
        position
        for position, line in enumerate(page.lines)
        if 8 <= len(line.text) <= 500 and any(title.startswith(line.text.lower()) for title in titles)
    ]
    return named or [position for position, line in enumerate(page.lines) if line.element.tag == "h1"]


def _worth(each: _Candidate, distance: int, declared: bool) -> float:
    """How likely a price is that of the offer; 0 for those in navigation and prose. `distance`: lines since the name
    of the offer, negative where that is not above."""
    line, names = each.line, _names(each.line.element)
    alone = len(each.price.written) * 2 >= len(line.text)
    signs = 1.5 * bool(_PRICE_NAME.search(names)) + 0.5 * alone + 4.0 * declared
    if line.place in ("navigation", "footer") or len(line.text) > MAX_LINE or not signs:
        return 0.0
    worth = 1.0 + signs
    worth += 3.0 * (1 - distance / NEAR) if 0 <= distance < NEAR else -0.5 if distance < 0 else 0.0
    worth -= 3.0 * (_is_struck(line.element) or bool(_STRUCK.search(names)))
    worth -= 3.0 * bool(_OTHER.search(each.before))
    worth -= 2.0 * bool(_ELSEWHERE.search(names))
    return worth


def _is_now(other: _Candidate, each: _Candidate) -> bool:
    """Whether another price next to this one is the current one: lower, but not a part of it."""
    if abs(each.position - other.position) > 1 or each.price.currency != other.price.currency:
        return False
    whole = float(each.price.amount)
    return bool(whole) and 0.2 < float(other.price.amount) / whole < 0.999


def _names(element: html.HtmlElement) -> str:
    ups = around(element, 6)
    return " ".join(f"{up.get('class') or ''} {up.get('id') or ''} {up.get('itemprop') or ''}"[:500] for up in ups)


def _is_struck(element: html.HtmlElement) -> bool:
    ups = around(element, 4)
    return any(up.tag in ("del", "s", "strike") or "line-through" in (up.get("style") or "")[:1_000] for up in ups)

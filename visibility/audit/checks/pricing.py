"""Whether a page shows what it asks: a price with its currency, or how a price is made."""

import re

from visibility.audit.checks.nodes import all_nodes, texts_in
from visibility.audit.checks.phrases.phrases import Offers, Phrases, phrases_of
from visibility.audit.page import ParsedPage, Price

_AWAY = ("OutOfStock", "Discontinued", "SoldOut")
AROUND = 40
"""Characters beside an amount that tell what it is of."""


def priced(page: ParsedPage) -> bool | None:
    """Whether the visible text of a page has a price, or says how one is made. Null where that cannot be told: the
    page was cut, offers nothing now, or is in a language without phrases."""
    if any(price.main for price in page.prices):
        return True
    phrases = phrases_of(page)
    if any(not _beside(price, page, phrases) for price in page.prices):
        return True
    if phrases is None or page.cut:
        return None
    if _says_how(page, phrases.offers):
        return True
    return None if _is_away(page, phrases.offers) else False


def _says_how(page: ParsedPage, offers: Offers) -> bool:
    """Whether the page says how a price is made, or that it is free."""
    text = page.visible_text
    gifts = [_around(text, *match.span()) for match in offers.free.finditer(text)]
    free = any(not offers.beside.search(around) for around in gifts)
    on_request = page.kind == "pricing" and any(offers.ask.search(part) for part in _content(page))
    return free or on_request or offers.quotes.search(text) is not None


def _content(page: ParsedPage) -> list[str]:
    return [page.main_text, *(link.text for link in page.links if link.place == "main")]


def _beside(price: Price, page: ParsedPage, phrases: Phrases | None) -> bool:
    """Whether an amount is no price of an offer, such as the value of an order from which delivery is free."""
    if phrases is None:
        return False
    at = page.visible_text.find(price.quote)
    around = _around(page.visible_text, at, at + len(price.quote)) if at >= 0 else ""
    return phrases.offers.beside.search(f"{price.quote} {around}") is not None


def _around(text: str, start: int, end: int) -> str:
    return text[max(0, start - AROUND) : end + AROUND]


def _is_away(page: ParsedPage, offers: Offers) -> bool:
    """Whether what the page offers is not sold now: structured data says so, or where it is silent, the text."""
    said = [text for placed in all_nodes(page) for text in texts_in(placed.node, "availability")]
    if said:
        return all(re.split(r"[/#]", text)[-1] in _AWAY for text in said)
    return offers.unavailable.search(page.visible_text) is not None

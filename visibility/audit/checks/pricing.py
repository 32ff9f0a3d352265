"""Whether a page shows what it asks: a price with its currency, or how a price is made."""

import re

from visibility.audit.checks.nodes import all_nodes, texts_in
from visibility.audit.checks.phrases.phrases import Phrases, phrases_of
from visibility.audit.page import ParsedPage, Price

_AWAY = ("OutOfStock", "Discontinued", "SoldOut")
_AROUND = 60


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
    if phrases.offers.terms.search(page.visible_text):
        return True
    gone = phrases.offers.unavailable.search(page.main_text) or _declared_away(page)
    return None if gone else False


def _beside(price: Price, page: ParsedPage, phrases: Phrases | None) -> bool:
    """Whether an amount is no price of an offer, such as the value of an order from which delivery is free."""
    if phrases is None:
        return False
    at = page.visible_text.find(price.quote)
    around = page.visible_text[max(0, at - _AROUND) : at + len(price.quote) + _AROUND] if at >= 0 else ""
    return phrases.offers.beside.search(f"{price.quote} {around}") is not None


def _declared_away(page: ParsedPage) -> bool:
    said = [text for placed in all_nodes(page) for text in texts_in(placed.node, "availability")]
    return bool(said) and all(re.split(r"[/#]", text)[-1] in _AWAY for text in said)

"""Words of buying, selling and using: where they stand, a name that also means something else is likely a brand."""

import re
from functools import lru_cache

from visibility.detection.words import word_set

TRADE = word_set(
    """
    account accounts activewear ad ads agency airline airlines alternative alternatives annual api app apps backpack
    bank banking banks battery billing bike bikes boots brand brands browser budget buy buyers buying camera cameras
    campaign card cards carrier catalogue cell checkout cheap cheaper cheapest client clients clothing cloud
    company companies competitor competitors cost costs coupon coverage credit crm cushioned customer customers
    dashboard database dealer deals debit deposits delivery design discount discounts download earbuds ecommerce
    editor electronics encryption engine engines enterprise fee fees finance financing firm firms flights footwear
    free freelancers hardware headphones hosting hotel hotels insurance insured insurer integrate integrates
    integration integrations interface investors invoice invoices invoicing jacket jackets laptop laptops lender
    licence license loan loans logo loyalty luggage manufacturer manufacturers market marketing marketplace
    mattress mattresses membership messenger mileage model models monthly mortgage network offer offers online order
    orders outlet package payments payroll phone phones plan plans platform platforms plugin policy portal premium
    price priced prices pricing privacy product products provider providers purchase rates refund refunds rental
    rentals resale retailer retailers returns review reviews rewards rival rivals running saas sale sales savings
    sells sensors service services shares shipping shoe shoes shop shoppers shopping shops sizing skincare smartphone
    sneakers software speaker speakers stock stockists store stores streaming subscribers subscription subscriptions
    suitcase suitcases support supplier suppliers tablet team teams templates tier tiers tool tools tracker trackers
    trial tv user users vacuum vendor vendors version versions warranty watches wearable website wireless workspace
    """
)
"""Nouns and verbs of the trade, in lower case."""

_WORD = re.compile(r"[a-z]+")
_PRICE = re.compile(r"[$\u20ac\u00a3\u00a5]\s?\d|\d\s?[$\u20ac\u00a3\u00a5]")


@lru_cache(maxsize=2_048)
def speaks_of_trade(text: str) -> bool:
    """Whether a text has a word of the trade in it, or a price."""
    return not TRADE.isdisjoint(_WORD.findall(text.lower())) or _PRICE.search(text) is not None

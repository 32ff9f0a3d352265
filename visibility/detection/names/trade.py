"""Words of buying, selling and using: where they stand, a name that also means something else is likely a brand."""

import re
from functools import lru_cache

from visibility.detection.text.words import word_set

TRADE = word_set(
    """
    abbonamento abonnement account accounts achat activewear ad ads agency airline airlines alternative
    alternatives anbieter angebot annual api app apps backpack banco bank banking banks barato battery bike
    bikes billig billiger billing boots boutique brand brands browser budget buy buyers buying camera cameras
    campaign card cards carrier catalogue cell ch\u00e8re cheap cheaper cheapest checkout cher client clients
    clothing cloud companies company competitor competitors compte conto cost costa costs coupon coverage credit
    crm cuenta cushioned customer customers dashboard database dealer deals debit delivery deposits design
    discount discounts download earbuds ecommerce economico editor electronics encryption engine engines
    enterprise env\u00edo fee fees finance financing firm firms flights footwear frais free freelancers
    g\u00fcnstig g\u00fcnstiger g\u00fcnstigste goedkoop goedkoper gratis gratuit hardware headphones hosting
    hotel hotels insurance insured insurer integrate integrates integration integrations interface investors
    invoice invoices invoicing jacket jackets klanten konto kosten kostenlos kostet kunden laptop laptops lender
    licence license livraison loan loans logo loyalty luggage manufacturer manufacturers marca marcas marchio
    marke marken market marketing marketplace marque marques mattress mattresses membership merk messenger
    mileage model models monthly mortgage negozio network offer offers online order orders outlet package
    payments payroll phone phones plan plans platform platforms plugin policy portal precio precios preis preise
    premium prezzi prezzo price priced prices pricing prijs prijzen privacy prix prodotti product producto
    productos products produit produits produkt produkte provider providers purchase rabatt rates refund refunds
    rental rentals resale retailer retailers returns review reviews rewards rival rivals robust running saas
    sale sales savings sells sensors service services shares shipping shoe shoes shop shoppers shopping shops
    sizing skincare smartphone sneakers software speaker speakers spedizione startup startups stock stockists
    store stores streaming subscribers subscription subscriptions suitcase suitcases supplier suppliers support
    tablet tarif tarjeta team teams templates teuer teurer tienda tier tiers tool tools tracker trackers trial
    tv uhr uhren user users vacuum vendor vendors versand version versions vertrag warranty watches wearable
    website winkel wireless workspace
    """
)
"""Nouns and verbs of the trade, in lower case."""

_WORD = re.compile(r"[^\W\d_]+")
_PRICE = re.compile(r"[$\u20ac\u00a3\u00a5]\s?\d|\d\s?[$\u20ac\u00a3\u00a5]")


@lru_cache(maxsize=2_048)
def speaks_of_trade(text: str) -> bool:
    """Whether a text has a word of the trade in it, or a price."""
    return not TRADE.isdisjoint(_WORD.findall(text.lower())) or _PRICE.search(text) is not None

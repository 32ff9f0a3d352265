"""Prices and kinds of real shop pages, against what people read on them."""

import pytest

from tests.audit.parse.saved import products, said
from visibility.audit.parse.money import money_in, plain, same_amount
from visibility.audit.parse.parsing import parse_page

MISREAD = {
    "0d1c8923ac060254": "the page shows Rs 23,450, the gold has 23.450",
    "9f0c6ced874ae5c3": "the page shows $5.000 (Chilean pesos), the gold has 5",
}
"""Where the gold takes what parts thousands for a decimal point."""


@pytest.fixture
def pages(reference_data):
    return [(page, said(page)) for page in products(reference_data)]


def test_the_price_of_the_offer_is_the_one_that_people_read(pages):
    wrong, shown = {}, 0
    for page, found in pages:
        gold = page.gold.get("price")
        main = next((price for price in found.prices if price.main), None)
        if not gold:
            assert main is None, f"{page.url} offers nothing, yet {main} is said to be its price"
            continue
        shown += 1
        if main is None or not any(same_amount(main.amount, amount.strip()) for amount in gold):
            wrong[page.name] = (gold, main)
    assert shown == 44
    assert (shown - len(wrong)) / shown >= 0.95, wrong
    assert wrong.keys() == MISREAD.keys(), wrong


def test_the_currency_is_the_one_of_the_sign(pages):
    signs = {"€": "EUR", "£": "GBP", "CHF": "CHF", "EUR": "EUR", "NZD": "NZD", "ARS": "ARS", "zł": "PLN", "Kn": "HRK", "Rs": "PKR",
             "тг.": "KZT", "원~": "KRW", "ر.س": "SAR"}  # fmt: skip
    checked = 0
    for page, found in pages:
        sign = (page.gold.get("currency") or [""])[0]
        if sign in signs:
            checked += 1
            assert next(price for price in found.prices if price.main).currency == signs[sign], page.url
    assert checked >= 35
    by_host = {
        page.url.split("/")[2]: next((p.currency for p in found.prices if p.main), "") for page, found in pages
    }
    assert by_host["www.bestbuy.ca"] == "CAD"
    assert by_host["www.puntoticket.com"] == "CLP"


def test_a_product_page_is_told(pages):
    others = {page.url: found.kind_because for page, found in pages if found.kind != "product"}
    assert len(others) <= 0.05 * len(pages), others


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("€ 1.299,00", [("1299.00", "EUR")]),
        ("$1,299.50 or 24 × $54.15", [("1299.50", "USD"), ("54.15", "USD")]),
        ("CHF 19.50", [("19.50", "CHF")]),
        ("1 299 kr", [("1299", "SEK")]),
        ("1'250.00 CHF", [("1250.00", "CHF")]),
        ("49 890 тг.", [("49890", "KZT")]),
        ("£3", [("3", "GBP")]),
        ("19,- €", [("19", "EUR")]),
        ("5 % off, 12 May 2026, 3 items", []),
        ("call 555 1234", []),
        ("from 502,20 – 558,00 €", [("502.20", "EUR"), ("558.00", "EUR")]),
        ("The kn1ght paid 12 knights", []),
        ("0,00 €", []),
        ("100,000원", [("100000", "KRW")]),
    ],
)
def test_amounts_are_read_as_people_write_them(text, amounts):
    assert [(money.amount, money.currency) for money in money_in(text)] == amounts


def test_a_dollar_is_that_of_the_country_or_of_the_offer():
    assert [money.currency for money in money_in("$5", country="ca")] == ["CAD"]
    assert [money.currency for money in money_in("$5", declared="AUD")] == ["AUD"]
    assert [money.currency for money in money_in("$5", declared="EUR")] == ["USD"]


@pytest.mark.parametrize(
    ("written", "amount"), [("1.299", "1299"), ("12,5", "12.5"), ("1.2", "1.2"), ("1.234.567", "1234567")]
)
def test_separators(written, amount):
    assert plain(written) == amount


def offer(text):
    page = f"<html lang=en><head><title>Kettle A1 – Norrvik</title></head><body><main><h1>Kettle A1</h1>{text}</main></body></html>"
    found = parse_page(page.encode(), url="https://norrvik.example/kettle", content_type="text/html")
    return [price.amount for price in found.prices if price.main]


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("<p class=price>$49.00</p>", ["49.00"]),
        ("<p class=price><del>$59.00</del> $49.00</p>", ["49.00"]),
        ("<p class=old-price>$59.00</p><p class=price>$49.00</p>", ["49.00"]),
        ("<p class=price>$49<sup>99</sup></p>", ["49.99"]),
        ("<div>Price: $49.00</div><div>Shipping: $5.00</div>", ["49.00"]),
        ("<p>Save $10.00</p><p>$49.00</p>", ["49.00"]),
        ("<p>We have given $5,000 to a school in the town that we come from, as each year since we began.</p>", []),
        ("<p>No price here.</p>", []),
        ("<p class=price style='display:none'>$49.00</p>", []),
        ("<script>price = '$49.00'</script>", []),
        ("<noscript>$49.00</noscript>", []),
    ],
)
def test_which_price_is_the_offers(text, main):
    assert offer(text) == main

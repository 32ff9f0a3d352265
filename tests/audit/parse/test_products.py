"""Amounts of money, and which of a page's prices is the one of its offer."""

import pytest

from visibility.audit.parse.money import money_in, plain
from visibility.audit.parse.parsing import parse_page


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
        ("Free plan: 0 €", [("0", "EUR")]),
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
    head = "<head><title>Kettle A1 – Norrvik</title></head>"
    page = f"<html lang=en>{head}<body><main><h1>Kettle A1</h1>{text}</main></body></html>"
    found = parse_page(page.encode(), url="https://norrvik.example/kettle", content_type="text/html")
    return [price.amount for price in found.prices if price.main]


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("<div class=minicart>0,00 €</div><p class=price>$49.00</p>", ["49.00"]),
        ("<p class=price>0 €</p>", ["0"]),
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

"""Numbers in whatever way people write them, with what they count."""

from decimal import Decimal

import pytest

from visibility.evidence.positioning.quantities import quantities


def read(text):
    return [(max(each.values), each.unit) for each in quantities(text)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("over 1,000 customers", 1000, "customer"),
        ("mehr als 1.000 Kunden", 1000, "customer"),
        ("plus de 1\u202f000 clients", 1000, "customer"),
        ("más de 1.000 clientes", 1000, "customer"),
        ("over 1k customers", 1000, "customer"),
        ("1.5 million users", 1_500_000, "user"),
        ("1,5 Mio. Nutzer", 1_500_000, "user"),
        ("2 milliards d'utilisateurs", 2_000_000_000, "user"),
        ("99.9% uptime", Decimal("99.9"), "percent"),
        ("99,9 Prozent Verfügbarkeit", Decimal("99.9"), "percent"),
        ("30-hour battery", 30, "hour"),
        ("30h battery", 30, "hour"),
        ("30 Stunden Akku", 30, "hour"),
        ("30 heures d'autonomie", 30, "hour"),
        ("from $29 a month", 29, "dollar"),
        ("ab 29 € im Monat", 29, "euro"),
        ("500+ integrations", 500, ""),
        ("7,000 local shops", 7000, ""),
    ],
)
def test_values_and_units(text, value, unit):
    assert read(text) == [(Decimal(value), unit)]


@pytest.mark.parametrize(
    "text",
    [
        "since 1998",
        "in 2024 we",
        "open until 4pm",
        "at 7.30am",
        "version 2.1.4 is out",
        "the Forerunner 265 is",
        "the 255 Music model",
        "call 040/1234567",
        "a 10-in-1 shampoo",
        "built on Android5",
        "12:30",
        "no number",
    ],
)
def test_no_quantities(text):
    assert read(text) == []


def test_a_point_may_part_thousands_or_decimals():
    [quantity] = quantities("1.299 users")
    assert quantity.values == {Decimal(1299), Decimal("1.299")}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("30 hours", "24 h", True),
        ("30 hours", "30 minutes", False),
        ("31 countries", "40 Länder", True),
        ("500 shops", "600 small shops", True),
        ("500 shops", "600 employees", False),
        ("500 shops", "600 hours", False),
    ],
)
def test_what_can_be_compared(one, other, same):
    [first], [second] = quantities(one), quantities(other)
    assert first.same_kind(second) is same
    assert second.same_kind(first) is same


def test_many_numbers_end():
    assert len(list(quantities("1.000.000.000 " * 5_000))) <= 5_000
    list(quantities("1" * 50_000))
    list(quantities("1,000" * 10_000))

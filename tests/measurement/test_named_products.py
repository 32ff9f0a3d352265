"""What counts as naming a company: labels of shops, models of other makers, short and glued forms."""

import pytest

from visibility.detection.detector import detect
from visibility.detection.names.makers import makers_in
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name

ASKED = "which watch should I buy?"


def named(text, *names, prompt=ASKED):
    """What of the text counts as one of the names of one subject."""
    dictionary = Dictionary([Name("", name) for name in names])
    return [mention.text for mention in detect(Reading(text), prompt, dictionary)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A fine watch. Where to buy: Rivoo, Hollin. Rivoo sells the strap, too.", ["Rivoo"]),
        ("A fine watch.Where to buy:You can find it at shops like Rivoo or Hollin.", ["Rivoo"]),
        ("Where to buy: Rivoo: offers the widest choice of straps.", ["Rivoo"]),
        ("Where to buy: Rivoo, Hollin", []),
        ("Source: Rivoo has tested the watch", []),
        ("Deals:\n\n- Rivoo\n- Hollin", []),
        ("Deals:\n\n- Rivoo: the lowest price of the year\n- Hollin", ["Rivoo"]),
    ],
)
def test_a_label_of_shops_ends_at_its_stop_and_is_no_sentence(text, expected):
    assert named(text, "Rivoo") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Top picks:\n\n- Suvanto 5 Peak: light and durable",
        "A good case.Suvanto Peak 4: light and durable.",
        "Shark Peak Pro$199.004.5(2k+)Shark Ocean$99.004.1(3k+)",
        "Play Minefield: Peak Edition on a phone.",
        'It has a "Peak" mode for short runs.',
        "The album has songs like 'Peak Pony Club' and others.",
        "Use the Suvanto Peak. With it, a Peak watch costs more.",
    ],
)
def test_a_word_in_the_product_of_another_names_no_company(text):
    assert named(text, "Peak") == []


@pytest.mark.parametrize(
    "text",
    [
        "Top picks:\n\n- Peak Trail 5: light and durable",
        "I would take the Suvanto or a Peak watch.",
        "Peak Trail 5$199.004.5(2k+)Suvanto Ocean$99.004.1(3k+)",
        "Suvanto's Peak watch costs more.",
    ],
)
def test_the_company_of_that_name_counts(text):
    assert "Peak" in named(text, "Peak")


def test_a_product_that_stands_by_itself_first_counts_behind_its_owner():
    text = "Peak Fit Pro: light.\n\nApfel Peak Fit Pro$199.004.5(2k+)"
    assert named(text, "Peak") == ["Peak", "Peak"]


def test_makers_head_entries_and_product_cards():
    text = (
        "Shark Rocket$199.00Epsun Electric Brush: long life\n\nEpsun Sonic: short life\nBest Budget Pick: Suvanto 5"
    )
    assert makers_in(text) == {"Shark", "Epsun"}


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("WarmBeds", "The WarmBed is soft.", ["WarmBed"]),
        ("Marshalls", "The Marshall amplifier is loud.", []),
        ("ASUN", "Linkas VelopAsun ZenWifi$199", ["Asun"]),
        ("Tank", "Epsun EcoTank ET-28$199.00", []),
        ("AAA", "It needs two AAA batteries.", []),
        ("On", "Best Shoes Based On Comfort: Suvanto 5", []),
        ("X", "It was told in posts on X.", ["X"]),
    ],
)
def test_short_and_glued_forms(name, text, found):
    assert named(text, name) == found

"""What a sentence of a draft may say: honest ones pass, slander, inventions and praise without a row are refused."""

import pytest

from apikeys.resources import Worded
from tests.factories import BrandFactory, CompetitorFactory
from visibility.answers.detect import Reader
from visibility.content.brief import Brief
from visibility.content.checks import Checker, DraftText, refusal
from visibility.content.resources import Source
from visibility.content.words import Language

ROWS = [
    Source(id="P1", kind="prompt", text="Which e-bike is best for heavy riders and long rides?"),
    Source(id="F1", kind="page", about="Kryton", text="The battery of our bikes runs for 120 km in winter."),
    Source(id="F2", kind="page", about="Kryton", text="We offer a guarantee of five years on the battery."),
    Source(id="C1", kind="review", about="Kryton", text="The workshop mended it within a day."),
    Source(id="L1", kind="limit", about="Kryton", text="Kryton has few dealers"),
    Source(id="R1", kind="answer", about="Zentra", text="Zentra has an excellent battery and a soft saddle"),
    Source(id="R2", kind="answer", about="Zentra", text="Zentra lets you upgrade the motor, 250 W"),
    Source(id="R3", kind="answer", about="Velmora", text="Velmora is a light bike with good sound quality"),
    Source(id="G1", kind="gap", text="theft insurance"),
]
GERMAN = [
    Source(id="P1", kind="prompt", text="Welches E-Bike ist für lange Touren am besten?"),
    Source(id="F1", kind="page", about="Kryton", text="Der Akku unserer Räder hält im Winter 120 km."),
    Source(id="F2", kind="page", about="Kryton", text="Wir geben fünf Jahre Garantie auf den Akku."),
    Source(id="R1", kind="answer", about="Zentra", text="Zentra hat einen starken Motor und lässt sich nachrüsten."),
]


@pytest.fixture
def reader(db):
    brand = BrandFactory(name="Kryton", domain="kryton.example")
    for name in ("Zentra", "Velmora"):
        CompetitorFactory(brand=brand, name=name, domain=f"{name.lower()}.example")
    return Reader(brand)


def brief(reader, rows):
    return Brief(reader.brand, rows[0].text, Worded(""), "article", None, rows, is_read=True)


def problem(reader, rows, language, text, ids):
    """Why a sentence is refused; empty: it passes."""
    checker = Checker(reader, brief(reader, rows), Language(language))
    return "; ".join(each.reason for each in checker.sentence(text, ids.split()))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("The battery of our bikes runs for 120 km in winter.", "F1"),
        ("In winter, Kryton's battery runs for 120 km.", "F1"),
        ("On the battery there is a guarantee of five years.", "F2"),
        ("Our bikes run for 120 km in winter, and the battery has a guarantee of five years.", "F1 F2"),
        ("Kryton has few dealers.", "L1"),
        ("“The workshop mended it within a day.”", "C1"),
        ("Zentra has a soft saddle.", "R1"),
        ("Those who want to upgrade the motor are better served by Zentra.", "R2"),
        ("If you need a light bike, you should choose Velmora.", "R3"),
        ("This guide compares Kryton and Zentra.", ""),
        ("Read the comparison below.", ""),
        ("Which e-bike is best for long rides?", ""),
    ],
)
def test_honest_sentences_pass(reader, text, rows):
    assert problem(reader, ROWS, "english", text, rows) == ""


@pytest.mark.parametrize(
    ("text", "rows", "why"),
    [
        ("Velmora has bad sound quality and breaks after a year.", "R3", "bad, break, year"),
        ("Zentra has a bad battery.", "R1", "bad"),
        ("Zentra has no excellent battery.", "R1", "no"),
        ("Zentra doesn't have a soft saddle.", "R1", "doesn"),
        ("Zentra has the most excellent battery.", "R1", "most"),
        ("We guarantee the battery for life.", "F2", "life"),
        ("The battery has a guarantee of ten years.", "F2", "ten"),
        ("The battery runs for 150 km in winter.", "F1", "150"),
        ("Experts prefer our bikes.", "F1", "expert, prefer"),
        ("Experts prefer them.", "", "names no row"),
        ("They break after a year.", "", "names no row"),
        ("Kryton is best for heavy riders.", "", "names no row"),
        ("Kryton is best for heavy riders.", "P1", "names Kryton without a row"),
        ("Theft insurance is best for heavy riders.", "P1 G1", "asked or missing alone"),
        ("Kryton's battery is best for heavy riders.", "F1 P1", "best, heavi, rider"),
        ("Kryton has theft insurance.", "G1", "without a row on it"),
        ("Our battery is excellent.", "R1", "does not name it"),
        ("Kryton's battery is better than Zentra's.", "F1 R1", "more than one brand"),
        ("Zentra is better than Kryton.", "R1", "names Kryton without a row"),
        ("Zentra has a soft saddle and few dealers.", "R1 L1", "more than one brand"),
        ("Zentra runs for 120 km in winter.", "F1", "names Zentra without a row"),
        ("Our battery runs for 120 km, Zentra has an excellent battery.", "F1 R1", "more than one brand"),
        ("Velmora has a soft saddle.", "R1", "names Velmora without a row"),
        ("The battery runs in winter.", "F9", "no row F9"),
        ("The battery runs for 120 km in winter.", "F1 C1", "says nothing of row C1"),
        ("The battery runs in winter, see https://evil.example.", "F1", "an address"),
        ("Why does Zentra break after a year?", "", "names no row"),
        ("Is the battery dangerous?", "", "danger"),
    ],
)
def test_what_no_row_says_is_refused_with_the_reason(reader, text, rows, why):
    assert why in problem(reader, ROWS, "english", text, rows)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Im Winter hält der Akku unserer Räder 120 km.", "F1"),
        ("Auf den Akku geben wir fünf Jahre Garantie.", "F2"),
        ("Wer nachrüsten möchte, ist mit Zentra besser bedient, der Motor ist stark.", "R1"),
        ("Dieser Ratgeber vergleicht Kryton und Zentra.", ""),
        ("Welches E-Bike ist am besten?", ""),
    ],
)
def test_honest_german_sentences_pass(reader, text, rows):
    assert problem(reader, GERMAN, "german", text, rows) == ""


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Wir geben lebenslange Garantie auf den Akku.", "F2"),
        ("Zentra hat keinen starken Motor.", "R1"),
        ("Der Motor von Zentra geht nach einem Jahr kaputt.", "R1"),
        ("Fachleute ziehen unsere Räder vor.", "F1"),
        ("Kryton ist am besten für lange Touren.", "P1"),
        ("Der Akku von Zentra hält 120 km.", "F1"),
        ("Der Akku hält im Winter nicht 120 km.", "F1"),
    ],
)
def test_german_inventions_are_refused(reader, text, rows):
    assert problem(reader, GERMAN, "german", text, rows)


def draft(title="Which e-bike is best for long rides?", heading="Battery in winter", text="The battery has 120 km."):
    sections = [{"heading": heading, "sentences": [{"text": text, "rows": ["F1"]}]}]
    return DraftText.model_validate({"title": title, "sections": sections})


def test_a_draft_is_checked_in_its_own_language(reader):
    sentences = [{"text": "Im Winter hält der Akku unserer Räder 120 km.", "rows": ["F1"]}]
    found = {"title": "Welches E-Bike ist am besten?", "sections": [{"sentences": sentences}]}
    assert refusal(reader, brief(reader, GERMAN), DraftText.model_validate(found)) is None


@pytest.mark.parametrize(
    "more",
    [
        {"title": "Zentra burns houses down"},
        {"heading": "Zentra: a battery for winter"},
        {"heading": "An excellent battery"},
        {"heading": "<b>"},
    ],
)
def test_headings_are_checked_too(reader, more):
    assert refusal(reader, brief(reader, ROWS), draft()) is None
    assert refusal(reader, brief(reader, ROWS), draft(**more))


def test_a_page_is_put_together_by_code(reader):
    assert draft().markdown == "## Battery in winter\n\nThe battery has 120 km."

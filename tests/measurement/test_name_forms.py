"""Names in the forms that languages and pages give them: case endings, product cards, code, cells."""

import pytest

from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name, Policy


def found(text, *names, prompt="Which one should I buy?", policy=None):
    dictionary = Dictionary([Name(name, name, policy) for name in names])
    return [mention.text for mention in detect(Reading(text), prompt, dictionary)]


@pytest.mark.parametrize(
    ("text", "name", "counts"),
    [
        ("Fazerin Sininen on varma valinta.", "Fazer", True),
        ("W Decathlonie są tańsze, ale nie ma ich w sklepie.", "Decathlon", True),
        ("A Boschnak van erre külön feje, és az jó.", "Bosch", True),
        ("S Rossignolem se také nezklamete, ale je tvrdší.", "Rossignol", True),
        ("Samsungi kaamera on parem, aga see ei ole odav.", "Samsung", True),
        ("Rustan on a hill sells it, and that is all I know of the shop.", "Rust", False),
        ("Hos Rusta är den billig, och det är en bra butik.", "Rust", False),
    ],
)
def test_a_case_ending_counts_in_its_own_language_only(text, name, counts):
    assert found(text, name) == ([name] if counts else [])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("HDDSeagate Expansion 4 TB94,90 €", ["Seagate"]),
        ("55 Zoll TVLG C4 1.299 €", ["LG"]),
        ("4.4(5,012)X10 Pro$499.99iRobot j7$349", ["iRobot"]),
        ("Arena Cobra39,95 €★4,6Speedo Biofuse24,99 €", ["Speedo"]),
        ("A SonyTech stand is what I would take; prices start at $19.", []),
    ],
)
def test_a_name_is_told_from_its_neighbours_in_a_product_card(text, names):
    assert found(text, "Seagate", "LG", "iRobot", "Speedo", "Sony") == names


def test_a_word_in_small_letters_is_a_name_where_it_stands_alone_among_others():
    table = "| Tool | Speed |\n|---|---|\n| pandas | slow |\n| DuckDB | fast |\n"
    assert found(table, "Pandas", "DuckDB") == ["pandas", "DuckDB"]
    assert found("Use `black` and stop arguing.", "Black") == ["black"]
    assert found("The field `target` holds the user.", "Target") == []
    assert found("It is black and that suits it.", "Black") == []


def test_required_words_near_do_not_make_a_name_of_a_verb():
    policy = Policy(required_near=("ants",))
    text = "Raid bait stations kill ants. Raid the fridge less at night."
    assert found(text, "Raid", prompt="How do I stop ants?", policy=policy) == ["Raid"]


def test_html_entities_are_read_as_what_they_stand_for():
    assert found("<p>The Led&shy;vance tube and Fa&#103;e &amp; more.</p>", "Ledvance", "Fage") == [
        "Led&shy;vance",
        "Fa&#103;e",
    ]

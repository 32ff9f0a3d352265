"""Names that nobody tracks yet, and the makers behind them."""

import json
from collections import defaultdict

import pytest

from tests.reference import reference_file
from visibility.detection import Detector, Subject, makers
from visibility.detection.name_checks import words_among
from visibility.detection.untracked import name_key

QUESTION = "What are the best phones?"
ANSWER = """Here are the best phones:

1. **Apple iPhone SE**: small and fast
2. **Samsung Galaxy A54**: a bright screen
3. **The Nothing Phone**: looks different
4. **Motorola Edge**: cheap
"""


def names_in(text, tracked=(), addresses=(), prompt=QUESTION):
    detector = Detector(Subject(name, [name]) for name in tracked)
    return detector.detect(text, prompt, [(address, "") for address in addresses]).untracked


def test_the_names_of_entries_are_found_at_their_places_without_articles_and_model_numbers():
    found = names_in(ANSWER)
    assert [each.name for each in found] == ["Apple iPhone SE", "Samsung Galaxy", "Nothing Phone", "Motorola Edge"]
    assert [ANSWER[each.start : each.end] for each in found] == [each.name for each in found]


def test_a_name_that_is_tracked_is_not_offered():
    assert "Samsung Galaxy" not in [each.name for each in names_in(ANSWER, tracked=["Samsung"])]


def test_a_cited_domain_that_is_called_so_is_the_names():
    found = names_in(ANSWER, addresses=["https://www.motorola.com/edge", "https://nytimes.com"])
    assert {each.name: each.domain for each in makers([found])}["Motorola"] == "motorola.com"


def test_a_company_is_called_as_its_cited_domain_is_whatever_product_stands_behind_the_name():
    lines = ("Carl Vendrik The Core Trunk", "Carl Vendrik Weekender", "Zyxon Core Trunk")
    answers = [
        names_in(f"1. **{line}**: fine\n2. **Orva**: good", addresses=["https://www.carlvendrik.com/a"])
        for line in lines
    ]
    assert {"Carl Vendrik", "Zyxon"} <= {maker.name for maker in makers(answers)}


def test_a_name_of_plain_words_among_those_that_are_tracked_is_one():
    text = "1. **Samsung Odyssey**: fast\n2. **Dell Alienware**: fine\n3. **Nectar Classic Memory Foam**: soft\n"
    assert [each.name for each in names_in(text, tracked=["Samsung", "Dell"])] == ["Nectar Classic Memory Foam"]


def test_prose_and_advice_offer_nobody():
    assert not names_in("Consider the price and the screen. Many people like Samsung.", prompt="How do I choose?")


def test_the_maker_of_products_is_told_and_not_the_product():
    answers = [names_in(ANSWER), names_in(ANSWER.replace("Apple iPhone SE", "iPhone 15 Pro")), names_in(ANSWER)]
    found = {maker.name: maker.answers for maker in makers(answers)}
    assert found["Apple"] == 3
    assert "iPhone" not in found


def test_a_first_word_that_is_no_name_by_itself_is_offered_with_the_next():
    texts = (
        "Made In Nonstick",
        "Le Creuset Toughened Pan",
        "Made In CeramiClad",
        "Le Creuset Pan",
        "LG Pan",
        "LG Pot",
    )
    answers = [names_in(f"1. **{text}**\n2. **Zyxon Q1**\n3. **Orva**", prompt="best pans?") for text in texts]
    assert {"Made In", "Le Creuset", "LG"} <= {maker.name for maker in makers(answers)}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("[Zyxon 4500 Sq. Ft](https://zyxon.example/a)", "Zyxon"),
        ("Zyxon:contentReference[oaicite:3]{index=3}", "Zyxon"),
        ("Zyxon HD9650/96 Twin Star", "Zyxon"),
        ("Zyxon 8GB/128GB", "Zyxon"),
        ("4000", ""),
        ("145 pints", ""),
        ('10" Zyxon', ""),
        ("Type of", ""),
    ],
)
def test_numbers_units_and_cut_words_are_no_names(line, name):
    text = f'1. **{line}**\n2. **Orva**: 9" and 16GB\n3. **Kryloq**: 145 pints, 120 pints, 12" and 256GB'
    assert [each.name for each in names_in(text)] == [*filter(None, [name]), "Orva", "Kryloq"]


@pytest.mark.parametrize("word", ["Gaming", "Selection", "Feature-Rich"])
def test_a_plain_word_that_the_answer_writes_in_small_letters_is_no_name(word):
    text = f"1. **Zyxon**\n2. **Orva**\n3. **{word}**: good {word.lower()}, and much {word.lower()}"
    assert [each.name for each in names_in(text)] == ["Zyxon", "Orva"]


def test_a_heading_over_numbered_points_is_no_name():
    text = "**Zyxon Plugins:**\n\n1. **Orva**: good\n2. **Kryloq**: fine\n"
    assert "Zyxon Plugins" not in [each.name for each in names_in(text)]


GERMAN = (
    "Hier sind die besten Werkzeuge für kleine Betriebe, die ihre Kunden und Termine an einem Ort verwalten wollen. "
    "Der Preis und die Bedienung entscheiden, der Umfang der Funktionen ist für die Arbeit im Alltag zweitrangig.\n\n"
)
SPANISH = (
    "Estas son las mejores marcas para correr, que tienen un buen precio y son ligeras en la carrera de cada semana, "
    "como dicen los corredores de la ciudad que prueban la comodidad del modelo durante los meses de entreno.\n\n"
)


@pytest.mark.parametrize(
    ("answer", "heads", "expected"),
    [
        (GERMAN, ["Kundenservice", "Lokalisierung", "Werbung"], []),
        (GERMAN, ["BuddyPress", "WooCommerce", "Dokan"], ["BuddyPress", "WooCommerce", "Dokan"]),
        (SPANISH, ["Comodidad", "Precio", "Entreno"], []),
        (SPANISH, ["Gran Balcón", "Hotel Zyxon", "Orva"], ["Gran Balcón", "Hotel Zyxon", "Orva"]),
    ],
    ids=["German nouns", "German names", "Spanish words", "Spanish names"],
)
def test_in_other_languages_a_capital_alone_makes_no_name(answer, heads, expected):
    text = answer + "\n".join(f"{number}. **{head}**" for number, head in enumerate(heads, 1))
    assert [each.name for each in names_in(text)] == expected


def test_in_other_languages_a_word_among_names_that_are_tracked_is_one():
    text = GERMAN + "1. **Zyxon**\n2. **Orva**\n3. **Kryloq**"
    assert [each.name for each in names_in(text, tracked=["Zyxon", "Orva"])] == ["Kryloq"]


def test_a_word_that_answers_also_write_in_small_letters_is_no_company():
    texts = ["Adidas, adidas and Adidas.", "Gaming is gaming. Gaming laptops, see gaming.example/gaming"]
    assert words_among(["Adidas", "Gaming", "Zyxon", "eero"], texts) == {"Gaming"}


def test_two_ways_of_writing_a_name_are_one():
    assert name_key("Monday.com") == name_key("monday") == "monday"


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("running-watch-400", {"Garmin", "Coros", "Polar", "Suunto"}),
        ("printer-home-easy-setup-500", {"Brother", "HP", "Canon", "Epson"}),
        ("smartphone-budget-600", {"Samsung", "OnePlus", "Motorola", "Apple"}),
    ],
)
def test_the_makers_of_real_answers_are_the_companies_that_they_recommend(topic, expected):
    answers = defaultdict(list)
    for line in reference_file("real-answers/answers.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["topic"] == topic:
            answers[topic].append(names_in(row["text"], prompt=row["prompt"]))
    assert expected <= {maker.name for maker in makers(answers[topic])[:8]}

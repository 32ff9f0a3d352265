"""Names that nobody tracks yet, and the makers behind them."""

import json
from collections import defaultdict

import pytest

from tests.reference import reference_file
from visibility.detection import Detector, Subject, makers
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

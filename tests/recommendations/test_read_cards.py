"""Cards on what readers found: limits, facts that answers tell differently, and why others are chosen."""

from uuid import uuid4

import pytest

from brands.models import Competitor
from tests.recommendations.conftest import DAY, named, words
from visibility.models import Answer, Reading, Review, Statement, Topic
from visibility.recommendations.advise import recommend
from visibility.recommendations.diagnosis import diagnosis_of


def read(world, *rows, version=1):
    """A reading of all answers on the topic, of so many of which each row says something: (facet, values, number,
    subject, heading)."""
    brand = world.brand
    topic = Topic.objects.get(brand=brand)
    answers = list(Answer.objects.filter(brand=brand).order_by("engine__name", "pk"))
    reading = Reading.objects.create(
        brand=brand, topic=topic, version=version, read=[answer.pk for answer in answers], model="m"
    )
    for facet, values, number, name, heading in rows:
        competitor = Competitor.objects.filter(brand=brand, name=name).first()
        for answer, place in zip(answers[:number], range(number), strict=True):
            Statement.objects.create(
                reading=reading,
                answer=answer,
                competitor=competitor,
                facet=facet,
                value=values[place % len(values)],
                heading=heading,
                start=0,
                end=20,
            )
    recommend(brand)
    return world.queue()


def test_a_limit_in_three_answers_is_a_card_that_asks_whether_it_is_true(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("limit", ["heavy"], 4, None, "heavy"))
    card = words(world.one("limit"))
    assert card.title == "Answers hold against you: heavy"
    assert card.fact.startswith("ChatGPT 4 of 12, Gemini 0 of 12 answers on bikes that name you say it")
    assert [owner for owner, _ in card.tasks] == ["product", "content"]
    assert len(world.one("limit").evidence) == 4


def test_limits_of_a_topic_are_one_card_with_the_most_frequent_first(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    queue = read(world, ("limit", ["dear"], 3, None, "dear"), ("limit", ["heavy"], 4, None, "heavy"))
    assert sum(kind == "limit" for kind, _ in queue) == 1
    card = words(world.one("limit"))
    assert card.title == "Answers hold against you: heavy, and 1 more"
    assert "Also held against you: dear (3 of 24)." in card.fact
    assert "They also count: dear." in dict(card.tasks)["product"]


def test_a_card_of_a_single_limit_goes_into_that_of_its_topic(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("limit", ["heavy"], 4, None, "heavy"))
    earlier = world.one("limit")
    earlier.pk, earlier.subject = uuid4(), f"{earlier.subject} heavy"
    earlier.save(force_insert=True)
    recommend(world.brand)
    earlier.refresh_from_db()
    assert earlier.status == "resolved"


def test_two_answers_of_one_engine_are_no_finding(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    assert not any(kind == "limit" for kind, _ in read(world, ("limit", ["heavy"], 2, None, "heavy")))


def test_a_limit_that_a_later_reading_does_not_find_is_over(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("limit", ["heavy"], 4, None, "heavy"))
    read(world, ("reason", ["light"], 4, None, "light"))
    assert world.one("limit").status == "resolved"


def test_customers_who_say_the_same_prove_a_limit(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    reviews = [
        Review.objects.create(
            brand=world.brand, digest=bytes([number]), text="It is heavy, too heavy for me.", stars=2
        )
        for number in range(5)
    ]
    reading = Reading.objects.create(brand=world.brand, version=1, read=[each.pk for each in reviews])
    for each in reviews[:3]:
        Statement.objects.create(
            reading=reading, review=each, facet="limit", value="heavy", heading="Heavy", start=0, end=11
        )
    read(world, ("limit", ["heavy"], 4, None, "heavy"))
    card = words(world.one("limit"))
    assert "Of your 5 reviews 3 say the same" in card.why
    assert {piece["kind"] for piece in world.one("limit").evidence} == {"answer", "review"}


def test_two_prices_of_one_thing_are_a_card(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("price", ["$24", "$49", "$24"], 6, None, "Plus plan"))
    card = words(world.one("wrong_fact"))
    assert card.title == "Answers disagree on Plus plan"
    assert "$24 (4), $49 (2) in at least 6 answers" in card.fact


def test_a_number_beyond_a_range_contradicts_it(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("price", ["$120–$150", "$199"], 6, None, "Plus plan"))
    assert "$120–$150 (3), $199 (3)" in words(world.one("wrong_fact")).fact


@pytest.mark.parametrize(
    "values",
    [
        ["$450", "$450 to $500"],  # a range that has it
        ["$450", "$455"],  # about the same
        ["$400 to $450", "$430–$500"],  # ranges that meet
        ["3x dining", "3x dining, 2x travel"],  # parts of one list
        ["$450", "$450.00"],
        ["~$400", "$500"],
        ["$450", "$450", "$450", "$450", "$450", "$620"],  # said once
    ],
)
def test_values_that_do_not_exclude_each_other_are_no_contradiction(world, values):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    queue = read(world, ("price", values, 6, None, "Plus plan"))
    assert not any(kind == "wrong_fact" for kind, _ in queue)


def test_an_answer_with_two_values_of_one_thing_counts_for_neither(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("price", ["$24", "$49"], 6, None, "Plus plan"))
    reading = Reading.objects.get(brand=world.brand)
    for row in reading.statements.filter(value="$24"):
        row.pk, row.value = None, "$49"
        row.save()
    recommend(world.brand)
    assert world.one("wrong_fact").status == "resolved"


def test_a_single_price_ends_the_card(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("price", ["$24", "$49"], 6, None, "Plus plan"))
    read(world, ("price", ["$24"], 6, None, "Plus plan"))
    assert world.one("wrong_fact").status == "resolved"


def test_why_a_rival_is_chosen_is_in_the_gap_and_the_diagnosis(world):
    world.measure(DAY, lambda *place: named("Zentra"))
    read(world, ("reason", ["light frame"], 8, "Zentra", "light frame"))
    card = words(world.one("gap"))
    assert "Zentra is chosen for light frame (8 of 24)." in card.why
    assert "Claim what speaks for Zentra only where" in dict(card.tasks)["content"]
    sentence = next(fact.sentence for fact in diagnosis_of(world.brand) if fact.slot == "words")
    assert sentence.endswith("Zentra is chosen for light frame (8 of 24).")


def test_of_several_topics_a_finding_says_its_own(world):
    world.answer(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("reason", ["light frame"], 8, None, "light frame"))
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"), topic="locks")
    sentence = next(fact.sentence for fact in diagnosis_of(world.brand) if fact.slot == "words")
    assert "You are praised for light frame (8 of 24 on bikes)." in sentence


def test_without_a_reader_two_passages_an_engine_are_to_be_read(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", *(["Kryton"] if prompt == 0 else [])))
    pieces = [piece for piece in world.one("gap").evidence if piece["kind"] == "answer"]
    assert [piece["engine"] for piece in pieces] == ["chatgpt", "chatgpt", "gemini", "gemini"]
    assert ["Kryton" in piece["text"] for piece in pieces] == [True, False, True, False]


def test_what_only_the_brand_is_praised_for_is_apart_from_what_a_rival_is_too(world):
    world.measure(DAY, lambda engine, *place: named("Zentra", *(["Kryton"] if engine == "chatgpt" else [])))
    read(
        world,
        ("reason", ["good grip"], 12, None, "good grip"),
        ("reason", ["folds flat"], 12, None, "folds flat"),
        ("reason", ["very good grip"], 12, "Zentra", "very good grip"),
        ("limit", ["squeaks"], 4, "Zentra", "squeaks"),
    )
    card = words(world.one("gap"))
    assert card.why.startswith(
        "Zentra is chosen for very good grip (12 of 24). You are praised for folds flat (12 of 12)."
    )
    content = dict(card.tasks)["content"]
    assert "Lead with what answers praise in us, with a figure and how it was measured: folds" in content
    sentence = next(fact.sentence for fact in diagnosis_of(world.brand) if fact.slot == "words")
    assert "alike are praised for good grip" in sentence and "held against it: squeaks" in sentence


def test_prices_and_ratings_are_in_the_diagnosis_with_the_answers_that_give_them(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    read(world, ("rating", ["3.6 stars", "3.6 stars", "4.1 stars"], 6, None, "Kryton One stars"))
    sentence = next(fact.sentence for fact in diagnosis_of(world.brand) if fact.slot == "words")
    assert "Answers give: Kryton One stars 3.6 stars (4), 4.1 stars (2)." in sentence


def test_a_lead_without_a_weak_place_is_tried_on_what_rivals_are_the_choice_for(world):
    world.measure(DAY, lambda *place: named("Kryton", "Zentra") if place[2] else named("Kryton"))
    read(world, ("role", ["cargo"], 8, "Zentra", "cargo"))
    assert "cargo (Zentra, 8 of 16)" in dict(words(world.one("defend")).tasks)["content"]


def test_what_a_rivals_models_have_and_lack_is_no_fault_of_it(world):
    world.measure(DAY, lambda *place: named("Zentra"))
    read(
        world,
        ("reason", ["belt drive"], 8, "Zentra", "belt drive"),
        ("limit", ["no belt"], 4, "Zentra", "no belt drive"),
    )
    assert "held against it" not in words(world.one("gap")).why

"""What a site claims of itself, and whether answers say the same."""

from decimal import Decimal

import pytest

from tests.evidence.making import page
from visibility.evidence.claims import Statement, find_sentences, weigh
from visibility.evidence.quantities import quantities
from visibility.evidence.resources import Quote
from visibility.models.reading import Facet


def sentences(*given, **of_page):
    return find_sentences([page(*given, **of_page)], ["Zentra"], ["Borealis"])


def says(claim, *statements):
    [weighed] = weigh(sentences(claim, kind="pricing"), statements, 1, ["Zentra"])
    return weighed.says


def heard(words, **more):
    """What an answer says, as it is counted; with `heading` and more, as a reader found it."""
    return Statement(1, Quote(text=words), **more)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Our cases weigh 2.4 kg and fit any cabin.", "quantity"),
        ("Every Zentra case carries a lifetime guarantee.", "assurance"),
        ("Unsere Koffer haben 10 Jahre Garantie.", "quantity"),
    ],
)
def test_a_sentence_that_can_be_checked_is_a_claim(sentence, kind):
    [found] = sentences(sentence)
    assert (found.text, found.kind, found.is_claim, found.url) == (sentence, kind, True, "https://zentra.example/")


@pytest.mark.parametrize(
    "sentence",
    [
        "We make cases that people like to use.",
        "We are a team of 120 people.",
        "We have made cases since 1998.",
        "Rivals offer a guarantee of 2 years.",
        "Unlike Borealis we offer a guarantee of 2 years.",
        "Do we offer a guarantee of 2 years?",
        "We cannot guarantee that a case fits.",
        "We use 14 cookies on this page.",
        "I have used my Zentra for 3 years.",
        "Our cases cost $240.",
    ],
)
def test_vague_sentences_and_those_about_others_are_no_claims(sentence):
    assert sentences(sentence) == []


def test_a_page_of_a_product_or_of_prices_speaks_of_it_without_saying_we():
    sentence = "The Grande costs $240."
    assert [each.text for each in sentences(sentence, kind="product")] == [sentence]
    assert sentences(sentence, kind="about") == []


def test_a_sentence_of_an_article_is_a_fact_and_no_claim():
    [found] = sentences("Our cases weigh 2.4 kg and fit any cabin.", kind="article", path="/news")
    assert not found.is_claim


def test_a_sentence_on_two_pages_counts_once():
    sentence = "Our cases weigh 2.4 kg and fit any cabin."
    pages = [page(sentence), page(sentence, path="/about", kind="about")]
    assert len(find_sentences(pages, ["Zentra"], [])) == 1


@pytest.mark.parametrize(
    ("claim", "words", "expected"),
    [
        ("Our cabin case weighs 2.4 kg.", "The Zentra cabin case weighs just 2.4 kg.", "supported"),
        ("Our cabin case weighs 2.4 kg.", "Zentra: our cabin case weighs  2.4 KG. Nice.", "supported"),
        ("Our cabin case weighs 2.4 kg.", "The Zentra cabin case weighs 3.9 kg.", "absent"),
        ("Our cabin case weighs 2.4 kg.", "The Zentra cabin case does not weigh 2.4 kg.", "absent"),
        ("Our cabin case weighs 2.4 kg.", "Zentra sends a bag of 2.4 kg.", "absent"),
        ("All of our cases have a 10-year warranty.", "Zentra gives a warranty of 10 years.", "supported"),
        ("We give a lifetime guarantee.", "Zentra is known for its guarantee.", "absent"),
        ("Our belt needs no oil for 9,000 miles.", "Zentra: Our belt needs no oil for 9,000 miles.", "supported"),
    ],
)
def test_without_a_reader_only_the_same_words_or_number_count(claim, words, expected):
    assert says(claim, heard(words)) == expected


def test_a_number_in_a_sentence_that_names_others_may_be_theirs():
    words = "Zentra cases weigh less than the 2.4 kg of a Borealis case."
    assert says("Our cabin case weighs 2.4 kg.", heard(words, names_others=True)) == "absent"


@pytest.mark.parametrize(
    ("claim", "words", "heading", "value", "facet", "expected"),
    [
        ("Our cabin case weighs 2.4 kg.", "weighs 3.9 kg", "weight", "3.9 kg", Facet.FACT, "contradicted"),
        ("Our cabin case weighs 2.4 kg.", "weighs 2.4 kg", "weight", "2.4 kg", Facet.FACT, "supported"),
        ("Our cabin case weighs 2.4 kg.", "the Zentra Air weighs 3.9 kg", "weight", "3.9 kg", Facet.FACT, "absent"),
        ("Our cabin case weighs 2.4 kg.", "has 4 wheels", "wheels", "4 wheels", Facet.FACT, "absent"),
        ("Our cabin case weighs up to 2.4 kg.", "weighs 3.9 kg", "weight", "3.9 kg", Facet.FACT, "absent"),
        ("Our cabin case costs $240.", "costs $260", "cabin case", "$260", Facet.PRICE, "absent"),
        ("We give a lifetime guarantee.", "a lifetime guarantee", "guarantee", "lifetime", Facet.REASON, "supported"),
        ("We give a lifetime guarantee.", "the guarantee is slow", "guarantee", "slow", Facet.LIMIT, "absent"),
        ("We give a lifetime guarantee.", "fine colours", "colours", "fine", Facet.REASON, "absent"),
    ],
)
def test_what_a_reader_found_supports_or_contradicts_a_claim(claim, words, heading, value, facet, expected):
    assert says(claim, heard(words, heading=heading, value=value, facet=facet)) == expected


def test_an_answer_that_says_both_supports_the_claim():
    other = heard("weighs 3.9 kg", heading="weight", value="3.9 kg", facet=Facet.FACT)
    assert says("Our cabin case weighs 2.4 kg.", other, heard("The Zentra case weighs 2.4 kg.")) == "supported"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It has 10,000 mAh.", [({"10", "10000"}, "mah")]),
        ("for 24 hours", [({"24"}, "hour")]),
        ("a 10-year guarantee", [({"10"}, "year")]),
        ("12,5 kg at 10:30 in 2024 on the Forerunner 265", [({"12.5"}, "kg")]),
        ("It costs $ 1,299.", [({"1299", "1.299"}, "$")]),
        ("the best of 2024", []),
    ],
)
def test_numbers_are_read_with_what_they_count(text, expected):
    wanted = [({Decimal(value) for value in values}, unit) for values, unit in expected]
    assert [(set(each.values), each.unit) for each in quantities(text)] == wanted

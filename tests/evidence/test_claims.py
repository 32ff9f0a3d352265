"""What a site claims of itself, whether answers repeat it, and which sentence of its own proves a criterion."""

import pytest

from tests.evidence.making import answer, answers, page
from tests.evidence.test_criteria import HOW_TO_CHOOSE, LIST
from visibility.audit.facts import Text
from visibility.evidence.claims import find_claims
from visibility.evidence.criteria import find_criteria
from visibility.evidence.proofs import find_proofs
from visibility.evidence.quantities import quantities
from visibility.evidence.vocabulary import roots
from visibility.evidence.weighing import weigh

NAMES = roots("Zentra")


def claimed(*sentences, **of_page):
    return {each.sentence.text: each.kind for each in find_claims([page(*sentences, **of_page)], ["Zentra"])}


def says(claim, words):
    [found] = find_claims([page(claim, kind="pricing")], ["Zentra"])
    [weighed] = weigh([found], [answer(1, words)], NAMES, {})
    return weighed.says


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Our cases weigh 2.4 kg and fit any cabin.", "quantity"),
        ("Every Zentra case carries a lifetime guarantee.", "assurance"),
        ("We are the only maker that repairs cases for free.", "distinction"),
        ("Our backpacks are designed for commuters.", "audience"),
    ],
)
def test_a_sentence_that_can_be_checked_is_a_claim(sentence, kind):
    assert claimed(sentence) == {sentence: kind}


@pytest.mark.parametrize(
    "sentence",
    [
        "We make cases that people like to use.",
        "We are a team of 120 people.",
        "We have made cases since 1998.",
        "Rivals offer a guarantee of 2 years.",
        "Do we offer a guarantee of 2 years?",
        "We cannot guarantee that a case fits.",
        "We use 14 cookies on this page.",
        "I have used my Zentra for 3 years.",
    ],
)
def test_vague_sentences_and_those_about_others_are_no_claims(sentence):
    assert claimed(sentence) == {}


def test_on_its_page_a_product_makes_claims_by_its_own_name():
    sentence = "The Grande lasts for 20 years."
    title = (Text("Zentra Grande", 1),)
    assert claimed(sentence, kind="product", titles=title) == {sentence: "quantity"}
    assert claimed(sentence, kind="about", titles=title) == {}


def test_a_claim_on_two_pages_counts_once_and_pages_of_news_make_none():
    sentence = "Our cases weigh 2.4 kg and fit any cabin."
    assert len(find_claims([page(sentence), page(sentence, path="/about", kind="about")], ["Zentra"])) == 1
    assert claimed(sentence, kind="article") == {}
    assert claimed("Our cases cost $240.") == {} and claimed("Our cases cost $240.", kind="pricing") != {}


@pytest.mark.parametrize(
    ("claim", "words", "expected"),
    [
        ("Our cabin case weighs 2.4 kg.", "The Zentra cabin case weighs just 2.4 kg.", "supported"),
        ("Our cabin case weighs 2.4 kg.", "The Zentra cabin case weighs 3.9 kg.", "contradicted"),
        ("Our cabin case weighs 2.4 kg.", "The Borealis cabin case weighs 3.9 kg.", "absent"),
        ("Our cabin case weighs 2.4 kg.", "The Zentra cabin case weighs about 2.5 kg.", "absent"),
        ("Our cabin case weighs 2.4 kg.", "The Zentra X20 cabin case weighs 3.9 kg.", "absent"),
        ("Our cabin case weighs 2.4 kg.", "The Zentra Air cabin case weighs 3.9 kg.", "absent"),
        ("Our cabin case weighs 2.4 kg.", "1. **Zentra Grande**: a cabin case that weighs 3.9 kg.", "absent"),
        ("Our cabin case weighs 2.4 kg.", "The Zentra cabin case has 4 wheels.", "absent"),
        ("Our lamps shine for 40 hours without the flash.", "Zentra lamps shine for 25 hours.", "absent"),
        ("All of our cases have a 10-year warranty.", "Zentra gives a 10-year warranty.", "supported"),
        ("All of our cases have a 10-year warranty.", "Zentra gives a 5-year warranty.", "contradicted"),
        ("Our cabin case costs $240.", "The Zentra cabin case costs $260.", "absent"),
        ("We give a lifetime guarantee.", "Zentra is known for its lifetime warranty.", "supported"),
        ("We give a lifetime guarantee.", "Zentra gives no lifetime warranty.", "absent"),
        ("We give a lifetime guarantee.", "Zentra is known for its colours.", "absent"),
        (
            "Our belt needs no oil for 9,000 miles.",
            "Zentra: Our belt needs no oil for 9,000 miles. Nice.",
            "supported",
        ),
        (
            "Our belt has no oil; it lasts for 9 years.",
            "### Zentra\nOur belt has no oil; it lasts for 9 years.\n### Varmio\nA chain.",
            "supported",
        ),
        ("Our bags are designed for commuters.", "Zentra bags are designed for commuters.", "supported"),
    ],
)
def test_an_answer_supports_or_contradicts_only_what_it_says_of_just_that(claim, words, expected):
    assert says(claim, words) == expected


def test_numbers_mean_the_same_however_they_are_written():
    def values(text):
        return [(sorted(map(float, each.values)), each.unit) for each in quantities(text)]

    assert values("over 1.2 million users") == [([1_200_000.0], "")]
    assert values("It has 10,000 mAh for 24h.") == [([10.0, 10_000.0], "milliampere_hour"), ([24.0], "hour")]
    assert values("12,5 kg at 10:30 in 2024 on the Forerunner 265") == [([12.5], "kilogram")]


def test_the_own_sentence_of_a_criterion_proves_it_and_names_no_competitor():
    criteria = find_criteria(answers(*[f"{LIST}{HOW_TO_CHOOSE}**Warranty:** how long is it?"] * 3))
    proving = "All cases come with a warranty of 10 years."
    pages = [
        page("Read about our warranty.", "Borealis gives a warranty of 2 years."),
        page("We like it.", proving, path="/about", kind="about"),
    ]
    found = find_proofs(criteria, pages, ["Borealis"])
    assert found["Warranty"].text == proving
    assert found["Warranty"].page.main_text[found["Warranty"].start : found["Warranty"].end] == proving

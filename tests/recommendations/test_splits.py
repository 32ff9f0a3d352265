"""How engines and topics differ: what is sure, what is small, and that nothing is left out without a word."""

import pytest

from apikeys.text import unmarked
from tests.counts.conftest import asked, measured
from visibility.models import Recommendation
from visibility.recommendations.differences import ENGINE_POINTS, TOPIC_POINTS, Gap
from visibility.recommendations.making import recommend
from visibility.recommendations.reads import diagnosis_of

ENGINES = ("chatgpt", "claude", "gemini", "grok")


def sentence(brand, slot):
    recommend(brand)
    return next(unmarked(fact.sentence) for fact in diagnosis_of(brand, None) if fact.slot == slot)


def engines(**mentioned):
    """A brand that so many of 30 answers of each engine mention."""
    return measured(*(asked(engine, 1, *["Kryton"] * number, of=30) for engine, number in mentioned.items()))


@pytest.mark.parametrize(
    ("gap", "points", "is_large"),
    [
        (Gap(14, 105, 89, 315), ENGINE_POINTS, True),  # 13 against 28 %
        (Gap(40, 100, 60, 100), ENGINE_POINTS, True),
        (Gap(40, 100, 55, 100), ENGINE_POINTS, False),
        (Gap(60, 100, 80, 100), TOPIC_POINTS, False),
        (Gap(10, 100, 30, 100), TOPIC_POINTS, True),
        (Gap(5, 100, 15, 100), ENGINE_POINTS, False),  # its card would close at once
        (Gap(0, 100, 9, 100), ENGINE_POINTS, False),
    ],
)
def test_a_gap_is_large_by_its_points_or_where_hits_are_half_as_frequent(gap, points, is_large):
    assert gap.is_large(points) is is_large


@pytest.mark.django_db
def test_half_of_the_others_share_is_a_card_and_the_lowest_engine_is_in_the_sentence():
    brand = engines(chatgpt=9, claude=9, gemini=9, grok=4)
    words = sentence(brand, "split")
    assert words == "Engines differ: ChatGPT 9 of 30, Claude 9 of 30, 1 more, Grok 4 of 30."
    card = Recommendation.objects.get(brand=brand, kind="engine_gap")
    assert card.subject == "grok" and "4 of 30" in card.title


@pytest.mark.django_db
def test_a_sure_difference_that_is_small_is_called_sure_and_makes_no_card():
    brand = engines(chatgpt=17, claude=17, gemini=17, grok=12)
    words = sentence(brand, "split")
    assert words.startswith("ChatGPT 17 of 30, Claude 17 of 30, 1 more, Grok 12 of 30: a sure but small difference.")
    assert not Recommendation.objects.filter(brand=brand, kind="engine_gap").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [(3, 1, "a difference that is not sure yet"), (2, 2, "alike"), (4, 3, "a difference that is not sure yet")],
)
def test_on_few_answers_only_equal_shares_are_alike(one, other, verdict):
    brand = measured(asked("chatgpt", 1, *["Kryton"] * one), asked("gemini", 1, *["Kryton"] * other))
    assert f"ChatGPT {one} of 4, Gemini {other} of 4: " in sentence(brand, "split")
    assert verdict in sentence(brand, "split")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("named", "words"),
    [
        (
            {"doors": 24, "monitor": 3, "earbuds": 1, "laptops": 2},
            "Best on doors (24 of 24), worst on earbuds (1 of 24).",
        ),
        (
            {"doors": 24, "gates": 24, "earbuds": 0, "laptops": 0, "bells": 12},
            "Best on doors (24 of 24, as on 1 more), worst on earbuds (0 of 24, as on 1 more).",
        ),
    ],
)
def test_best_and_worst_topic_are_chosen_from_all_counted_topics(named, words):
    brand = measured(*(asked("chatgpt", 1, *["Kryton"] * k, topic=topic, of=24) for topic, k in named.items()))
    assert words in sentence(brand, "standing")

"""The diagnosis: five sentences of counts that anybody can count again."""

import pytest

from tests.counts.conftest import asked, measured
from tests.recommendations.conftest import DAY, named
from visibility.models import Answer, Diagnosis, Mention, Recommendation, Topic
from visibility.recommendations.advise import recommend
from visibility.recommendations.diagnosis import diagnosis_of


def sentences(brand, topic=None):
    return {fact.slot: fact.sentence for fact in diagnosis_of(brand, topic)}


def sentence(brand, slot):
    recommend(brand)
    return sentences(brand)[slot]


def engines(**mentioned):
    """A brand that so many of 30 answers of each engine mention."""
    return measured(*(asked(engine, 1, *["Kryton"] * number, of=30) for engine, number in mentioned.items()))


def count(brand, name):
    """How many answers name somebody; None: the brand."""
    mentions = Mention.objects.filter(answer__brand=brand, competitor__name=name)
    return mentions.values("answer").distinct().count()


def test_standing_and_split_match_the_answers(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", *(["Kryton"] if engine == "gemini" else [])))
    found, of = sentences(world.brand), Answer.objects.filter(brand=world.brand).count()
    own, theirs = count(world.brand, None), count(world.brand, "Zentra")
    assert found["standing"].startswith(f"You are mentioned in {own} of {of} answers, place 2 of 3: Zentra {theirs}")
    assert "Named first of those you track: you in 0, Zentra 24." in found["standing"]
    assert found["split"] == "Gemini 12 of 12, ChatGPT 0 of 12: a sure difference."


def test_what_is_to_be_done_first_is_the_last_sentence(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", *(["Kryton"] if engine == "gemini" else [])))
    assert sentences(world.brand)["next"] == "Next: content: ChatGPT mentions you in 0 of 12 answers."
    Recommendation.objects.filter(brand=world.brand).update(status="dismissed")
    assert "Nothing differs beyond chance" in sentences(world.brand)["next"]


def test_engines_that_always_mention_the_brand_differ_in_who_is_first(world):
    world.measure(
        DAY,
        lambda engine, prompt, sample: named(*(["Kryton", "Zentra"] if engine == "gemini" else ["Zentra", "Kryton"])),
    )
    assert sentences(world.brand)["split"] == (
        "Every engine mentions you in every answer; named first of those you track: ChatGPT 0/12, Gemini 12/12."
    )


def test_the_topic_on_which_engines_differ_is_named(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Kryton"))
    world.measure(
        DAY, lambda engine, prompt, sample: named("Kryton" if engine == "gemini" else "Zentra"), topic="boats"
    )
    assert "most on boats, where ChatGPT has you in 0 of 12" in sentences(world.brand)["split"]


def test_a_topic_that_may_not_be_the_brands_own_is_asked_about_and_advises_nothing(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", "Kryton"))
    queue = world.measure(DAY, lambda engine, prompt, sample: named("Zentra"), topic="boats", own=None)
    boats = Topic.objects.get(brand=world.brand, name="boats")
    assert "Is this topic yours?" in sentences(world.brand, boats)["standing"]
    assert not any(str(boats.pk) in subject for _, subject in queue)


def test_a_topic_that_is_gone_leaves_no_diagnosis(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", "Kryton"))
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra"), topic="boats")
    assert Diagnosis.objects.filter(brand=world.brand).count() == 3
    Topic.objects.filter(brand=world.brand, name="boats").update(own=False)
    recommend(world.brand)
    assert Diagnosis.objects.filter(brand=world.brand).count() == 2


@pytest.mark.django_db
def test_half_of_the_others_share_is_a_card():
    brand = engines(chatgpt=9, claude=9, gemini=9, grok=4)
    assert sentence(brand, "split").endswith("Grok 4 of 30: a sure difference.")
    assert Recommendation.objects.get(brand=brand, kind="gap").subject == "mentions grok"


@pytest.mark.django_db
def test_a_sure_difference_that_is_small_is_called_so_and_makes_no_card():
    brand = engines(chatgpt=17, claude=17, gemini=17, grok=12)
    assert sentence(brand, "split").endswith("Grok 12 of 30: a sure but small difference.")
    assert not Recommendation.objects.filter(brand=brand, kind="gap").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [(3, 1, "a difference that is not sure yet"), (2, 2, "alike"), (4, 3, "a difference that is not sure yet")],
)
def test_on_few_answers_only_equal_shares_are_alike(one, other, verdict):
    brand = measured(asked("chatgpt", 1, *["Kryton"] * one), asked("gemini", 1, *["Kryton"] * other))
    assert sentence(brand, "split").endswith(f"{verdict}.")


@pytest.mark.django_db
def test_best_and_worst_topic_are_named():
    mentions = {"doors": 24, "monitor": 3, "earbuds": 1, "laptops": 2}
    brand = measured(*(asked("chatgpt", 1, *["Kryton"] * k, topic=topic, of=24) for topic, k in mentions.items()))
    assert "Best on doors (24 of 24), worst on monitor (3 of 24)." in sentence(brand, "split")

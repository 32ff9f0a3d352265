"""The diagnosis: five sentences of counts that anybody can count again."""

from apikeys.text import unmarked
from tests.recommendations.conftest import DAY, named
from visibility.models import Answer, Diagnosis, Mention, Topic
from visibility.recommendations.making import recommend
from visibility.recommendations.products import product_in
from visibility.recommendations.reads import diagnosis_of


def sentences(brand, topic=None):
    return {fact.slot: unmarked(fact.sentence) for fact in diagnosis_of(brand, topic)}


def count(brand, name):
    """How many answers name somebody; None: the brand."""
    mentions = Mention.objects.filter(answer__brand=brand, competitor__name=name)
    return mentions.values("answer").distinct().count()


def test_standing_and_split_match_the_answers(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", *(["Kryton"] if engine == "gemini" else [])))
    found, of = sentences(world.brand), Answer.objects.filter(brand=world.brand).count()
    own, theirs = count(world.brand, None), count(world.brand, "Zentra")
    assert found["standing"].startswith(f"You are mentioned in {own} of {of} answers (1 Jan 2026), Zentra {theirs}")
    assert (
        "the first pick in none; otherwise first: ChatGPT Zentra (12 of 12)" in found["standing"]
        and "second measured day" in found["standing"]
    )
    assert found["split"] == "Engines differ: Gemini 12 of 12, ChatGPT 0 of 12."


def test_equal_engines_and_equal_brands_are_not_told_apart(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", "Kryton"))
    found = sentences(world.brand)
    assert found["split"] == "Both engines mention you in every answer."
    world.measure(DAY, lambda engine, prompt, sample: named(*(["Kryton"] if sample else ["Zentra"])))
    assert "alike. First picks: ChatGPT 8 of 24" in sentences(world.brand)["split"]


def test_the_first_pick_tells_engines_apart_that_mention_everybody(world):
    world.measure(
        DAY,
        lambda engine, prompt, sample: named(*(["Kryton", "Zentra"] if engine == "gemini" else ["Zentra", "Kryton"])),
    )
    assert sentences(world.brand)["split"] == (
        "Both engines mention you in every answer. They differ in first picks: Gemini 12 of 12, ChatGPT 0 of 12."
    )


def test_the_topic_on_which_engines_differ_is_named(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Kryton"))
    world.measure(
        DAY, lambda engine, prompt, sample: named("Kryton" if engine == "gemini" else "Zentra"), topic="boats"
    )
    assert sentences(world.brand)["split"].endswith("; most on boats: ChatGPT 0 of 12.")


def test_a_topic_that_may_not_be_the_brands_own_is_asked_about_and_advises_nothing(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", "Kryton"))
    queue = world.measure(DAY, lambda engine, prompt, sample: named("Zentra"), topic="boats", own=None)
    boats = Topic.objects.get(brand=world.brand, name="boats")
    assert "Is this topic yours?" in sentences(world.brand, boats)["standing"]
    assert "Are these topics yours?" in sentences(world.brand)["field"]
    assert not any(subject.startswith(str(boats.pk)) for _, subject in queue)


def test_what_nobody_tracks_and_half_of_the_answers_offer_is_named(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Rookwood", "Kryton"))
    field = sentences(world.brand)["field"]
    assert field.startswith("Rookwood is named in 24 of 24 answers on bikes and offered in 24.")


def test_a_topic_that_is_gone_leaves_no_diagnosis(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra", "Kryton"))
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra"), topic="boats")
    assert Diagnosis.objects.filter(brand=world.brand).count() == 3
    Topic.objects.filter(brand=world.brand, name="boats").update(own=False)
    recommend(world.brand)
    assert Diagnosis.objects.filter(brand=world.brand).count() == 2


def test_a_product_is_the_name_behind_the_brand():
    for written, product in {
        " Endorphin Pro 3](https://shop.example/x)": "Endorphin Pro 3",
        " Pure ONE S11 Smart Stick/Handheld Vacuum**": "Pure ONE S11 Smart",
        " Classic (Luxury Firm): an innerspring": "Classic",
        " 13R:If you prioritize": "13R",
        " 55-Inch 6-Series": "6-Series",
        " 9-qt Dual Blaze": "Dual Blaze",
        " Tour 3 Bike": "Tour 3",
        " Men's City 6": "City 6",
        " 5 Peak, for runners": "Kryton 5 Peak",
        "Cam 3C Wireless": "KrytonCam 3C Wireless",
        " offers many": "",
        " Bike City: a fine one": "",
        ": cameras with local storage": "",
    }.items():
        assert " ".join(product_in("Kryton", written, {"bike"})) == product, written


def test_each_engine_tells_which_product_it_names_first(world):
    def text(engine, prompt, sample):
        model = "Tour 3" if engine == "chatgpt" else ("City 5 Plus", "City 5", "City 5 Max", "City 5 Plus")[prompt]
        return f"1. **Kryton {model}**: a fine bike.\n2. **Zentra**: one, too."

    world.measure(DAY, text)
    split = sentences(world.brand)["split"]
    assert "leading product: ChatGPT Tour 3 (12 of 12); Gemini City 5 (12 of 12)" in unmarked(split)

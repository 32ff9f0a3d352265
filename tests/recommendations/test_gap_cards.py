"""What the card of a lag says: why it is so, and who does what."""

from tests.recommendations.conftest import DAY, named, words
from visibility.models import Topic

LIST = "https://cyclist.example/best-bikes"


def seldom(engine, prompt, sample):
    """ChatGPT names Kryton on one question of four, Gemini always."""
    return named("Zentra") if engine == "chatgpt" and prompt else named("Zentra", "Kryton")


def lists(engine, prompt):
    """ChatGPT cites a list where it lacks Kryton, and nothing on the last question."""
    return [LIST] if engine == "chatgpt" and 0 < prompt < 3 else []


def tasks(card):
    return dict(words(card).tasks)


def test_an_engines_card_says_who_is_offered_on_which_lists_and_where_nothing_is_cited(world):
    world.measure(DAY, seldom, cites=lists)
    card = world.one("gap")
    why = words(card).why
    assert "Named in the 9 answers without you: Zentra 9." in why
    assert "Pages cited in answers without you: cyclist.example (6)." in why
    assert "ChatGPT cites no page in 3 of its 9 answers without you." in why
    assert "Which bikes would you buy for wish 1? (you 0/3)" in tasks(card)["content"]
    assert "Ask cyclist.example to test Kryton" in tasks(card)["PR"] and LIST in tasks(card)["PR"]


def test_an_engine_may_need_pages_to_know_the_brand(world):
    world.measure(DAY, seldom, cites=lambda engine, prompt: [LIST] if engine == "gemini" or not prompt else [])
    assert "With cited pages ChatGPT has you in 3 of 3 answers, without in 0 of 9." in words(world.one("gap")).why


def test_the_prompts_come_worst_first(world):
    def text(engine, prompt, sample):
        return named("Zentra", "Velmora") if prompt == 2 else named("Zentra", *(["Kryton"] if sample else []))

    world.measure(DAY, text)
    assert world.one("gap").facts["by_prompt"][0] == {
        "text": "Which bikes would you buy for wish 2?",
        "k": 0,
        "of": 6,
    }


def test_a_cited_own_page_links_to_the_new_one(world):
    own = "https://kryton.example/bikes"
    world.measure(DAY, seldom, cites=lambda engine, prompt: [own] if engine == "chatgpt" else [])
    assert tasks(world.one("gap"))["content"].endswith(f"Link to it from {own}, which answers cite already.")


def test_who_is_not_tracked_can_be_ahead(world):
    world.rivals = []
    world.measure(DAY, lambda engine, prompt, sample: named("Rookwood"))
    assert words(world.one("gap")).title == "Rookwood is ahead of you on bikes"


def test_a_gap_of_mentions_explains_the_first_picks(world):
    world.measure(DAY, seldom)
    assert [subject for kind, subject in world.queue() if kind == "gap"] == ["mentions chatgpt"]
    queue = world.measure("2026-01-11", lambda engine, prompt, sample: named("Zentra", "Kryton"))
    topic = f"first {Topic.objects.get(brand=world.brand).pk}"
    assert queue["gap", "mentions chatgpt"].status == "resolved" and queue["gap", topic].status == "open"
    queue = world.measure("2026-01-21", seldom)
    assert (queue["gap", topic].status, queue["gap", topic].status_reason) == (
        "resolved",
        "It is part of another card now.",
    )


def test_a_goal_is_what_two_scans_would_show(world):
    world.measure(DAY, lambda engine, prompt, sample: named("Zentra"))
    card = world.one("gap")
    assert (card.facts["goal"], card.facts["goal_of"]) == (7, 48)
    assert "7 of the next 48 such answers name you (now 0 of 24)" in words(card).goal


def test_the_page_with_which_an_engine_names_the_brand_is_to_be_guarded(world):
    def text(engine, prompt, sample):
        return named("Zentra", "Kryton") if engine == "gemini" or not prompt else named("Zentra")

    world.measure(DAY, text, cites=lambda engine, prompt: [LIST if not prompt else "https://other.example/page"])
    card = world.one("gap")
    assert "ChatGPT has you in 3 of 3 answers that cite cyclist.example, in 0 of the 9 others." in words(card).why
    assert tasks(card)["PR"].startswith(f"Guard {LIST} first: 3 of 3 answers that cite it name Kryton.")


def test_a_page_behind_as_many_answers_without_the_brand_makes_no_difference(world):
    world.measure(DAY, seldom, cites=lambda engine, prompt: [LIST])
    assert world.one("gap").facts["carrier"] is None

"""What the card of a lag tells, and which steps that gives its prompt."""

from apikeys.text import unmarked
from tests.recommendations.conftest import DAY, named
from visibility.models import Recommendation
from visibility.recommendations.reads import diagnosis_of

LIST = "https://cyclist.example/best-bikes"


def figures(card):
    """What is evidence beside the quotes and pages."""
    return " ".join(piece["text"] for piece in card.evidence if piece["kind"] == "figure")


def rarely(engine, prompt, sample):
    """ChatGPT names Kryton on one question of four, Gemini always."""
    return named("Zentra") if engine == "chatgpt" and prompt else named("Zentra", "Kryton")


def lists(engine, prompt):
    """ChatGPT cites a list where it lacks Kryton, and nothing on the last question."""
    return [LIST] if engine == "chatgpt" and 0 < prompt < 3 else []


def test_an_engine_card_tells_the_questions_the_lists_and_where_nothing_is_cited(world):
    world.measure(DAY, rarely, cites=lists)
    card = world.one("engine_gap")
    summary, prompt = unmarked(card.summary), unmarked(card.payload["fixPrompt"])
    assert "Offered instead, in 9 answers: Zentra 9." in summary
    assert "cyclist.example/best-bikes (another site, behind 6, 0 of these answers mention you)" in summary
    assert "ChatGPT cites no page in 3 of its 9 answers that offer others only" in figures(card)
    assert "Which bikes would you buy for wish 1? (you in 0 of 3)" in prompt
    assert "Answers say of you: Kryton: a fine bike." in prompt
    assert "how does its author choose" in prompt and "cyclist.example) and our own pages name Kryton" in prompt
    assert (
        "Choose or write a page" in prompt
        and "7 of the next 12 such answers of ChatGPT mention Kryton (now 3)" in prompt
    )


def test_an_engine_may_need_pages_to_know_the_brand(world):
    world.measure(DAY, rarely, cites=lambda engine, prompt: [LIST] if engine == "gemini" or not prompt else [])
    assert "you in 3 of 3 answers with cited pages, in none of 9 without" in figures(world.one("engine_gap"))
    split = next(fact.sentence for fact in diagnosis_of(world.brand) if fact.slot == "split")
    assert "ChatGPT mentions you in 3 of 3 answers with cited pages, in none of 9 without." in split


def test_the_worst_question_is_named(world):
    def text(engine, prompt, sample):
        return named("Zentra", "Velmora") if prompt == 2 else named("Zentra", *(["Kryton"] if sample else []))

    world.measure(DAY, text)
    assert "Least often on Which bikes would you buy for wish 2?: none of 6." in figures(world.one("topic_gap"))


def test_a_cited_own_page_is_the_one_to_mend(world):
    own, theirs = "https://kryton.example/bikes", "https://zentra.example/guide"
    world.measure(DAY, rarely, cites=lambda engine, prompt: [own, theirs] if engine == "chatgpt" else [])
    card = world.one("engine_gap")
    prompt = unmarked(card.payload["fixPrompt"])
    assert card.payload["page"] == own and f"{own}, which answers cite already" in prompt
    assert "12 of 12 answers cite Zentra's own site, 12 yours." in figures(card)
    assert "Read zentra.example/guide" in prompt and "Choose or write a page" not in prompt


def test_a_site_is_its_owners_also_where_somebody_else_is_offered_most(world):
    def text(engine, prompt, sample):
        offered = ["Ostrava", *(["Zentra"] if prompt else [])]
        return named(*offered) if engine == "chatgpt" else named(*offered, "Kryton")

    world.measure(DAY, text, cites=lambda engine, prompt: ["https://zentra.example/guide"])
    card = world.one("engine_gap")
    assert "Ostrava (not tracked) 12, Zentra 9" in unmarked(card.summary)
    assert "12 of 12 answers cite Zentra's own site" in figures(card)
    assert "better choice than Ostrava" in unmarked(card.payload["fixPrompt"])


def test_a_gap_of_mentions_leaves_no_first_pick_card(world):
    world.measure(DAY, rarely)
    kinds = set(Recommendation.objects.filter(brand=world.brand).values_list("kind", flat=True))
    assert kinds == {"engine_gap"}
    world.measure("2026-01-11", lambda engine, prompt, sample: named("Zentra", "Kryton"))
    assert world.one("engine_gap").status == "resolved" and world.one("first_pick").status == "open"
    world.measure("2026-01-21", rarely)
    assert (world.one("first_pick").status, world.one("first_pick").status_reason) == (
        "resolved",
        "It is part of another card now.",
    )


def test_a_price_above_the_limit_is_evidence(world):
    def text(engine, prompt, sample):
        return f"1. **Zentra City** ($480)\n2. **Kryton Tour 3** (${620 if engine == 'gemini' else 450})"

    world.measure(DAY, text, topic="bikes under $500")
    found = "12 answers or more show you above the 500 of the questions (mostly 620)."
    assert found in figures(world.one("first_pick"))
    assert any(found in fact.sentence for fact in diagnosis_of(world.brand))


def test_a_goal_is_in_reach(world):
    """Who is never among the first three is not asked to be the first."""

    def fourth(engine, prompt, sample):
        return named("Zentra", "Velmora", "Ostrava", "Kryton")

    world.measure(DAY, fourth)
    assert "have Kryton among the first three (now 0" in world.one("first_pick").payload["fixPrompt"]
    world.measure("2026-01-11", lambda engine, prompt, sample: named("Zentra", "Kryton"))
    assert "put Kryton first (now 0" in world.one("first_pick").payload["fixPrompt"]

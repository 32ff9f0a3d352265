"""A leader is never done, and who was never measured is not either."""

from tests.recommendations.conftest import DAY, named, words


def test_a_leader_learns_what_carries_the_lead_and_where_it_is_weaker(world):
    def text(engine, prompt, sample):
        is_first = sample < 2 if engine == "gemini" else sample == 0
        return named("Kryton", "Zentra") if is_first else named("Zentra", "Kryton")

    world.rivals = [("Zentra", "zentra.example")]
    world.measure(DAY, text, cites=lambda engine, prompt: ["https://cyclist.example/best-bikes"])
    card = words(world.one("defend"))
    assert card.title == "Level with Zentra on bikes: win it"
    assert card.fact.startswith("24 of 24 answers name you, Zentra as often, nobody you track more often")
    assert "24 of 24 answers that cite pages cite https://cyclist.example/best-bikes" in card.why
    assert "ChatGPT names you first in 4 of 12 answers, Gemini in 8 of 12." in card.why
    assert "Which bikes would you buy for wish 0? (you first 1/3, Zentra 2)" in dict(card.tasks)["content"]
    assert card.goal.startswith("17 of the next 24 answers of ChatGPT name you first")


def test_an_engine_with_a_card_of_its_own_is_no_part_of_the_lead(world):
    world.measure(DAY, lambda engine, *place: named(*["Kryton", "Zentra"][:: 1 if engine == "gemini" else -1]))
    assert "first chatgpt" in {subject for _, subject in world.queue()}
    assert "names you first" not in words(world.one("defend")).why


def test_who_is_named_alone_leads(world):
    world.measure(DAY, lambda *place: named("Kryton"))
    card = words(world.one("defend"))
    assert card.title == "You lead on bikes: keep it" and "nobody you track is named as often" in card.fact


def test_a_company_that_nobody_tracks_shares_the_lead(world):
    world.measure(DAY, lambda *place: named(*["Kryton", "Rookwood"][:: 1 if place[1] % 2 else -1]))
    assert words(world.one("defend")).title == "Level with Rookwood on bikes: win it"


def test_who_is_named_as_often_and_first_more_often_keeps_that(world):
    world.rivals = [("Zentra", "zentra.example")]
    world.measure(DAY, lambda *place: named("Kryton", "Zentra"))
    assert words(world.one("defend")).title == "Named first most on bikes: keep it"


def test_who_lags_leads_nothing(world):
    world.measure(DAY, lambda *place: named("Zentra"))
    assert ("defend", "lead") not in world.queue()


def test_a_topic_on_which_another_is_named_as_often_is_no_lead(world):
    world.answer(DAY, lambda *place: named("Kryton", "Zentra"), topic="locks")
    world.measure(DAY, lambda *place: named("Kryton"))
    card = words(world.one("defend"))
    assert card.title == "You lead on bikes: keep it" and card.fact.startswith("24 of 24")


def test_a_page_that_nobody_has_read_is_to_be_looked_at_first(world):
    world.measure(DAY, lambda *place: named("Kryton"), cites=lambda *place: ["https://cyclist.example/best-bikes"])
    card = words(world.one("defend"))
    assert dict(card.tasks)["PR"].startswith("Look whether https://cyclist.example/best-bikes names us")
    assert "if it changes" not in card.why

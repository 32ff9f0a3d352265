"""A leader is never done, and who was never measured is not either."""

from tests.recommendations.conftest import DAY, named, words


def test_a_leader_learns_what_carries_the_lead_and_where_it_is_weaker(world):
    def text(engine, prompt, sample):
        return named("Kryton", "Zentra") if engine == "gemini" or prompt == 0 else named("Zentra", "Kryton")

    world.rivals = [("Zentra", "zentra.example")]
    world.measure(DAY, text, cites=lambda engine, prompt: ["https://cyclist.example/best-bikes"])
    card = words(world.one("defend"))
    assert card.title == "Level with Zentra on bikes: win it"
    assert card.fact.startswith("24 of 24 answers name you, Zentra as often, nobody more often")
    assert "24 of 24 answers that cite pages cite https://cyclist.example/best-bikes" in card.why
    assert "ChatGPT puts you first in 3 of 12 answers, Gemini in 12 of 12." in card.why


def test_who_is_named_alone_leads(world):
    world.measure(DAY, lambda *place: named("Kryton"))
    card = words(world.one("defend"))
    assert card.title == "You lead on bikes: keep it" and "nobody is named as often" in card.fact


def test_a_company_that_nobody_tracks_shares_the_lead(world):
    world.measure(DAY, lambda *place: named("Kryton", "Rookwood"))
    assert words(world.one("defend")).title == "Level with Rookwood on bikes: win it"


def test_who_lags_leads_nothing(world):
    world.measure(DAY, lambda *place: named("Zentra"))
    assert ("defend", "lead") not in world.queue()

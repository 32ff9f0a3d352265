"""A leader is never done, and who was never measured is not either."""

from tests.recommendations.conftest import DAY, named, words


def test_a_leader_learns_what_carries_the_lead_and_where_it_is_weaker(world):
    def text(engine, prompt, sample):
        return named("Kryton", "Zentra") if engine == "gemini" or prompt == 0 else named("Zentra", "Kryton")

    world.rivals = [("Zentra", "zentra.example")]
    world.measure(DAY, text, cites=lambda engine, prompt: ["https://cyclist.example/best-bikes"])
    card = words(world.one("defend"))
    assert card.title == "You lead on bikes: keep it"
    assert "24 of 24 answers that cite pages cite https://cyclist.example/best-bikes" in card.why
    assert "ChatGPT puts you first in 3 of 12 answers, Gemini in 12 of 12." in card.why


def test_who_lags_leads_nothing(world):
    world.measure(DAY, lambda *place: named("Zentra"))
    assert ("defend", "lead") not in world.queue()

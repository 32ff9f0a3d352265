"""Names that also mean something else."""

import pytest

from tests.detection.finding import ASKED, mentions, words
from visibility.detection import Detector, Policy, Subject
from visibility.detection.senses import WEIGHTS
from visibility.detection.types import Place


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Away", "Stay away from heat."),
        ("Max", "The max weight is 20 kg."),
        ("Max", "The iPhone 16 Pro Max is big."),
        ("Shape", "Jar Size and Shape: Choose what suits you."),
        ("Wired", "Wired cameras provide continuous power."),
        ("Notion", "The notion of time is old."),
        ("Peak", "Suunto 5 Peak: a light watch."),
        ("Instant", "Great quality with Garmin Instant Ink option."),
        ("dm", "The drawer is 80 dm deep."),
        ("PS", "The Sony PS-LX310BT plays records."),
        ("Box", "Read more at box.net about it."),
    ],
)
def test_a_plain_word_is_not_the_name(name: str, text: str) -> None:
    assert words(text, name, domain=f"{name.lower()}.com") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Away", "1. Away The Carry-On - tough\n2. Orva X\n3. Zenbo Y"),
        ("Away", "The suitcase by Away is tough."),
        ("Notion", "Many teams like Notion for documents."),
        ("X", "They said so in posts on X."),
        ("Best Buy", "You can get it at Best Buy today."),
        ("Prime", "People who pay for Prime get it faster."),
        ("Apple", "Choose Apple for quality."),
        ("Target", "Bei Target ist es günstiger."),
        ("Ring", "1. **Ring cameras**: easy\n2. **Zenbo Pro**: sharp\n3. **Orva Cam**: local"),
        ("Notion", "メモは(e.g., Notion, Evernote)で管理します。"),
    ],
)
def test_the_name_is_meant_where_the_evidence_says_so(name: str, text: str) -> None:
    assert words(text, name) == [name]


def test_next_to_names_at_the_same_place_of_their_lines_a_word_is_one() -> None:
    assert words("* **Films**: Zenbo, Orva\n* **Price**: Peacock (cheap)\n", "Peacock") == ["Peacock"]


def test_places_follow_the_other_places_of_the_answer() -> None:
    text = "Wired cameras provide power."
    assert words(text, "Wired") == []
    assert words(f"A review by Wired says it is good. {text}", "Wired") == ["Wired", "Wired"]


def test_two_words_of_description_deny_less_than_five() -> None:
    text = (
        "### **Overall Best Nonstick Cookware Set**\n\n**All-Clad HA1 Hard Anodized Nonstick 10-Piece Set**\n\n"
        "* **Why it's great**: exceptional build quality, even heating, sturdy handles, oven safe lids, lifetime "
        "warranty\n* **Budget**: less expensive sets exist with thinner steel, glass covers, dishwasher safe finish, "
        "ceramic coatings, wooden spoons, larger skillets, deeper saucepans and colourful silicone grips"
    )
    asked = "what's the best nonstick cookware set?"
    found = {
        sold: len(mentions(text, "All-Clad", description=sold, prompt=asked))
        for sold in ("pots and pans", "office furniture, desks, chairs, lamps and shelves")
    }
    assert list(found.values()) == [1, 0]


def test_a_link_to_the_own_domain_is_meant() -> None:
    assert words("Look at [Away](https://www.awaytravel.com/bags) here.", "Away", domain="awaytravel.com") == ["Away"]


@pytest.mark.parametrize(
    ("description", "number"), [("Mattresses and pillows", 0), ("Flowers for gardens", 1), ("", 1)]
)
def test_a_description_speaks_for_and_against(description: str, number: int) -> None:
    text = (
        "1. **Nectar** - sugar water that flowers make for insects\n"
        "2. **Pollen** - dust that sticks to legs\n\nBees, moths "
        "and hummingbirds visit petals at sunrise; gardeners plant clover, lavender and thyme beside hedges, leave "
        "stems for nests, avoid poison, and see more butterflies, beetles and fruit in autumn."
    )
    assert len(mentions(text, "Nectar", description=description, prompt="What do bees eat in gardens?")) == number


def test_the_users_policies_decide() -> None:
    near = Policy(required_near=("luggage", "suitcase"))
    assert len(mentions("Away makes good luggage.", "Away", policy=near)) == 1
    assert mentions("Away makes good games.", "Away", policy=near) == []
    never = Policy(forbidden_near=("Pro", "speed"))
    assert mentions("The Orva Pro Max is big. Max speed is 20.", "Max", policy=never) == []
    assert len(mentions("They stream on Max now.", "Max", policy=never)) == 1


def places(text: str, name: str, policies: dict[str, Policy] | None = None) -> list[Place]:
    return Detector([Subject("it", [name], policies=policies or {})]).places(text, ASKED)


@pytest.mark.parametrize(
    ("text", "counts", "reasons"),
    [
        ("They stream on Max now.", True, ["behind a word of grammar", "a capital in mid-sentence"]),
        ("Turn it to max.", False, ["in small letters"]),
        ("Sources: Max", False, ["hidden: label of a source"]),
    ],
)
def test_every_place_says_why_it_counts_or_not(text: str, counts: bool, reasons: list[str]) -> None:
    [place] = places(text, "Max")
    assert (place.counts, sorted(place.reasons), text[place.start : place.end].lower()) == (
        counts,
        sorted(reasons),
        "max",
    )


def test_a_name_that_means_nothing_else_is_certain() -> None:
    [place] = places("Zenbo is good.", "Zenbo")
    assert (place.chance, place.reasons) == (1.0, ["the name means nothing else"])


def test_a_place_without_what_a_policy_asks_for_says_so() -> None:
    [place] = places("Away makes games.", "Away", {"Away": Policy(required_near=("luggage",))})
    assert (place.chance, place.counts, place.reasons) == (0.0, False, ["a policy"])


def test_weights_can_be_given() -> None:
    never = Detector([Subject("it", ["Max"])], weights={**WEIGHTS, "bias": -30.0})
    assert never.detect("They stream on Max now.", ASKED).mentions == []


def test_who_else_is_tracked_changes_no_chance() -> None:
    text = "1. Slack - chat\n2. Orva - calls\n3. Notion - notes"
    alone = Detector([Subject("it", ["Slack"])]).places(text, ASKED)
    among = Detector([Subject("it", ["Slack"]), *(Subject(name, [name]) for name in ("Orva", "Notion"))])
    assert [place for place in among.places(text, ASKED) if place.subject == "it"] == alone

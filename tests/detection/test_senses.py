"""Names that also mean something else."""

from tests.detection.finding import mentions, words
from visibility.detection import Policy


def test_a_plain_word_is_not_the_name() -> None:
    other = {
        "Away": ("Stay away from heat.", "Away games are hard.", "Go Away!"),
        "Max": ("The max weight is 20 kg.", "The iPhone 16 Pro Max is big.", "Max speed is 20."),
        "Shape": ("Jar Size and Shape: Choose what suits you.",),
        "Wired": ("Wired cameras provide continuous power.",),
        "Notion": ("The notion of time is old.",),
        "Peak": ("Suunto 5 Peak: a light watch.",),
        "Instant": ("Great quality with Garmin Instant Ink option.",),
        "AAA": ("It needs two AAA batteries.",),
    }
    for name, texts in other.items():
        for text in texts:
            assert words(text, name) == [], (name, text)


def test_the_name_is_meant_where_capitals_and_neighbours_say_so() -> None:
    meant = {
        "Away": ("1. Away The Carry-On - tough\n2. Orva X\n3. Zenbo Y", "The suitcase by Away is tough."),
        "Notion": ("Many teams like Notion for documents.", "Notion is a tool for teams."),
        "X": ("They said so in posts on X.",),
        "Best Buy": ("You can get it at Best Buy today.",),
        "Prime": ("People who pay for Prime get it faster.",),
    }
    for name, texts in meant.items():
        for text in texts:
            assert words(text, name) == [name], (name, text)


def test_next_to_names_at_the_same_place_of_their_lines_a_word_is_one() -> None:
    listed = "Also:\n\n* **Zenbo**: cheap\n* **Peacock**: films\n* **Orva**: free\n"
    assert words(listed, "Peacock", prompt="films at home") == ["Peacock"]
    assert words("* **Films**: Zenbo, Orva\n* **Price**: Peacock (cheap)\n", "Peacock") == ["Peacock"]
    assert words("* **Size**: 2.5K QHD\n* **Power**: Wired\n* **Zoom**: Far\n", "Wired") == []


def test_what_is_open_follows_the_certain_places() -> None:
    text = "Many teams like Notion for documents. Notion Templates save time."
    assert len(mentions(text, "Notion")) == 2
    assert mentions("Notion Templates save time.", "Notion", prompt="How do I save time?") == []


def test_a_link_to_the_own_domain_is_meant() -> None:
    assert words("Look at [Away](https://www.awaytravel.com/bags) here.", "Away", domain="awaytravel.com") == ["Away"]


def test_a_description_settles_open_places() -> None:
    sells = "Mattresses and pillows for side sleepers"
    text = "Nectar Premier: it has foam and coils, for sleepers who like a soft mattress."
    bees = (
        "Nectar Flowers: bees visit them in the garden, where sugar, pollen and water wait among petals and leaves."
    )
    question = "Tell me more"
    assert len(mentions(text, "Nectar", description=sells, prompt=question)) == 1
    assert mentions(bees * 4, "Nectar", description=sells, prompt=question) == []


def test_the_users_policies_decide() -> None:
    near = Policy(required_near=("luggage", "suitcase"))
    assert len(mentions("Away makes good luggage.", "Away", policy=near)) == 1
    assert mentions("Away makes good games.", "Away", policy=near) == []
    never = Policy(forbidden_near=("Pro", "speed"))
    assert mentions("The Orva Pro Max is big. Max speed is 20.", "Max", policy=never) == []
    assert len(mentions("They stream on Max now.", "Max", policy=never)) == 1


def test_the_word_of_another_language_behind_an_article_is_not_the_name() -> None:
    assert words("It was a zenbo, they said.", "Zenbo") == []
    assert words("Get zenbo or orva.", "Zenbo") == ["zenbo"]

"""Topics within questions: as people write them, whatever they are called in a list."""

import json
import re
from collections import defaultdict

import pytest

from visibility.writers.suggesting import suggest
from visibility.writers.tasks import KnownPrompt, PromptsTask, Subject
from visibility.writers.topics import is_slug, phrase, shown_name, words_of

SUBJECT = Subject("Acme", "acme.example", names=["Acme"], rivals=["Velmora"])
OF_REAL_TOPICS = {
    "laptop-general-1000": "laptops",
    "smartphone-budget-600": "smartphones",
    "headphones-wireless-200": "wireless headphones",
    "tv-55-inch-1000": "55-inch TVs",
    "espresso-machine-700": "espresso machines",
    "vacuum-stick-cordless": "cordless stick vacuums",
    "mattress-queen-side-sleeper-1500": "queen mattresses for side sleepers",
    "running-shoes-5k-racing": "5K racing shoes",
    "earbuds-workout-150": "workout earbuds",
    "running-watch-400": "running watches",
    "air-fryer-family-size": "family-size air fryers",
    "streaming-service-movies": "streaming services for movies",
    "blender-high-performance": "high-performance blenders",
    "printer-home-easy-setup-500": "easy-setup printers",
    "electric-toothbrush-cheap": "cheap electric toothbrushes",
    "monitor-27-inch-office": "27-inch monitors for office work",
    "mesh-wifi-home": "mesh WiFi systems for home",
}
AS_GIVEN = [
    ("en", "high_performance_blenders", "high-performance blenders"),
    ("en", "blender-high-performance", "high-performance blenders"),
    ("en", "headphones-wireless-200", "wireless headphones"),
    ("en", "CRM software", "CRM software"),
    ("en", "payroll", "payroll services"),
    ("en", "project management tool", "project management tools"),
    ("en", "Running Shoes", "running shoes"),
    ("en", "vegan restaurant in Berlin", "vegan restaurants in Berlin"),
    ("en", "car insurance", "car insurance"),
    ("en", "olive oil", "olive oil"),
    ("en", "dentist in Leeds", "dentists in Leeds"),
    ("en", "web hosting", "web hosting services"),
    ("en", "email marketing platform", "email marketing platforms"),
    ("en", "e-bikes", "e-bikes"),
    ("en", "accounting software for freelancers", "accounting software for freelancers"),
    ("en", "Google Ads agency", "Google Ads agencies"),
    ("en", "b2b lead generation", "B2B lead generation services"),
    ("en", "the best tv", "TVs"),
    ("en", "sushi in Madrid", "sushi in Madrid"),
    ("en", "kitchen knife", "kitchen knives"),
    ("de", "kabellose Kopfhörer", "kabellose Kopfhörer"),
    ("de", "E-Bikes", "E-Bikes"),
    ("de", "die Autoversicherung", "Autoversicherung"),
    ("fr", "les restaurants véganes à Lyon", "restaurants véganes à Lyon"),
    ("fr", "haut-parleurs", "haut-parleurs"),
    ("fr", "l’huile d’olive", "huile d’olive"),
    ("es", "los seguros de coche", "seguros de coche"),
    ("es", "restaurantes_veganos", "restaurantes veganos"),
]


@pytest.mark.parametrize(("language", "topic", "expected"), AS_GIVEN)
def test_a_topic_is_written_as_people_write_it(language, topic, expected):
    assert phrase(topic, language) == expected


def written(topic, language="en", **more):
    task = PromptsTask(SUBJECT, 25, topic=topic, locale=language, **more)
    return [each.text for each in suggest(task).prompts]


@pytest.mark.parametrize(("language", "topic", "expected"), AS_GIVEN)
def test_every_question_is_fit_to_be_asked(language, topic, expected):
    texts = written(topic, language)
    assert len(texts) >= 12
    for text in texts:
        assert expected in text
        assert text.rstrip().endswith("?") and text[:1] in "¿" + text[:1].upper()
        assert "_" not in text and not re.search(r"\b(?:providers? of|Anbieter von|Name the|Nenne|Nombra)\b", text)
        assert not re.search(r"\bde [aeiouéèê]|\bd’[^aàâeéèêiîoôuhyœ]", text) or language != "fr", text


def test_topics_of_real_prompts_take_the_name_that_their_wordings_give(reference_data):
    wordings = defaultdict(dict)
    with reference_data.joinpath("real-answers", "answers.jsonl").open() as lines:
        for row in map(json.loads, lines):
            wordings[row["topic"]][row["prompt"]] = None
    assert {topic: phrase(topic, "en", list(texts)) for topic, texts in wordings.items()} == OF_REAL_TOPICS
    existing = [KnownPrompt(text, topic) for topic, texts in wordings.items() for text in texts]
    prompts = suggest(PromptsTask(SUBJECT, 25, existing=existing)).prompts
    assert len(prompts) == 25
    for each in prompts:
        assert is_slug(each.topic) and OF_REAL_TOPICS[each.topic] in each.text, "it stays with those of its topic"
        assert each.topic not in each.text


def test_a_new_topic_is_stored_under_a_name_that_people_read():
    prompts = suggest(PromptsTask(SUBJECT, 2, topic="high_performance_blenders")).prompts
    assert {each.topic for each in prompts} == {"high performance blenders"}


SHOWN = OF_REAL_TOPICS | {
    "laptop-general-1000": "laptops under $1,000",
    "smartphone-budget-600": "smartphones under $600",
    "headphones-wireless-200": "wireless headphones under $200",
    "tv-55-inch-1000": "55-inch TVs under $1,000",
    "espresso-machine-700": "espresso machines under $700",
    "mattress-queen-side-sleeper-1500": "queen mattresses for side sleepers under $1,500",
    "earbuds-workout-150": "workout earbuds under $150",
    "running-watch-400": "running watches under $400",
    "printer-home-easy-setup-500": "easy-setup printers under $500",
}


def test_tables_show_real_topics_with_the_price_that_their_wordings_name(reference_data):
    wordings = defaultdict(dict)
    with reference_data.joinpath("real-answers", "answers.jsonl").open() as lines:
        for row in map(json.loads, lines):
            wordings[row["topic"]][row["prompt"]] = None
    assert {topic: shown_name(topic, "en", list(texts)) for topic, texts in wordings.items()} == SHOWN


@pytest.mark.parametrize(
    ("topic", "wordings", "shown"),
    [
        ("Trail Running Shoes", ["best trail shoes"], "Trail Running Shoes"),
        ("e-bikes", ["best e-bike under 2000"], "e-bikes"),
        ("sofa-bed-1200", ["best sofa bed below 1200 please", "best sofa bed"], "sofa beds below 1,200"),
        ("sofa-bed-1200", ["best sofa bed up to 1200€", "sofa bed under 900"], "sofa beds up to 1,200€"),
        ("sofa-bed-1200", ["best sofa bed under $120"], "sofa beds"),
        ("sofa-bed-1200", [], "sofa beds"),
        ("running_shoes", ["good shoes"], "running shoes"),
    ],
)
def test_a_topic_is_shown_as_a_person_would_write_it(topic, wordings, shown):
    assert shown_name(topic, "en", wordings) == shown


def test_topics_of_other_languages_keep_their_words():
    assert shown_name("kopfhörer-kabellos-bluetooth", "de", ["beste kabellose Kopfhörer"]) == (
        "kopfhörer kabellos bluetooth"
    )
    assert shown_name("haut-parleurs", "fr", []) == "haut-parleurs"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("55-inch TVs under $1,000", "55 inch tv under 1000"),
        ("Running Watches", "running-watch"),
        ("family_size", "families size"),
        ("\uff37\uff49\uff44\uff45", "wide"),
    ],
)
def test_names_are_the_same_whatever_their_case_dashes_commas_and_plurals(one, other):
    assert words_of(one) == words_of(other)


def test_names_of_other_things_differ():
    assert len({words_of(name) for name in ("tv 55", "tv 65", "watch", "shoes", "バイク", "")}) == 6

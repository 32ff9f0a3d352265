"""What generated prompts are made of: criteria, searches and competitors of each topic, spread and distinct."""

from collections import Counter

import pytest

from visibility.writers.searches import intent_of, typed
from visibility.writers.suggesting import suggest
from visibility.writers.tasks import KnownPrompt, PromptsTask, Searched, Subject
from visibility.writers.words import wording_key

ACME = Subject(name="Acme", domain="acme.example", names=("Acme", "Acme Bikes"), rivals=("Velmora", "Trek"))
BIKES, HELMETS = "electric bikes", "bike helmets"


def task(**more):
    existing = [
        KnownPrompt("best electric bikes", BIKES, "consideration", "comparison"),
        KnownPrompt("safe bike helmets", HELMETS, "consideration", "comparison"),
    ]
    return PromptsTask(**{"subject": ACME, "count": 20, "existing": existing} | more)


def texts(**more):
    return [prompt.text for prompt in suggest(task(**more)).prompts]


def test_what_answers_judge_by_is_asked_for_on_its_own_topic():
    written = suggest(task(criteria={BIKES: ["Battery Life", "Range"]})).prompts
    on_criteria = [prompt for prompt in written if prompt.rests_on.startswith("criterion: ")]
    assert {prompt.rests_on for prompt in on_criteria} == {"criterion: battery life", "criterion: range"}
    assert all(prompt.topic == BIKES for prompt in on_criteria)
    assert all(prompt.rests_on.removeprefix("criterion: ") in prompt.text for prompt in on_criteria)


def test_a_criterion_that_names_the_brand_is_not_asked_for():
    assert not any("Acme" in text for text in texts(criteria={BIKES: ["Acme drive"]}))


def test_a_competitor_is_named_on_the_topics_only_where_answers_name_it():
    written = suggest(task(rivals={BIKES: ["Velmora"], HELMETS: []})).prompts
    named = [prompt for prompt in written if prompt.rests_on.startswith("competitor: ")]
    assert named
    assert {(prompt.topic, prompt.rests_on) for prompt in named} == {(BIKES, "competitor: Velmora")}


def test_on_a_topic_without_answers_any_competitor_may_be_named():
    written = suggest(task(topic="cargo bikes", rivals={BIKES: ["Velmora"]})).prompts
    assert {prompt.rests_on for prompt in written if prompt.rests_on} == {"competitor: Velmora", "competitor: Trek"}


def test_a_search_becomes_the_question_that_it_is():
    searches = [Searched("best commuter ebikes for hills 2025", BIKES, 3)]
    [found] = [
        prompt for prompt in suggest(task(searches=searches)).prompts if prompt.rests_on.startswith("search: ")
    ]
    assert (found.text, found.topic, found.intent) == ("best commuter ebikes for hills", BIKES, "comparison")


@pytest.mark.parametrize(
    "text",
    [
        "Acme bikes review",
        "velmora vs trek",
        "site:reddit.com electric bikes hills",
        '"electric bikes" hills',
        "ebikes",
        " ".join(["word"] * 13),
        "electric bikes test January 2025",
        "https://acme.example/ electric bikes",
    ],
)
def test_searches_that_nobody_types_or_that_name_somebody_are_left_out(text):
    assert typed(Searched(text, BIKES, 1), [*ACME.names, *ACME.rivals]) == ""


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("best ebikes for hills", "comparison"),
        ("cheap ebikes deals", "transactional"),
        ("how do ebikes brake", "informational"),
    ],
)
def test_the_intent_of_a_search(text, intent):
    assert intent_of(text) == intent


def test_nearly_the_same_question_is_not_asked_twice():
    existing = [KnownPrompt("Which electric bikes do experts recommend now, and why?", BIKES)]
    written = texts(existing=existing, topic=BIKES, stage="consideration", count=25)
    assert "Which electric bikes do experts recommend, and why?" not in written
    keys = [wording_key(text) for text in written]
    assert all(len(one & other) < 0.8 * len(one | other) for one in keys for other in keys if one is not other)


def test_stages_intents_and_topics_are_spread():
    written = suggest(task(count=18)).prompts
    cells = Counter((prompt.stage, prompt.intent) for prompt in written)
    assert len(cells) == 5
    cells["consideration", "comparison"] += 2  # those that are there
    assert max(cells.values()) - min(cells.values()) <= 1
    assert set(Counter(prompt.topic for prompt in written).values()) == {9}


@pytest.mark.parametrize(
    ("locale", "persona", "begins"),
    [
        ("", "a nurse", "I’m a nurse. "),
        ("", "people with allergies", "For people with allergies: "),
        ("de", "eine Mutter", "Ich bin eine Mutter. "),
        ("de", "Eltern", "Für Eltern: "),
        ("fr", "un étudiant", "Je suis un étudiant. "),
        ("es", "una enfermera", "Soy una enfermera. "),
    ],
)
def test_a_person_says_who_asks(locale, persona, begins):
    written = texts(locale=locale, persona=persona, topic=BIKES, count=3, existing=())
    assert len(written) == 3
    assert all(text.startswith(begins) for text in written)

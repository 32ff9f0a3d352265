"""What facts are narrowed to: topics in the user's words, engines and names as they are spelled, days."""

from datetime import date

import pytest

from brands.competitors import add_competitor
from tests.ask.conftest import ask
from tests.counts.conftest import SYSTEM
from visibility.counts.reader import select_now
from visibility.models import Topic
from visibility.scores.recount import recount
from visibility.topics.reads import topics_like

TOPICS = (
    "headphones-wireless-200",
    "earbuds-workout-150",
    "tv-55-inch-1000",
    "luggage-carry-on-durable",
    "Été & Vélo",
)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("headphones", "headphones-wireless-200"),
        ("wireless headphone", "headphones-wireless-200"),
        ("TVs", "tv-55-inch-1000"),
        ("55 inch TV", "tv-55-inch-1000"),
        ("carry-ons", "luggage-carry-on-durable"),
        ("the durable luggage", "luggage-carry-on-durable"),
        ("ete velos", "Été & Vélo"),
        ("Tv_55 inch 1000", "tv-55-inch-1000"),
    ],
)
def test_a_topic_is_taken_where_one_alone_holds_all_the_words(words, name):
    assert [topic.name for topic in topics_like([Topic(name=each) for each in TOPICS], words)] == [name]


def test_words_of_several_topics_mean_any_of_these():
    topics = [Topic(name="city bikes"), Topic(name="steel bikes"), Topic(name="locks")]
    assert topics_like(topics, "bikes") == topics[:2]


@pytest.mark.parametrize("words", ["Kopfhörer", "auriculares", "lawn mowers", "the", "?"])
def test_words_that_no_topic_holds_mean_none(words):
    assert topics_like([Topic(name=each) for each in TOPICS], words) == []


def test_a_site_with_one_own_topic_means_it(brand):
    Topic.objects.filter(brand=brand).exclude(name="steel locks").update(own=False)
    [resolved] = ask(brand, about="standing", topic="Fahrräder").resolved
    assert (resolved.name, resolved.from_) == ("steel locks", "Fahrräder")


def test_an_own_topic_comes_before_one_that_is_not():
    topics = [Topic(name="city bikes"), Topic(name="used bikes", own=False), Topic(name="locks")]
    assert (topics_like(topics, "bikes"), topics_like(topics, "used")) == (topics[:1], topics[1:2])


def test_a_topic_in_the_users_words_narrows_in_one_call_and_is_said(brand):
    reply = ask(brand, about="standing", topic="locks")
    [resolved] = reply.resolved
    assert (resolved.name, resolved.from_, reply.cannot_tell) == ("steel locks", "locks", None)
    assert "in 2 of 8 answers on this topic" in reply.answer


def test_words_of_no_topic_narrow_nothing_and_change_nothing_else(brand):
    reply = ask(brand, about="standing", topic="Schlösser", competitor="Zentra", limit=20)
    assert (reply.about, reply.cannot_tell.what, reply.cannot_tell.next_step) == (
        "standing",
        "which topic is meant",
        None,
    )
    assert {fact.topic for fact in reply.facts} == {"city bikes", "steel locks", "range", "helmets"}
    assert {fact.subject for fact in reply.facts} == {"Kryton", "Zentra"}


def test_the_step_after_an_unclear_topic_keeps_all_else(brand):
    brand.topics.filter(name="range").update(name="steel range")
    step = ask(brand, about="sources", measure="cited", topic="steel").cannot_tell.next_step
    assert step.arguments["topic"] in ("steel locks", "steel range")
    assert (step.arguments["about"], step.arguments["measure"]) == ("sources", "cited")


def test_a_topic_that_is_not_own_has_no_figures(brand):
    brand.topics.filter(name="helmets").update(own=False)
    reply = ask(brand, about="standing", topic="helmets")
    assert reply.facts == [] and "not Kryton's own" in reply.cannot_tell.why


def test_names_in_the_question_are_offered_and_narrow_nothing(brand):
    reply = ask(brand, "Is Zentra ahead on ChatGPT in steel locks?", about="standing")
    offered = {row.kind: (row.name, row.others) for row in reply.resolved}
    assert offered == {
        "engine": (None, ["chatgpt"]),
        "topic": (None, ["steel locks"]),
        "competitor": (None, ["Zentra"]),
    }
    assert "in 12 of 32 answers" in reply.answer


@pytest.mark.parametrize("given", ["zentra", "Zen-tra", "Zen tra", "Zéntra"])
def test_a_name_is_known_however_it_is_spelled(brand, given):
    reply = ask(brand, about="standing", competitor=given)
    assert reply.answer.startswith("Zentra is mentioned in 20 of 32") and reply.cannot_tell is None


@pytest.mark.parametrize(("given", "read"), [("Zenntra", "Zentra"), ("Krypton", "Kryton")])
def test_a_name_that_is_nearly_a_tracked_one_is_read_as_it(brand, given, read):
    reply = ask(brand, about="standing", competitor=given)
    assert reply.answer.startswith(f"{read} is mentioned") and f"read as {read}" in reply.notes[0]


@pytest.mark.parametrize("about", ["standing", "competitors"])
def test_an_untracked_name_is_looked_up_in_the_texts(brand, about):
    reply = ask(brand, about=about, competitor="Oblinx")
    assert [(fact.subject, fact.mentioned) for fact in reply.facts] == [("Kryton", 12), ("Oblinx", 20)]


def test_a_name_that_no_answer_has_is_said_and_nobody_stands_for_it(brand):
    reply = ask(brand, about="competitors", competitor="Nobody at all")
    assert "none of the 32 answers (2026-01-09" in reply.cannot_tell.why
    assert {fact.subject for fact in reply.facts} == {"Kryton"}


def test_a_name_has_the_same_chance_whether_it_is_asked_for_or_listed(brand):
    listed = {fact.subject: fact.chance for fact in ask(brand, about="competitors").facts if fact.tracked is False}
    assert listed.keys() == {"Varmio", "Oblinx"}
    given = {name: ask(brand, about="competitors", competitor=name).facts[-1].chance for name in listed}
    assert given == listed


def test_a_competitor_that_is_not_counted_yet_is_in_no_row_and_said(brand):
    add_competitor(SYSTEM, brand_id=brand.pk, name="Varmio", domain="varmio.example")
    brand.refresh_from_db()
    assert "Varmio" not in select_now(brand).names.values()
    reply = ask(brand, about="standing", competitor="Varmio")
    assert {fact.subject for fact in reply.facts} == {"Kryton"} and "not counted yet" in reply.cannot_tell.why
    assert any("in no row: Varmio" in note for note in reply.notes)
    recount(brand.pk)
    brand.refresh_from_db()
    assert "Varmio is mentioned in 20 of 32" in ask(brand, about="standing", competitor="Varmio").answer


def test_an_engine_is_known_by_a_part_of_its_name_and_says_what_it_was_asked_through(brand):
    reply = ask(brand, about="standing", engine="gem")
    assert {(fact.engine, fact.surface) for fact in reply.facts} == {("gemini", "imported")}


def test_an_engine_that_was_not_asked_has_no_facts(brand):
    reply = ask(brand, about="standing", engine="Siri")
    assert reply.facts == [] and reply.cannot_tell.what == "which engine is meant"
    assert reply.resolved[0].others == ["chatgpt", "gemini"]


def test_days_without_answers_have_no_figures_and_the_step_has_the_last_day(brand):
    reply = ask(brand, about="standing", first=date(2026, 2, 1))
    assert reply.facts == [] and "last measured day is 2026-01-09" in reply.cannot_tell.why
    assert reply.cannot_tell.next_step.arguments["from"] == "2026-01-09"


def test_what_is_of_the_whole_site_says_so(brand):
    assert ask(brand, about="proofs", engine="gemini").notes == ["Of the whole site."]
    assert ask(brand, about="criteria", topic="range", engine="gemini").notes == ["Narrowed by topic alone."]

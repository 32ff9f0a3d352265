"""What each subject tells, one or several of them at once."""

from datetime import date

import pytest

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from tests.ask.conftest import ask
from tests.counts.conftest import add, asked
from tests.factories import BrandFactory, EngineFactory, RecommendationFactory, RunFactory
from visibility.ask.answer import answer_question
from visibility.ask.question import Question
from visibility.models import Run
from visibility.runs.resources import WhatIf

DAYS = {"first": date(2026, 1, 1), "last": date(2026, 1, 9)}


def test_without_a_subject_the_list_of_them_comes_and_no_fact(brand):
    reply = ask(brand, "How visible is Kryton?")
    assert (reply.facts, reply.answer, reply.cannot_tell.what) == ([], None, "which facts are asked for")
    assert "standing" in reply.subjects and reply.cannot_tell.next_step.tool == "get_site_brief"


@pytest.mark.parametrize("narrowed", [{"topic": "range"}, {"engine": "gemini"}, {"competitor": "Zentra"}, DAYS])
def test_narrowed_facts_without_a_subject_show_the_standing(brand, narrowed):
    reply = ask(brand, **narrowed)
    assert (reply.about, reply.notes) == ("standing", ["about is not given: standing is shown."])


def test_several_subjects_come_in_turn_each_with_its_label(brand):
    reply = ask(brand, about="standing, sources")
    assert reply.about == "standing, sources"
    assert [*dict.fromkeys(reply.subjects_of_facts)] == ["standing", "sources"]
    assert reply.answer.startswith("standing: Kryton is mentioned") and "sources: Own site cited" in reply.answer
    shown = reply.model_dump(mode="json", by_alias=True)["facts"]
    assert {row["about"] for row in shown} == {"standing", "sources"}


def test_one_subject_needs_no_label(brand):
    shown = ask(brand, about="standing").model_dump(mode="json", by_alias=True)["facts"]
    assert all("about" not in row for row in shown)


def test_one_of_several_subjects_without_an_answer_has_its_reason(brand):
    reply = ask(brand, about="standing, claims, audit")
    assert reply.cannot_tell.what == "what the site itself claims"
    assert any(note.startswith("Of what is wrong with the site:") for note in reply.notes)


def test_a_subject_that_there_is_not_is_refused_with_those_that_there_are(brand):
    with pytest.raises(ServiceError, match="is no subject"):
        ask(brand, about="standing, weather")


def test_who_is_ahead_comes_with_what_it_rests_on(brand):
    reply = ask(brand, about="standing", competitor="Zentra")
    assert "Zentra is mentioned in 20 of 32 answers (2026-01-09, now), Kryton in 12 of 32" in reply.answer
    assert "Both are in 0 answers, the former without the latter in 20, the reverse in 12" in reply.answer


def test_topics_begin_with_the_weakest(brand):
    reply = ask(brand, about="topics")
    own = [fact.topic for fact in reply.facts if fact.subject == "Kryton"]
    assert own == ["city bikes", "steel locks", "range", "helmets"]
    assert "Kryton is named least on city bikes (0 of 8)" in reply.answer


def test_engines_say_what_they_were_asked_through(brand):
    rows = [(fact.engine, fact.surface, fact.mentioned, fact.of) for fact in ask(brand, about="engines").facts]
    assert rows == [("chatgpt", "imported", 6, 16), ("gemini", "imported", 6, 16)]


def test_words_with_sources_are_a_part_of_a_domain(brand):
    reply = ask(brand, about="sources", words="kryton.ex")
    assert [fact.domain for fact in reply.facts] == ["kryton.example"]
    assert "kryton.example in 24 (most cited page: https://kryton.example/a in 24)." in reply.answer
    assert ask(brand, about="sources", words="nobody.example").answer.startswith("None of 32 answers")


def test_a_domain_that_the_question_names_comes_first(brand):
    assert ask(brand, "Is Pedalia cited?", about="sources").facts[1].domain == "pedalia.example"


def test_a_change_needs_two_days(brand):
    reply = ask(brand, about="change", engine="gemini")
    assert reply.answer.startswith("Measured on one day only, 2026-01-09")


def test_a_change_over_other_engines_is_refused_with_the_step_for_one(brand):
    reply = ask(brand, about="change", **DAYS)
    assert (reply.answer, reply.cannot_tell.next_step.arguments["engine"]) == (None, "chatgpt")


@pytest.mark.parametrize(("competitor", "name"), [(None, "Kryton"), ("Zentra", "Zentra")])
def test_a_change_between_days_is_tested(brand, competitor, name):
    reply = ask(brand, about="change", engine="chatgpt", competitor=competitor, **DAYS)
    assert f"of the score of {name} of chatgpt" in reply.answer and reply.cannot_tell is None


def test_the_change_of_a_rival_is_tested_without_days(brand):
    add(brand, *(asked("chatgpt", 10, topic=topic) for topic in ("city bikes", "steel locks", "range", "helmets")))
    reply = ask(brand, about="change", engine="chatgpt", competitor="Zentra")
    assert "On 2026-01-10 the score of Zentra of chatgpt is 62 points less than on 2026-01-01" in reply.answer


@pytest.mark.parametrize(
    "narrowed", [{"topic": "range"}, {"measure": "shareOfVoice"}, {"measure": "first"}, {"competitor": "Varmio"}]
)
def test_a_change_that_is_not_tested_is_refused(brand, narrowed):
    reply = ask(brand, about="change", **narrowed)
    assert reply.answer is None and "Changes are tested for the score" in reply.cannot_tell.why


def test_advice_comes_before_chores(brand):
    names = [{"name": "Varmio", "topic": "range", "mentioned": 9, "offered": 8, "of": 9, "first": 0}]
    RecommendationFactory(brand=brand, kind="track", facts={"names": names}, priority=90)
    RecommendationFactory(brand=brand, subject="sheds", priority=10)
    reply = ask(brand, about="recommendations")
    assert [fact.is_chore for fact in reply.facts] == [False, True]
    assert reply.answer.startswith("Open recommendations to be named more: 1; chores: 1. First: Rival is ahead")


def test_recommendations_on_a_topic_are_of_it_or_it_is_said_that_none_is(brand):
    card = RecommendationFactory(brand=brand, subject="sheds")
    assert ask(brand, about="recommendations", topic="range").answer.startswith("None is on this topic alone.")
    card.facts = {**card.facts, "topic_id": str(brand.topics.get(name="range").pk)}
    card.save()
    assert ask(brand, about="recommendations", topic="range").answer.startswith("Open recommendations")


def test_without_an_audit_the_step_that_makes_one_says_what_it_takes(brand):
    reason = ask(brand, about="audit").cannot_tell
    assert reason.next_step.tool == "run_audit_scan" and "50 credits" in reason.why


def test_an_audit_that_failed_says_why(brand):
    failed = {"kind": Run.Kind.AUDIT, "status": Run.Status.FAILED, "error_code": "x", "error_message": "It is away."}
    RunFactory(brand=brand, **failed)
    assert "failed: It is away." in ask(brand, about="audit").cannot_tell.why


def test_costs_without_a_site_begin_with_the_one_that_the_question_names(brand):
    for name in ("Avola", "Merida"):
        BrandFactory(owner=brand.owner, name=name)
    caller = Caller.from_user(brand.owner)
    reply = answer_question(caller, None, Question("What does a scan of Merida cost?", about="costs"))
    sentence = reply.answer.split(" Used of")[0]
    assert sentence.index("Merida") < sentence.index("Avola") < sentence.index("Kryton")
    assert sentence.count("cannot be started") == 1


def test_all_terms_that_are_asked_for_are_explained(brand):
    reply = ask(brand, "What are mentions, a citation, and share-of-voice?", about="definitions")
    assert {fact.term for fact in reply.facts} == {"mention", "citation", "share of voice"}


def test_a_reply_has_a_fact_a_sentence_or_a_reason(brand):
    silent = [
        (about, narrowed)
        for about in ask(brand).subjects
        for narrowed in ({}, {"engine": "gemini"}, {"topic": "range"}, {"competitor": "Zentra"}, {"competitor": "No"})
        for reply in [ask(brand, about=about, **narrowed)]
        if not (reply.answer or reply.cannot_tell or about == "definitions")
    ]
    assert silent == []


def test_a_value_of_a_term_is_explained_with_it(brand):
    reply = ask(brand, about="definitions", words="too close to call")
    assert [fact.term for fact in reply.facts] == ["relation"]


def test_words_are_looked_for_in_domains_where_sources_are_asked_for(brand):
    reply = ask(brand, about="sources", measure="mentioned", words="pedalia")
    assert "cited: pedalia.example in 8" in reply.answer and "hold these words" not in reply.answer


def test_a_site_leads_a_topic_only_ahead_of_every_competitor(brand):
    reply = ask(brand, about="topics")
    assert "a competitor is ahead on 1 of 4 topics, and it on 0" in reply.answer


def test_costs_without_an_ai_engine_say_what_one_would_cost(brand):
    reply = ask(brand, about="costs")
    assert "What if an AI engine were set up" in reply.answer
    supposed = [each for each in reply.facts if isinstance(each, WhatIf)]
    assert supposed and all(each.scan_cost > each.answer_cost > 0 for each in supposed)


def test_costs_with_an_ai_engine_suppose_nothing(brand, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    EngineFactory(name="gpt", preset="openai", model="gpt-5-mini", is_enabled=True)
    assert "What if" not in ask(brand, about="costs").answer

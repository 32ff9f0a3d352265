"""What `ask` says of recommendations: what is first and why, which are under way, whether they helped."""

from dataclasses import replace

import pytest

from apikeys.caller import Caller
from apikeys.scopes import ALL_SCOPES, Scope
from tests.factories import PromptFactory
from tests.judged import FACTORS, PLAN, RESULT, TOPIC, done_recommendation, proof_of
from visibility.models import Proof
from visibility.services.ask.answering import prepare_answer

LANGUAGES = {
    "en": ("Did it help?", "Which recommendations are in progress?", "What should we do first?"),
    "de": ("Hat es geholfen?", "Welche Empfehlungen sind in Arbeit?", "Was sollen wir zuerst tun?"),
    "fr": ("Est-ce que ça a aidé ?", "Quelles recommandations sont en cours ?", "Que devons-nous faire en premier ?"),
    "es": ("¿Ha ayudado?", "¿Qué recomendaciones están en curso?", "¿Qué debemos hacer primero?"),
}


@pytest.fixture
def ask(cast):
    PromptFactory(brand=cast.brand, topic=TOPIC, text="Which noise-cancelling earbuds are best?")
    PromptFactory(brand=cast.brand, topic="anvil", text="Which anvil is best?")

    def answer(question, scopes=ALL_SCOPES):
        caller = Caller(actor="key:1", user=cast.owner, scopes=frozenset(scopes))
        return prepare_answer(caller, question=question, brand_id=cast.brand.pk)()

    return answer


def open_one(brand, **columns):
    fields = {"status": "open", "title": "Write the guide", "priority": 60, "status_reason": ""}
    return done_recommendation(brand, **{**fields, **columns})


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", [*Proof.Verdict.values, "", "baseline"])
def test_whether_it_helped_is_answered_by_the_verdict_with_its_figures(ask, cast, language, verdict):
    is_waiting = verdict in ("", "baseline")
    states = {"state": "baseline"} if verdict == "baseline" else {}
    row = done_recommendation(cast.brand, proof=proof_of(cast.brand, verdict="" if is_waiting else verdict, **states))
    result = ask(LANGUAGES[language][0])
    assert result.language == language
    first = result.facts[0]
    assert first.refs == [str(row.pk)] and row.title in result.answer
    figures = {name: first.values.get(name) for name in ("delta", "low", "high", "least", "scans")}
    none = dict.fromkeys(figures)
    expected = {
        "moved_up": {"delta": RESULT.delta, "low": RESULT.low, "high": RESULT.high},
        "moved_down": {"delta": RESULT.delta, "low": RESULT.low, "high": RESULT.high},
        "not_seen": {"delta": RESULT.delta, "low": RESULT.low, "high": RESULT.high, "least": RESULT.least},
        "": {"scans": PLAN.scans, "least": PLAN.least},
    }
    assert figures == none | expected.get(verdict, {})
    assert bool(result.cannot_know) == is_waiting


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_in_progress_is_counted_and_told_with_its_reason(ask, cast, language):
    row = open_one(cast.brand, status="in_progress", status_reason="Ada writes it.", subject="1")
    open_one(cast.brand, subject="2")
    result = ask(LANGUAGES[language][1])
    counted = {name: result.facts[0].values[name] for name in ("open", "inProgress", "done", "resolved", "dismissed")}
    assert counted == {"open": 1, "inProgress": 1, "done": 0, "resolved": 0, "dismissed": 0}
    assert result.facts[1].refs == [str(row.pk)] and result.facts[1].values["reason"] == "Ada writes it."


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_first_is_told_with_what_its_priority_is_made_of(ask, cast, language):
    row = open_one(cast.brand)
    first, why, *_ = ask(LANGUAGES[language][2]).facts
    assert first.refs == why.refs == [str(row.pk)]
    assert (why.values["answers"], why.values["ofAnswers"]) == (FACTORS["answers"], FACTORS["of_answers"])
    assert (why.values["showing"], why.values["ofEngines"], why.values["reach"]) == (2, 3, 18.0)


@pytest.mark.django_db
def test_a_recommendation_on_a_topic_is_found_by_its_topic(ask, cast):
    row = done_recommendation(cast.brand, verdict="not_seen", title="Write the earbuds guide")
    open_one(cast.brand, topic="anvil", payload={"fix_prompt": "", "topic_name": "anvils"}, status="dismissed")
    result = ask("What happened to the recommendation on earbuds?")
    assert {ref for row_fact in result.facts for ref in row_fact.refs} == {str(row.pk)}
    assert TOPIC in result.answer and result.facts[0].values["dismissed"] == 0


@pytest.mark.django_db
def test_where_nothing_is_judged_it_says_so(ask, cast):
    open_one(cast.brand)
    result = ask("Did it help?")
    assert result.facts[0].values["done"] == 0 and not result.facts[0].refs


@pytest.mark.django_db
def test_no_change_that_was_seen_is_not_called_no_effect(ask, cast):
    proof = proof_of(cast.brand, verdict="not_seen", result=replace(RESULT, least=13.4))
    done_recommendation(cast.brand, proof=proof)
    assert "less than 13.4 points would not have been seen" in ask("Did it help?").answer


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["Did it help?", "Which recommendations are done?", "What should we do first?"])
def test_without_the_scope_nothing_of_it_is_told(ask, cast, question):
    done_recommendation(cast.brand, verdict="moved_up", title="Secret work")
    open_one(cast.brand, title="Secret work")
    result = ask(question, ALL_SCOPES - {Scope.READ_RECOMMENDATIONS})
    told = result.model_dump_json()
    assert "Secret" not in told and "17.5" not in told and "0.18" not in told
    assert "read:recommendations" in told

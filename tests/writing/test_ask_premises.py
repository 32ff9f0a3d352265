"""What a question takes for granted is held against the figures: corrected with them, or confirmed and led on."""

from datetime import timedelta

import pytest

from apikeys.caller import Caller
from apikeys.scopes import Scope
from tests.factories import ChangeRecordFactory, CompetitorFactory, DailyScoreFactory
from tests.writing.test_ask import ASLEEP, QUIET
from tests.writing.test_ask_narrowed import DAY, ask, measured, mention

pytestmark = pytest.mark.django_db


@pytest.fixture
def rival(cast):
    return CompetitorFactory(brand=cast.brand, name="Velmora")


@pytest.fixture
def known(cast, rival):
    """Acme is named in 4 of 4 answers on bikes and in none on locks, Velmora in 1 of 4 on bikes and in 3 on locks."""
    run = measured(cast.brand, DAY, {"chatgpt": (4, 0)}, [rival])
    mention(run.answers.filter(prompt__text="good bike").first(), "Velmora", rival)
    for answer in list(run.answers.filter(prompt__topic="locks"))[:3]:
        mention(answer, "Velmora", rival)
    return cast.brand


def premise_of(caller, brand, question):
    """The premise as it was held, and the whole answer."""
    result = ask(caller, question, brand_id=brand.pk)
    [fact] = [fact for fact in result.facts if fact.id == "premise-1"]
    assert result.answer.startswith(fact.statement)
    return fact.values, result


def test_who_is_named_is_not_left_out(known, owner):
    values, result = premise_of(owner, known, "Why is Acme never named on bikes?")
    assert (values["verdict"], values["named"], values["answers"], values["topic"]) == ("false", 4, 4, "bikes")
    assert "it is not left out" in result.answer


def test_who_is_left_out_is_told_where_and_that_reasons_are_not_measured(known, owner):
    values, result = premise_of(owner, known, "Why is Acme never named on locks?")
    assert (values["verdict"], values["named"], values["answers"]) == ("confirmed", 0, 4)
    gaps = [fact for fact in result.facts if fact.id.startswith("gaps")]
    assert gaps[0].values["topic"] == "locks" and gaps[0].values["count"] == 2
    assert result.cannot_know.startswith("Reasons are not measured")
    assert result.next_step.tool == "svc_get_prompt_detail"


def test_seldom_is_not_never(known, owner):
    mention(known.answers.filter(prompt__topic="locks").first(), "Acme")
    values, _ = premise_of(owner, known, "Why is Acme never named on locks?")
    assert (values["verdict"], values["named"]) == ("rarely", 1)


def test_who_is_ahead_is_not_behind(known, owner, rival):
    values, result = premise_of(owner, known, "Why are we behind Velmora on bikes?")
    assert (values["verdict"], values["standing"], values["named"]) == ("false", "ahead", 4)
    assert [(row["subject"], row["named"], row["answers"]) for row in values["others"]] == [("Velmora", 1, 4)]
    assert result.answer.startswith(
        "Acme is named in 4 of 4 answers on “bikes”, Velmora in 1 of 4: Acme is not behind."
    )
    assert str(rival.pk) in result.facts[0].refs


def test_who_is_behind_is_told_where(known, owner):
    values, result = premise_of(owner, known, "Why are we behind Velmora on locks?")
    assert (values["verdict"], values["standing"]) == ("confirmed", "behind")
    assert any(fact.id == "gaps-1" for fact in result.facts)


def test_a_share_is_corrected_with_the_figure(known, owner):
    values, _ = premise_of(owner, known, "Why do only 60 % of the answers name us?")
    assert (values["verdict"], values["asked"], values["named"], values["answers"]) == ("false", 60.0, 4, 8)
    values, _ = premise_of(owner, known, "Why do only 40 % of the answers name us?")
    assert values["verdict"] == "confirmed"


def test_a_fall_is_told_only_where_it_is_confirmed(cast, owner):
    DailyScoreFactory(brand=cast.brand, date=DAY)
    change = {"since": str(DAY), "delta": -7.0, "low": None, "high": None, "verdict": "moved",
              "minimum_detectable": 9.0}  # fmt: skip
    waiting = {**QUIET, "state": "open", "moved_on": "2026-03-02"}
    DailyScoreFactory(brand=cast.brand, date=DAY + timedelta(1), change=change, confirmation=waiting, monitor=ASLEEP)
    values, _ = premise_of(owner, cast.brand, "Why did our score fall?")
    assert (values["verdict"], values["claimed"]) == ("not_confirmed", "fell")
    ChangeRecordFactory(brand=cast.brand, known_on=DAY + timedelta(1))
    values, _ = premise_of(owner, cast.brand, "Why did our score fall?")
    assert (values["verdict"], values["delta"]) == ("confirmed", -37.1)
    values, _ = premise_of(owner, cast.brand, "Why did our score rise?")
    assert (values["verdict"], values["direction"]) == ("false", "fell")


def test_a_premise_about_whom_the_key_may_not_read_is_left_alone(cast, known):
    blind = Caller(actor="key:1", user=cast.owner, scopes=frozenset({Scope.READ_SITES, Scope.READ_COMPETITORS}))
    result = ask(blind, "Why are we behind Velmora on bikes?", brand_id=known.pk)
    assert "Acme" not in result.answer and not any(fact.id.startswith("premise") for fact in result.facts)
    assert "read:visibility" in [part.required_scope for part in result.withheld]

"""Facts for one country or language, and which markets a figure pools."""

import pytest

from tests.ask.conftest import ask
from tests.counts.conftest import asked, measured
from visibility.ask.markets import markets_like

MARKETS = ["de-AT", "de-DE", "en-GB", "en-US", "und-CH"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("Austria", ["de-AT"]),
        ("\u00f6sterreich", ["de-AT"]),
        ("Autriche", ["de-AT"]),
        ("German", ["de-AT", "de-DE"]),
        ("Germany (German)", ["de-DE"]),
        ("deutsch", ["de-AT", "de-DE"]),
        ("en-us", ["en-US"]),
        ("UK", ["en-GB"]),
        ("USA", ["en-US"]),
        ("Suisse", ["und-CH"]),
        ("Austrian buyers", []),
        ("?", []),
    ],
)
def test_a_market_is_known_by_its_country_or_language_in_the_users_words(given, meant):
    assert markets_like(MARKETS, given) == meant


@pytest.fixture
def brand(db):
    """Named in all answers for Austria and in none for the United States."""
    yes = ("Kryton",) * 4
    return measured(asked("chatgpt", 1, *yes, locale="de-AT"), asked("chatgpt", 1, locale="en-US"))


def test_without_a_market_the_reply_says_which_ones_its_figures_pool(brand):
    reply = ask(brand, about="standing")
    assert (reply.facts[0].mentioned, reply.facts[0].of, reply.markets) == (4, 8, ["de-AT", "en-US"])


def test_a_market_narrows_facts_and_is_said(brand):
    reply = ask(brand, about="standing", market="Austria")
    [resolved] = reply.resolved
    assert (reply.facts[0].mentioned, reply.facts[0].of, reply.markets) == (4, 4, ["de-AT"])
    assert (resolved.kind, resolved.name, resolved.from_) == ("market", "de-AT", "Austria")
    assert "for Austria (German)" in reply.answer


def test_a_market_alone_shows_the_standing(brand):
    assert ask(brand, market="USA").facts[0].mentioned == 0


def test_a_market_that_was_not_asked_for_narrows_nothing_and_is_refused_with_those_that_were(brand):
    reply = ask(brand, about="standing", market="France")
    assert (reply.facts[0].of, reply.resolved[0].others) == (8, ["de-AT", "en-US"])
    assert "Austria (German), United States (English)" in reply.cannot_tell.why


def test_a_market_in_the_question_is_offered_and_narrows_nothing(brand):
    reply = ask(brand, "How do we do in Austria?", about="standing")
    assert (reply.facts[0].of, reply.resolved[0].kind, reply.resolved[0].others) == (8, "market", ["de-AT"])


def test_a_change_in_one_market_is_refused_with_the_call_for_all(brand):
    refused = ask(brand, about="change", market="Austria").cannot_tell
    assert refused.what == "a change of score here" and "market" not in refused.next_step.arguments


def test_a_further_call_repeats_the_market(brand):
    step = ask(brand, about="standing", market="Austria", topic="nonsense", engine="none").cannot_tell.next_step
    assert step is None or step.arguments["market"] == "Austria"

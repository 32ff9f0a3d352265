"""Scores through the agent door: the figures of REST, put together."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.factories import CompetitorFactory, DailyScoreFactory
from tests.mcp.conftest import FULL, MODES, data_of, error_of
from visibility.models import DailyScore

NOW = datetime(2026, 11, 20, 15, 30, tzinfo=UTC)
CHANGE = {
    "since": "2026-11-18",
    "delta": 5.0,
    "low": 1.0,
    "high": 9.0,
    "verdict": "moved",
    "minimum_detectable": 4.0,
    "causes": [],
    "common": None,
    "by_engine": [],
}


def ms(days_ago):
    return int((NOW - timedelta(days=days_ago)).timestamp() * 1000)


def row(engine, score):
    further = (
        "share_of_voice",
        "share_of_voice_low",
        "share_of_voice_high",
        "citation_rate",
        "citation_rate_low",
        "citation_rate_high",
    )
    figures = {"score": score, "low": score - 5, "high": score + 5, "answers": 30}
    return {"engine": engine, "models": [], **figures, **dict.fromkeys(further)}


@pytest.fixture
def site(cast, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return {"siteId": str(cast.brand.pk), **FULL}


@pytest.fixture
def days(cast, site):
    """Three measured days of the brand and of one competitor."""
    rival = CompetitorFactory(brand=cast.brand, name="Rival")
    for days_ago, score in ((40, 30.0), (2, 40.0), (1, 45.0)):
        day = (NOW - timedelta(days=days_ago)).date()
        engines = [row("gemini", score), row("openai", score - 10)]
        change = CHANGE if days_ago == 1 else None
        DailyScoreFactory(
            brand=cast.brand, date=day, score=score, engines=engines, share_of_voice=60.0, change=change
        )
        DailyScoreFactory(
            brand=cast.brand, competitor=rival, date=day, score=20.0, share_of_voice=40.0, change=change
        )
    return rival


@pytest.mark.parametrize("mode", MODES)
def test_the_trend_is_that_of_rest(agent, api, key, site, days, mode):
    found = data_of(agent.call(key, "get_visibility_scores", site, mode=mode))
    trend = api.get(api.brand + "/visibility", key).json()["trend"]
    assert [item["date"] for item in trend] == ["2026-11-18", "2026-11-19"]
    assert found["trend"] == trend
    now = found["now"]
    assert found["asOf"] == "2026-11-19"
    assert {name: now[name] for name in trend[-1] if name != "engines"} == {
        name: value for name, value in trend[-1].items() if name != "engines"
    }
    assert (now["leftOut"], now["basedOn"], now["age"]) == ([], "Gemini and OpenAI as of 19 Nov 2026", None)
    shown = {"asOf": "2026-11-19", "averaged": True, "reason": None, "notAskedYet": None, "note": None}
    assert found["byEngine"] == now["engines"] == [item | shown for item in trend[-1]["engines"]]


def test_all_brands_are_shown_the_site_first(agent, key, site, days):
    found = data_of(agent.call(key, "get_visibility_scores", site))
    assert [(share["name"], share["score"], share["shareOfVoice"]) for share in found["shareOfVoice"]] == [
        ("Acme", 45.0, 60.0),
        ("Rival", 20.0, 40.0),
    ]
    assert [share["competitor"] for share in found["shareOfVoice"]] == [None, str(days.pk)]
    assert (found["change"]["name"], found["change"]["change"]["verdict"]) == ("Acme", "moved")


def test_now_is_the_latest_day_whatever_the_window(agent, api, key, site, days):
    window = {"from": ms(45), "to": ms(39)}
    found = data_of(agent.call(key, "get_visibility_scores", {**site, **window}))
    assert [item["date"] for item in found["trend"]] == ["2026-10-11"]
    assert found["asOf"] == "2026-11-19"
    assert found["trend"] == api.get(f"{api.brand}/visibility?from={ms(45)}&to={ms(39)}", key).json()["trend"]


def test_one_engine_alone(agent, key, site, days):
    changes = [
        {**CHANGE, "metric": "score", "engine": engine, "p": 0.01, "adjusted_p": 0.02}
        for engine in (None, "gemini", "openai")
    ]
    DailyScore.objects.filter(competitor=None).update(changes=changes)
    found = data_of(agent.call(key, "get_visibility_scores", site))
    assert [change["engine"] for change in found["change"]["changes"]] == [None, "gemini", "openai"]
    found = data_of(agent.call(key, "get_visibility_scores", {**site, "engine": "openai"}))
    assert [(each["engine"], each["score"]) for each in found["byEngine"]] == [("openai", 35.0)]
    assert [change["engine"] for change in found["change"]["changes"]] == [None, "openai"]
    assert [[each["engine"] for each in item["engines"]] for item in found["trend"]] == [["openai"]] * 2
    error = error_of(agent.call(key, "get_visibility_scores", {**site, "engine": "claude"}))
    assert (error.code, error.details["arguments"][0]["path"]) == ("invalid_arguments", "engine")
    assert "gemini, openai" in error.message


def test_a_window_that_ends_before_it_begins_is_refused(agent, key, site):
    for window in ({"from": ms(1), "to": ms(2)}, {"from": ms(-1)}):
        error = error_of(agent.call(key, "get_visibility_scores", {**site, **window}))
        assert (error.code, error.details["arguments"][0]["path"]) == ("invalid_arguments", "from")


def test_what_was_not_measured_is_null(agent, key, site):
    found = data_of(agent.call(key, "get_visibility_scores", site))
    assert (found["asOf"], found["now"], found["change"]) == (None, None, None)
    assert found["trend"] == found["byEngine"] == found["shareOfVoice"] == []

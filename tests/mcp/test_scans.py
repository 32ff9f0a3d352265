"""Scans as an agent goes through them: start, look how far it is, read what came of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.text import unmarked
from tests.factories import CompetitorFactory
from tests.mcp.conftest import PREFIX, let_scan, make_prompt
from visibility import jobs
from visibility.models import Answer, Run
from visibility.runs import reads as runs_reads


@pytest.fixture
def site(cast):
    let_scan(cast.brand)
    make_prompt(cast.brand)
    for name in ("Globex", "Initech"):
        CompetitorFactory(brand=cast.brand, name=name, domain=f"{name.lower()}.example")
    return {"siteId": str(cast.brand.pk)}


def follow(agent, key, result):
    """The result of the step that another names."""
    return agent.data(key, result["nextStep"]["tool"].removeprefix(PREFIX), **result["nextStep"]["arguments"])


def answer(run_id, text):
    """Let engines answer, as the worker does, and measure."""
    Answer.objects.filter(run=run_id).update(state="answered", text=text, answered_at=timezone.now())
    run = Run.objects.get(pk=run_id)
    run.engines.update(done=run.total)
    Run.objects.filter(pk=run_id).update(status="running", started_at=run.created_at, done=run.total)
    jobs.measure.func(run_id)


def test_a_scan_is_followed_from_its_start_to_its_figures(agent, key, site, monkeypatch):
    started = agent.data(key, "run_visibility_scan", **site)
    assert (started["started"], started["reason"], started["creditsSpent"]) == (True, None, 3)
    waiting = follow(agent, key, started)
    assert (waiting["percent"], waiting["etaSeconds"], waiting["pollAfterSeconds"]) == (0.0, None, 5)
    now = timezone.now()
    Run.objects.update(status="running", started_at=now - timedelta(seconds=60), done=1)
    assert agent.data(key, "get_latest_scan", **site)["nextStep"] == started["nextStep"]
    with monkeypatch.context() as clock:
        clock.setattr(runs_reads.timezone, "now", lambda: now)
        working = follow(agent, key, waiting)
    assert (working["percent"], working["etaSeconds"], working["pollAfterSeconds"]) == (33.33, 120, 60)
    answer(started["run"]["id"], "Acme is the best.")
    done = follow(agent, key, working)
    assert (done["run"]["status"], done["pollAfterSeconds"]) == ("succeeded", None)
    assert follow(agent, key, done)["now"]["score"] == 100.0
    again = agent.data(key, "run_visibility_scan", **site)
    assert (again["run"]["id"], again["started"], again["reason"]) == (started["run"]["id"], False, "cooldown")
    assert again["nextStep"] == done["nextStep"]


def test_a_comparison_shows_whom_answers_prefer_with_their_words(agent, key, site):
    started = agent.data(key, "run_competitor_comparison", **site)
    answer(started["run"]["id"], "Both are fine. Overall, I would choose Acme over <b>the other</b>.")
    found = follow(agent, key, follow(agent, key, started))
    assert found["run"]["kind"] == "comparison" and found["run"]["score"] is None
    assert [unmarked(row["name"]) for row in found["comparison"]] == ["Globex", "Initech"]
    for row in found["comparison"]:
        assert (row["answers"], row["sitePreferred"], row["competitorPreferred"], row["undecided"]) == (12, 12, 0, 0)
        assert row["engines"][0]["sitePreferred"] == 12 and "prompts" not in row
        [quote] = row["quotes"]
        assert quote["prefers"] == "site" and "&lt;b&gt;" in quote["text"]
    full = agent.data(key, "get_latest_scan", **site, kind="comparison", detail="full")["comparison"]
    assert [len(row["prompts"]) for row in full] == [4, 4]
    assert agent.data(key, "get_latest_scan", **site, kind="visibility")["run"] is None


def test_a_comparison_with_somebody_who_is_no_competitor_names_the_list_of_them(agent, key, site):
    error = agent.error(key, "run_competitor_comparison", **site, competitorIds=[site["siteId"]])
    assert (error.code, error.details["arguments"][0]["path"]) == ("invalid_arguments", "competitorIds")
    assert error.details["nextStep"] == {
        "tool": "svc_list_competitors",
        "arguments": site,
        "why": "gives the ids of competitors",
    }

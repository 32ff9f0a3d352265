"""The closed loop through the doors: a gap is found, its work is done, new answers say whether it helped."""

import pytest

from apikeys.scopes import ALL_SCOPES
from tests.factories import ApiKeyFactory
from tests.loop.conftest import OWN, TOPICS
from tests.mcp.conftest import agent, data_of
from tests.rest.conftest import api
from visibility.models import Recommendation
from visibility.services.recommendations.deciding import set_status

__all__ = ["agent", "api"]


@pytest.fixture
def key(cast):
    return ApiKeyFactory(owner=cast.owner, scopes=sorted(ALL_SCOPES))


@pytest.fixture
def doors(api, agent, key, cast):
    """What REST and the agents' tool say of the recommendation on the topic: the same of its proof."""

    def look(row):
        listed = api.get(f"{api.brand}/recommendations?status=all", key).json()["recommendations"]
        told = data_of(
            agent.call(key, "get_recommendations", {"siteId": str(cast.brand.pk), "status": "all", "detail": "full"})
        )["recommendations"]
        [of_rest], [of_agents] = ([item for item in items if item["id"] == str(row.pk)] for items in (listed, told))
        assert of_rest["proof"]["verdict"] == of_agents["proof"]["verdict"]
        assert of_rest["status"] == of_agents["status"]
        return of_rest

    return look


@pytest.fixture
def found(world):
    """The topic on which a rival is named and the brand is not, as measurement finds it, and three days more."""
    world.samples = 2
    world.rates = {**dict.fromkeys(TOPICS, 0.95), OWN: 0.3}
    world.scan(0)
    row = Recommendation.objects.get(kind="topic_gap", topic=OWN)
    assert (row.status, row.opened_on) == ("open", world.date(0))
    world.scan(1, 2, 3)
    row.refresh_from_db()
    assert row.status == "open"
    return row


@pytest.fixture
def done(world, found):
    world.at(3, 15)
    row = set_status(world.owner, recommendation=found, status="done", reason="The guide is online.")
    assert row.proof.state == "collecting"
    return row


def scans_of(row):
    return row.proof.plan["scans"]


def test_a_change_is_proven_and_the_gap_resolves(world, done, doors):
    proof = doors(done)["proof"]
    assert (proof["state"], proof["verdict"], proof["delta"]) == ("collecting", None, None)
    assert proof["baseline"] == ["2026-11-03", "2026-11-04", "2026-11-05"]
    assert proof["sentence"] == done.proof.plan["sentence"]
    world.rates[OWN] = 0.95
    world.scan(*range(4, 4 + scans_of(done)))
    shown = doors(done)
    proof = shown["proof"]
    assert (shown["status"], proof["state"], proof["verdict"]) == ("resolved", "judged", "moved_up")
    assert 0 < proof["low"] < proof["delta"] < proof["high"]
    assert 40 < proof["delta"] < 85
    assert proof["sentence"].startswith(f"Moved up: on “{OWN}” Acme is named ")


def test_without_an_effect_nothing_is_claimed(world, done, doors):
    world.scan(*range(4, 4 + scans_of(done)))
    shown = doors(done)
    assert (shown["status"], shown["proof"]["verdict"]) == ("done", "not_seen")
    assert shown["proof"]["low"] < 0 < shown["proof"]["high"]
    assert f"it could have seen {round(shown['proof']['least'])} points" in shown["proof"]["sentence"]


def test_a_tide_that_lifts_all_topics_is_no_effect(world, doors):
    """Every topic rises by as much as a proven change would."""
    world.samples = 2
    world.rates = dict.fromkeys(TOPICS, 0.3)
    world.scan(0, 1, 2, 3)
    row = Recommendation.objects.get(kind="topic_gap", topic=OWN)
    world.at(3, 15)
    row = set_status(world.owner, recommendation=row, status="done")
    world.rates = dict.fromkeys(TOPICS, 0.7)
    world.scan(*range(4, 4 + scans_of(row)))
    proof = doors(row)["proof"]
    assert proof["verdict"] == "not_seen"
    row.proof.refresh_from_db()
    assert row.proof.result["own"] > 20 and row.proof.result["control"] > 20

"""Calls with an idempotency key: one effect, whoever repeats them, and nothing left behind by failures."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import CallLog, IdempotentCall, Usage
from apikeys.services import idempotency
from brands.models import Competitor
from brands.services.brands import delete_brand
from tests.factories import ApiKeyFactory, BrandFactory, CompetitorFactory, PromptFactory
from tests.mcp.conftest import data_of, error_of
from visibility.models import Run


@pytest.fixture
def rival(cast):
    return {"siteId": str(cast.brand.pk), "name": "Rival", "domain": "rival.example", "idempotencyKey": "one"}


def test_a_repeat_gets_the_first_result_and_adds_nothing(agent, key, cast, rival):
    first = data_of(agent.call(key, "add_competitor", rival))
    Competitor.objects.update(name="Renamed")
    other_key_of_the_owner = ApiKeyFactory(owner=cast.owner)
    for sender in (key, other_key_of_the_owner):
        assert data_of(agent.call(sender, "add_competitor", rival, mode="legacy")) == first
    assert Competitor.objects.count() == 1
    assert CallLog.objects.filter(name="svc_add_competitor", success=True).count() == 3


def test_a_scan_is_charged_once(agent, key, cast, settings):
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    settings.SCAN_COOLDOWN_SECONDS = 0
    PromptFactory(brand=cast.brand)
    arguments = {"siteId": str(cast.brand.pk), "idempotencyKey": "scan"}
    first = data_of(agent.call(key, "run_visibility_scan", arguments))
    assert (first["started"], first["creditsSpent"]) == (True, 3)
    Run.objects.update(status="succeeded", finished_at=timezone.now())
    assert data_of(agent.call(key, "run_visibility_scan", arguments)) == first
    assert Run.objects.count() == 1
    assert Usage.objects.get(kind="credits").used == 3
    again = data_of(agent.call(key, "run_visibility_scan", {**arguments, "idempotencyKey": "other"}))
    assert again["run"]["id"] != first["run"]["id"]


@pytest.mark.parametrize(
    "same",
    [
        {"aliases": []},
        {"siteId": "UPPER"},
    ],
)
def test_the_same_arguments_may_be_written_otherwise(agent, key, rival, same):
    first = data_of(agent.call(key, "add_competitor", rival))
    if "siteId" in same:
        same = {"siteId": rival["siteId"].upper()}
    assert data_of(agent.call(key, "add_competitor", {**rival, **same})) == first


def test_other_arguments_with_the_same_key_are_refused(agent, key, rival):
    data_of(agent.call(key, "add_competitor", rival))
    other = BrandFactory(owner=key.owner)
    for change in ({"name": "Third"}, {"aliases": ["R"]}, {"siteId": str(other.pk)}):
        error = error_of(agent.call(key, "add_competitor", {**rival, **change}))
        assert error.code == "idempotency_conflict"
    assert Competitor.objects.count() == 1


def test_keys_belong_to_their_owner_and_tool(agent, key, cast, rival, settings):
    data_of(agent.call(key, "add_competitor", rival))
    editor = ApiKeyFactory(owner=cast.editor)
    other = {**rival, "name": "Second", "domain": "second.example"}
    assert data_of(agent.call(editor, "add_competitor", other))["competitor"]["name"] == "Second"
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    PromptFactory(brand=cast.brand)
    scan = {"siteId": rival["siteId"], "idempotencyKey": "one"}
    assert data_of(agent.call(key, "run_visibility_scan", scan))["started"]


def test_a_repeat_is_answered_only_to_who_may_still_call(agent, cast, rival):
    editor = ApiKeyFactory(owner=cast.editor)
    data_of(agent.call(editor, "add_competitor", rival))
    without = ApiKeyFactory(owner=cast.editor, scopes=["read:sites"])
    assert error_of(agent.call(without, "add_competitor", rival)).code == "insufficient_scope"
    cast.brand.collaborators.filter(user=cast.editor).update(role="viewer")
    assert error_of(agent.call(editor, "add_competitor", rival)).code == "read_only_collaborator"
    cast.brand.collaborators.filter(user=cast.editor).delete()
    assert error_of(agent.call(editor, "add_competitor", rival)).code == "not_found"


def test_failures_are_not_kept(agent, key, cast, rival):
    taken = CompetitorFactory(brand=cast.brand, name="Rival")
    assert error_of(agent.call(key, "add_competitor", rival)).code == "conflict"
    assert not IdempotentCall.objects.exists()
    taken.delete()
    assert data_of(agent.call(key, "add_competitor", rival))["competitor"]["name"] == "Rival"


def test_what_fails_after_its_effect_leaves_neither_effect_nor_record(agent, key, rival, monkeypatch):
    monkeypatch.setattr("mcp_bridge.dispatch.written", lambda resource: 1 / 0)
    assert error_of(agent.call(key, "add_competitor", rival)).code == "internal_error"
    assert not Competitor.objects.exists()
    assert not IdempotentCall.objects.exists()


@pytest.mark.parametrize("bad", ["", "a" * 256, "a\0b", "line\nbreak", "\u202ereversed", 7])
def test_keys_are_short_and_printable(agent, key, rival, bad):
    error = error_of(agent.call(key, "add_competitor", {**rival, "idempotencyKey": bad}))
    assert (error.code, error.details["arguments"][0]["path"]) == ("invalid_arguments", "idempotencyKey")
    assert not Competitor.objects.exists()


def test_any_printable_key_of_255_characters_will_do(agent, key, rival):
    data_of(agent.call(key, "add_competitor", {**rival, "idempotencyKey": "é" * 255}))
    assert IdempotentCall.objects.get().key == "é" * 255


def reserved(cast, rival, **changes):
    """A call that another has begun, `changes` apart."""
    request = idempotency.Request(
        user=cast.owner, tool="add_competitor", key="one", arguments=canonical(rival), subject=cast.brand.pk
    )
    found = idempotency.reserve(request)
    IdempotentCall.objects.filter(pk=found.pk).update(**changes)
    return found


def canonical(rival):
    listed = ", ".join(f'"{name}": "{rival[name]}"' for name in ("domain", "name", "siteId"))
    return f"{{{listed}}}".encode()


def test_while_the_first_runs_a_repeat_is_told_when_to_come_again(agent, key, cast, rival, monkeypatch):
    monkeypatch.setattr("mcp_bridge.dispatch.WAITS", (0.01, 0.01))
    reserved(cast, rival)
    error = error_of(agent.call(key, "add_competitor", rival))
    assert error.code == "idempotency_in_progress"
    assert 1 <= error.details["retryAfterSeconds"] <= 30
    assert f"{error.details['retryAfterSeconds']} seconds" in error.message
    assert not Competitor.objects.exists()


def test_a_repeat_gets_the_result_when_the_first_ends_meanwhile(agent, key, cast, rival, monkeypatch):
    first = reserved(cast, rival)
    looks = []
    enter = idempotency.reserve

    def watched(request):
        looks.append(request)
        if len(looks) == 2:
            idempotency.execute_once(first, lambda: '{"done": "by the first"}')
        return enter(request)

    monkeypatch.setattr("mcp_bridge.dispatch.reserve", watched)
    params = {"name": "svc_add_competitor", "arguments": rival}
    response = agent.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, key)
    assert response.json()["result"]["structuredContent"] == {"done": "by the first"}
    assert len(looks) == 2


def test_a_crash_leaves_the_key_free_when_its_lease_has_run_out(agent, key, cast, rival):
    dead = reserved(cast, rival, lease_until=timezone.now() - timedelta(seconds=1))
    assert data_of(agent.call(key, "add_competitor", rival))["competitor"]["name"] == "Rival"
    assert IdempotentCall.objects.get().token != dead.token


def test_who_lost_the_call_undoes_its_effect(cast, rival):
    late = reserved(cast, rival, lease_until=timezone.now() - timedelta(seconds=1))
    request = idempotency.Request(cast.owner, "add_competitor", "one", canonical(rival), cast.brand.pk)
    heir = idempotency.reserve(request)
    assert isinstance(heir, idempotency.Reserved)

    def effect():
        CompetitorFactory(brand=cast.brand)
        return "{}"

    with pytest.raises(idempotency.ServiceError) as refusal:
        idempotency.execute_once(late, effect)
    assert refusal.value.code == "idempotency_in_progress"
    assert not Competitor.objects.exists()
    idempotency.release(late)
    idempotency.renew(late)
    assert idempotency.execute_once(heir, effect) == "{}"
    assert Competitor.objects.count() == 1


def test_a_renewed_call_is_not_taken_over(cast, rival):
    mine = reserved(cast, rival, lease_until=timezone.now() - timedelta(seconds=1))
    idempotency.renew(mine)
    request = idempotency.Request(cast.owner, "add_competitor", "one", canonical(rival), cast.brand.pk)
    assert isinstance(idempotency.reserve(request), idempotency.Running)


def test_calls_are_kept_until_the_brand_is_deleted(agent, key, cast, rival):
    other = BrandFactory(owner=cast.owner)
    data_of(agent.call(key, "add_competitor", rival))
    data_of(agent.call(key, "add_competitor", {**rival, "siteId": str(other.pk), "idempotencyKey": "two"}))
    delete_brand(Caller.from_user(cast.owner), brand=cast.brand)
    assert IdempotentCall.objects.get().subject == other.pk

"""Calls with an idempotency key: one effect, whoever repeats them, and nothing left behind by failures."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.accounts import idempotency
from apikeys.models import CallLog, IdempotentCall
from brands.models import Competitor
from tests.factories import BrandFactory, CompetitorFactory, make_key
from tests.mcp.conftest import data_of, make_prompt
from visibility.models import PromptVersion


@pytest.fixture
def rival(cast):
    return {"siteId": str(cast.brand.pk), "name": "Rival", "domain": "rival.example", "idempotencyKey": "one"}


def test_a_repeat_gets_the_first_result_and_adds_nothing(agent, key, cast, rival):
    first = agent.data(key, "add_competitor", **rival)
    Competitor.objects.update(name="Renamed")
    for sender in (key, make_key(owner=cast.owner)[1]):
        assert data_of(agent.call(sender, "add_competitor", rival, mode="legacy")) == first
    written_otherwise = {**rival, "siteId": rival["siteId"].upper(), "aliases": [], "toolCallId": "call_2"}
    assert agent.data(key, "add_competitor", **written_otherwise) == first
    assert Competitor.objects.count() == 1
    assert CallLog.objects.filter(name="svc_add_competitor", success=True).count() == 4


def test_other_arguments_with_the_same_key_are_refused(agent, key, cast, rival):
    agent.data(key, "add_competitor", **rival)
    other = BrandFactory(owner=cast.owner)
    for change in ({"name": "Third"}, {"aliases": ["R"]}, {"siteId": str(other.pk)}):
        assert agent.error(key, "add_competitor", **{**rival, **change}).code == "idempotency_conflict"
    assert Competitor.objects.count() == 1


def test_idempotency_keys_belong_to_an_owner_and_a_tool(agent, key, cast, rival):
    agent.data(key, "add_competitor", **rival)
    editor = make_key(owner=cast.editor)[1]
    other = {**rival, "name": "Second", "domain": "second.example"}
    assert agent.plain(editor, "add_competitor", **other)["competitor"]["name"] == "Second"
    refined = {"promptId": str(make_prompt(cast.brand).pk), "archive": True, "idempotencyKey": "one"}
    assert agent.data(key, "refine_prompt", **refined)["isArchived"]


def test_a_repeat_is_answered_only_to_who_may_still_call(agent, cast, rival):
    editor = make_key(owner=cast.editor)[1]
    agent.data(editor, "add_competitor", **rival)
    without = make_key(owner=cast.editor, scopes=["read:sites"])[1]
    assert agent.error(without, "add_competitor", **rival).code == "insufficient_scope"
    cast.brand.collaborators.filter(user=cast.editor).update(role="viewer")
    assert agent.error(editor, "add_competitor", **rival).code == "read_only_collaborator"
    cast.brand.collaborators.filter(user=cast.editor).delete()
    assert agent.error(editor, "add_competitor", **rival).code == "not_found"


def test_failures_leave_the_idempotency_key_free(agent, key, cast, rival, monkeypatch, quiet):
    taken = CompetitorFactory(brand=cast.brand, name="Rival")
    assert agent.error(key, "add_competitor", **rival).code == "conflict"
    taken.delete()
    with monkeypatch.context() as broken:
        broken.setattr("mcp_bridge.dispatch.written", lambda *arguments: 1 / 0)
        assert agent.error(key, "add_competitor", **rival).code == "internal_error"
    assert not IdempotentCall.objects.exists() and not Competitor.objects.exists()
    assert agent.plain(key, "add_competitor", **rival)["competitor"]["name"] == "Rival"


def test_idempotency_keys_are_short_and_printable(agent, key, rival):
    for bad in ("", "a" * 256, "a\0b", "line\nbreak", "\u202ereversed", 7):
        error = agent.error(key, "add_competitor", **{**rival, "idempotencyKey": bad})
        assert (error.code, error.details["arguments"][0]["path"]) == ("invalid_arguments", "idempotencyKey")
    agent.data(key, "add_competitor", **{**rival, "idempotencyKey": "é" * 255})
    assert IdempotentCall.objects.get().key == "é" * 255


def reserved(cast, rival, **changes):
    """A call that another has begun, `changes` apart."""
    listed = ", ".join(f'"{name}": "{rival[name]}"' for name in ("domain", "name", "siteId"))
    call = {"user": cast.owner, "tool": "add_competitor", "key": "one", "subject": cast.brand.pk}
    found = idempotency.reserve(**call, arguments=f"{{{listed}}}".encode())
    IdempotentCall.objects.filter(pk=found.pk).update(**changes)
    return found


def test_while_the_first_runs_a_repeat_learns_when_to_come_again(agent, key, cast, rival, monkeypatch):
    monkeypatch.setattr("mcp_bridge.dispatch.WAITS", (0.01, 0.01))
    reserved(cast, rival)
    error = agent.error(key, "add_competitor", **rival)
    assert error.code == "idempotency_in_progress"
    assert 1 <= error.details["retryAfterSeconds"] <= 30
    assert error.details["nextStep"]["arguments"] == rival
    assert not Competitor.objects.exists()


def test_a_repeat_gets_the_result_when_the_first_ends_meanwhile(agent, key, cast, rival, monkeypatch):
    first = reserved(cast, rival)
    looks = []
    look = idempotency.reserve

    def watched(**request):
        looks.append(request)
        if len(looks) == 2:
            idempotency.execute_once(first, lambda: '{"done": "by the first"}')
        return look(**request)

    monkeypatch.setattr("mcp_bridge.dispatch.reserve", watched)
    params = {"name": "svc_add_competitor", "arguments": rival}
    response = agent.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, key)
    assert response.json()["result"]["structuredContent"] == {"done": "by the first"}
    assert len(looks) == 2


def test_a_crash_leaves_the_key_free_when_its_lease_has_run_out(agent, key, cast, rival):
    dead = reserved(cast, rival, lease_until=timezone.now() - timedelta(seconds=1))
    assert agent.plain(key, "add_competitor", **rival)["competitor"]["name"] == "Rival"
    assert IdempotentCall.objects.get().token != dead.token


def test_a_prompt_is_reworded_once_and_keeps_its_first_wording(agent, key, cast):
    prompt = make_prompt(cast.brand)
    arguments = {"promptId": str(prompt.pk), "wording": "Which bike is best in Rome?", "idempotencyKey": "one"}
    results = [agent.data(key, "refine_prompt", **arguments) for _ in range(2)]
    assert results[0] == results[1] and results[0]["version"] == 2
    assert [version.text for version in PromptVersion.objects.order_by("number")] == [
        "Which bike is best?",
        "Which bike is best in Rome?",
    ]
    for both_or_none in ({"wording": "Another?", "archive": True}, {}):
        error = agent.error(key, "refine_prompt", promptId=str(prompt.pk), **both_or_none)
        assert (error.code, "wording" in error.message) == ("invalid_arguments", True)

"""Writing through the agent door: repeats, many callers at once, and processes that die at any line."""

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.models import IdempotentCall, Usage
from tests.factories import ApiKeyFactory, PromptFactory, own_pages
from tests.live import environment, live_web
from tests.mcp.conftest import Agent, data_of, error_of, whole_endpoint
from tests.mcp.test_at_once import FREE_RATE, TIMES, all_at_once, message
from tests.writing.test_prompts import written
from visibility.models import ContentDraft, Prompt, PromptVersion

DRAFT = {"title": "A page about bikes", "markdown": "Acme [add a fact].\n\n## What?\n\nThat.\n\n## Why?\n\nSo."}


@pytest.fixture
def key(cast):
    own_pages(cast.brand)
    return ApiKeyFactory(owner=cast.owner)


@pytest.fixture
def agent(db):
    return Agent(whole_endpoint())


def used(kind):
    return sum(Usage.objects.filter(kind=kind).values_list("used", flat=True))


@pytest.mark.django_db
class TestRepeats:
    def test_a_repeat_gets_the_first_result_and_asks_no_engine_again(self, agent, cast, key, provider):
        provider.replies(DRAFT, written("Which bike is best?"))
        site = {"siteId": str(cast.brand.pk), "topic": "bikes", "idempotencyKey": "one"}
        for tool in ("generate_content_draft", "generate_prompts"):
            first = data_of(agent.call(key, tool, site))
            assert data_of(agent.call(key, tool, site)) == first
            other = {**site, "topic": "cars"}
            assert error_of(agent.call(key, tool, other)).code == "idempotency_conflict"
        assert (len(provider.asked), used("writer_calls"), used("drafts")) == (2, 2, 1)
        assert (ContentDraft.objects.count(), Prompt.objects.count()) == (1, 1)

    def test_a_failure_is_not_kept(self, agent, cast, key, provider):
        provider.replies(503, DRAFT)
        call = {"siteId": str(cast.brand.pk), "topic": "bikes", "idempotencyKey": "one"}
        error = error_of(agent.call(key, "generate_content_draft", call))
        assert (error.code, error.details["reason"]) == ("upstream_unavailable", "server_error")
        assert data_of(agent.call(key, "generate_content_draft", call))["draft"]["writer"]["name"] == "quill"

    def test_a_refused_argument_is_named_as_the_tool_names_it(self, agent, cast, key):
        error = error_of(agent.call(key, "generate_content_draft", {"siteId": str(cast.brand.pk)}))
        assert [each["path"] for each in error.details["arguments"]] == ["opportunityId"]

    def test_agents_get_drafts_between_marks(self, agent, cast, key):
        call = {"siteId": str(cast.brand.pk), "topic": "bikes"}
        draft = data_of(agent.call(key, "generate_content_draft", call))["draft"]
        assert draft["markdown"].startswith("<untrusted-quote>")
        assert draft["title"] == "<untrusted-quote>Bikes</untrusted-quote>"

    def test_a_prompt_is_refined_or_archived_and_never_both(self, agent, cast, key):
        prompt = PromptFactory(brand=cast.brand, text="Which bike is best?")
        site = {"promptId": str(prompt.pk)}
        for wrong in ({}, {"instruction": "in snow", "archive": True}, {"archive": False}):
            refusal = agent.call(key, "refine_prompt", {**site, **wrong})
            assert "invalid_arguments" in str(refusal.content), wrong
        assert "need either an instruction or archive: true" in str(agent.call(key, "refine_prompt", site).content)
        call = {**site, "archive": True, "idempotencyKey": "one"}
        first = data_of(agent.call(key, "refine_prompt", call))
        assert (first["archived"], first["writer"], first["quota"]["used"]) == (True, None, 0)
        assert data_of(agent.call(key, "refine_prompt", call)) == first
        prompt.refresh_from_db()
        assert prompt.archived_at and not PromptVersion.objects.filter(prompt=prompt, number=2).exists()


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestManyAtOnce:
    def test_a_hundred_repeats_write_once(self, cast, key):
        prompt = PromptFactory(brand=cast.brand, text="Which bike is best?")
        site = str(cast.brand.pk)
        calls = {
            "generate_prompts": {"siteId": site, "topic": "bikes", "count": 3, "idempotencyKey": "one"},
            "refine_prompt": {"promptId": str(prompt.pk), "instruction": "in snow", "idempotencyKey": "one"},
            "generate_content_draft": {"siteId": site, "topic": "bikes", "idempotencyKey": "one"},
        }
        with live_web(WEB_WORKERS="2", **FREE_RATE) as live:
            for tool, arguments in calls.items():
                results = all_at_once(live.url, key, [message(tool, arguments)] * TIMES)
                assert all(result == results[0] for result in results)
        assert Prompt.objects.count() == 1 + 3
        assert PromptVersion.objects.filter(prompt=prompt).count() == 2
        assert ContentDraft.objects.count() == used("drafts") == 1
        assert used("writer_calls") == 0

    def test_repeats_ask_the_engine_once(self, cast, key, provider):
        provider.replies(DRAFT)
        call = {"siteId": str(cast.brand.pk), "topic": "bikes", "idempotencyKey": "one"}
        with live_web(WEB_WORKERS="2", **FREE_RATE) as live:
            results = all_at_once(live.url, key, [message("generate_content_draft", call)] * 20)
        assert all(result == results[0] for result in results)
        assert (len(provider.asked), used("writer_calls"), used("drafts")) == (1, 1, 1)


KILLED = """
import os, signal, sys
import django
django.setup()
from apikeys.caller import Caller
from brands.models import Brand
from mcp_bridge import dispatch
from mcp_bridge.arguments import parse
from mcp_bridge.call import Call
from mcp_bridge.tools.content import TOOLS
from visibility.services.content import drafts

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

point, site = sys.argv[1:]
caller = Caller.from_user(Brand.objects.select_related("owner").get(pk=site).owner)
tool = TOOLS[1]
arguments = parse(tool.arguments, {"siteId": site, "topic": "bikes", "idempotencyKey": "one"})
entry = dispatch._enter(tool, caller, arguments)
effect = tool.effect(caller, arguments)
if point == "before it is stored":
    die()
if point == "between quota and draft":
    drafts.ContentDraft.save = die
dispatch._take_effect(Call("x"), entry, effect)
die()
"""


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.parametrize(
    ("point", "kept"),
    [
        ("while the engine is asked", 0),
        ("before it is stored", 0),
        ("between quota and draft", 0),
        ("after it was stored", 1),
    ],
)
def test_a_process_that_dies_leaves_draft_and_quota_or_neither(cast, key, provider, point, kept):
    provider.replies(DRAFT, DRAFT)
    if point == "while the engine is asked":
        provider.before_first = lambda: os.kill(child.pid, signal.SIGKILL)
    site = str(cast.brand.pk)
    child = subprocess.Popen([sys.executable, "-c", KILLED, point, site], env=environment())
    assert child.wait(120) == -signal.SIGKILL
    assert (ContentDraft.objects.count(), used("drafts")) == (kept, kept)
    assert used("writer_calls") == 1  # the provider was asked: the call of the day counts
    IdempotentCall.objects.filter(finished_at=None).update(lease_until=timezone.now() - timedelta(seconds=1))
    call = {"siteId": site, "topic": "bikes", "idempotencyKey": "one"}
    result = data_of(Agent(whole_endpoint()).call(key, "generate_content_draft", call))
    assert result["draft"]["id"] == str(ContentDraft.objects.get().pk)
    assert used("drafts") == 1

"""The real server on a real port: both eras, simultaneous repeats, killed processes, few connections."""

import asyncio
import os
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from datetime import timedelta

import httpx2
import pytest
from django.db import connection
from django.utils import timezone
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from apikeys.models import CallLog, IdempotentCall, Usage
from brands.models import Brand, Competitor
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import BrandFactory, make_key
from tests.live import ROOT, WEB, live_process, own_database, status_of
from tests.mcp.conftest import HEADERS, MODES, data_of, give_evidence, let_scan, make_prompt
from visibility.models import Draft, Prompt, PromptVersion, Run

TIMES = 100
THREADS = {"WEB_THREADS": "2", "TOOL_THREADS": "4", "WRITER_THREADS": "1"}


@dataclass(frozen=True)
class World:
    """A running server of two processes, and what is in its database."""

    url: str
    database: str
    brand: Brand
    key: str
    prompt: Prompt


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database() as database:
        brand = BrandFactory(name="Acme", domain="acme.example")
        let_scan(brand)
        prompt = make_prompt(brand)
        give_evidence(brand, prompt)
        key = make_key(owner=brand.owner)[1]
        environment = {"RATE_LIMIT": "1000000/m", "WEB_WORKERS": "2", **THREADS}
        with live_process(*WEB, database=database, **environment) as live:
            yield World(live.url, database, brand, key, prompt)


def message(tool, arguments):
    params = {"name": f"svc_{tool}", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def all_at_once(world, calls):
    """The results of these calls, all under way at the same time, repeated as `idempotency_in_progress` asks for."""

    async def until_answered(client, call):
        while True:
            result = (await client.post(f"{world.url}/mcp", json=message(*call))).json()["result"]
            error = result["_meta"]["error"] if result["isError"] else {}
            if error.get("code") != "idempotency_in_progress":
                return error.get("code") or result["structuredContent"]
            await asyncio.sleep(error["details"]["retryAfterSeconds"])

    async def call_all():
        headers = {**HEADERS, "Authorization": f"Bearer {world.key}"}
        limits = httpx2.Limits(max_connections=len(calls))
        async with httpx2.AsyncClient(headers=headers, timeout=120, limits=limits, trust_env=False) as client:
            return await asyncio.gather(*(until_answered(client, call) for call in calls))

    return asyncio.run(call_all())


def test_the_official_client_of_both_eras_works_over_a_real_port(world):
    async def use(mode):
        headers = {"Authorization": f"Bearer {world.key}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
            Client(streamable_http_client(f"{world.url}/mcp", http_client=http), mode=mode) as client,
        ):
            return len((await client.list_tools()).tools), data_of(await client.call_tool("svc_list_sites", {}))

    for mode in MODES:
        tools, found = asyncio.run(use(mode))
        assert (tools, found["sites"][0]["id"]) == (len(ALL_TOOLS), str(world.brand.pk))
    for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/mcp/"):
        assert status_of(world.url + path) == 404


@pytest.mark.proof
def test_a_hundred_simultaneous_repeats_have_one_effect_and_one_charge(world):
    site = {"siteId": str(world.brand.pk)}
    calls = {
        "add_competitor": {**site, "name": "Rival", "domain": "rival.example"},
        "run_visibility_scan": site,
        "run_audit_scan": {**site, "maxPages": 2},
        "run_competitor_comparison": site,
        "refine_prompt": {"promptId": str(world.prompt.pk), "wording": "Which bike is best in Rome?"},
        "generate_prompts": site,
        "generate_content_draft": {**site, "topic": "bikes"},
    }
    assert set(calls) == {tool.name for tool in ALL_TOOLS if tool.creates}
    for tool, arguments in calls.items():
        results = all_at_once(world, [(tool, {**arguments, "idempotencyKey": "one"})] * TIMES)
        assert all(result == results[0] for result in results), tool
    assert (Competitor.objects.count(), IdempotentCall.objects.count()) == (1, len(calls))
    assert PromptVersion.objects.filter(prompt=world.prompt).count() == 2
    assert (Draft.objects.count(), Prompt.objects.tracked().count()) == (1, 2)
    assert Usage.objects.get(kind="drafts").used == 1
    run, audit, comparison = Run.objects.exclude(trigger="import").order_by("created_at")
    assert (audit.kind, comparison.kind) == ("audit", "comparison")
    reserved = sum(each.credits_reserved for each in (run, audit, comparison))
    assert Usage.objects.get(kind="credits").used == reserved > run.total
    assert CallLog.objects.filter(success=True, door="mcp").count() >= len(calls) * TIMES
    again = all_at_once(world, [("run_visibility_scan", {**site, "idempotencyKey": f"{n}"}) for n in range(10)])
    assert {(result["started"], result["run"]["id"], result["creditsSpent"]) for result in again} == {
        (False, str(run.pk), 0)
    }


def test_no_number_of_calls_passes_a_quota(world):
    Competitor.objects.all().delete()
    owner = world.brand.owner
    owner.own_max_competitors_per_site = 3
    owner.save()
    names = [{"name": f"Rival {n}", "domain": f"rival{n}.example", "idempotencyKey": f"q{n}"} for n in range(20)]
    results = all_at_once(world, [("add_competitor", {"siteId": str(world.brand.pk), **each}) for each in names])
    assert [result for result in results if isinstance(result, str)] == ["quota_exceeded"] * 17
    assert Competitor.objects.count() == 3


@pytest.mark.proof
def test_connections_stay_few_however_many_calls(world):
    all_at_once(world, [("list_sites", {})] * 250)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        # Of each process those of its threads, two of the pool to spare, health's and the counters'.
        assert cursor.fetchone()[0] <= 2 * (sum(map(int, THREADS.values())) + 2 + 2 + 1)


KILLED = """
import os, signal, sys
import django
django.setup()
from django.db.models.query import QuerySet
from apikeys.accounts import idempotency
from apikeys.accounts.caller import Caller
from brands.models import Brand
from mcp_bridge import dispatch
from mcp_bridge.arguments import parse
from apikeys.models import CallLog
from mcp_bridge.call import AgentCall
from mcp_bridge.registry import Registry
from mcp_bridge.tools import ALL_TOOLS

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

point, site = sys.argv[1:]
brand = Brand.objects.select_related("owner").get(pk=site)
caller = Caller.from_user(brand.owner)
registry = Registry(ALL_TOOLS, prefix="svc_")
tool = registry.tools["svc_add_competitor"]
given = {"siteId": site, "name": "Killed", "domain": "killed.example", "idempotencyKey": "killed"}
arguments = parse(tool.arguments, given)
call = AgentCall(CallLog.Door.MCP, "x")
call.caller = caller
entry = dispatch._enter(tool, caller, arguments)
if point == "before the effect":
    die()
held = idempotency._held
if point == "between effect and record":
    idempotency._held = die
if point == "before the commit":
    class Last:
        def __init__(self, rows): self.rows = rows
        def update(self, **changes): self.rows.update(**changes); die()
    idempotency._held = lambda reserved: Last(held(reserved))
dispatcher = dispatch.Dispatcher(registry, None, None)
dispatcher._take_effect(call, tool, arguments, entry, lambda: tool.function(caller, arguments))
die()
"""
POINTS = {"before the effect": 0, "between effect and record": 0, "before the commit": 0, "after the commit": 1}


@pytest.mark.proof
@pytest.mark.parametrize("point", POINTS)
def test_a_process_that_is_killed_leaves_effect_and_record_or_neither(world, point):
    Competitor.objects.all().delete()
    IdempotentCall.objects.all().delete()
    command = [sys.executable, "-c", KILLED, point, str(world.brand.pk)]
    killed = subprocess.run(command, env={**os.environ, "DATABASE_URL": world.database}, cwd=ROOT, timeout=120)
    assert killed.returncode == -signal.SIGKILL
    row = IdempotentCall.objects.get()
    assert (row.finished_at is not None, Competitor.objects.count()) == (bool(POINTS[point]), POINTS[point])
    IdempotentCall.objects.filter(finished_at=None).update(lease_until=timezone.now() - timedelta(seconds=1))
    arguments = {"siteId": str(world.brand.pk), "name": "Killed", "domain": "killed.example"}
    [result] = all_at_once(world, [("add_competitor", {**arguments, "idempotencyKey": "killed"})])
    assert result["competitor"]["id"] == str(Competitor.objects.get().pk)


@pytest.mark.proof
def test_it_answers_where_no_lifespan_is_sent(world):
    program = "import gunicorn.app.wsgiapp as app; app.run()"
    off = (sys.executable, "-c", program, "-c", "python:config.gunicorn", "--asgi-lifespan", "off")
    with live_process(*off, database=world.database) as live:
        body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_list_sites"}}'
        headers = {**HEADERS, "Authorization": f"Bearer {world.key}"}
        request = urllib.request.Request(f"{live.url}/mcp", body, headers)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as answer:
            assert b"Acme" in answer.read()

"""The real server: simultaneous repeats, killed processes, connections, and what it runs under."""

import asyncio
import signal
import subprocess
import sys
from datetime import timedelta

import httpx2
import pytest
from django.db import connection
from django.utils import timezone
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from apikeys.models import CallLog, IdempotentCall, Usage
from brands.models import Competitor
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import ApiKeyFactory, PromptFactory, own_pages
from tests.live import environment, free_port, live_process, live_web
from tests.mcp.conftest import HEADERS, MODES, Agent, data_of, whole_endpoint
from visibility.models import ContentDraft, Prompt, PromptVersion, Run

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True, serialized_rollback=True)]

TIMES = 100
FREE_RATE = {"RATE_LIMIT": "1000000/m"}
ENGINE = {"EXTRA_ENGINES": "tests.scans.engines.Steady", "AUDIT_LOCAL_HOSTS": "acme.example=127.0.0.1:9"}


def message(tool, arguments):
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": f"svc_{tool}", "arguments": arguments},
    }


async def until_answered(client, url, body):
    """The result of the call, repeated as `idempotency_in_progress` asks for."""
    while True:
        result = (await client.post(f"{url}/mcp", json=body)).json()["result"]
        if not result["isError"]:
            return result["structuredContent"]
        error = result["_meta"]["error"]
        assert error["code"] == "idempotency_in_progress", error
        await asyncio.sleep(error["details"]["retryAfterSeconds"])


def all_at_once(url, key, bodies):
    """The results of these calls, all under way at the same time."""

    async def call():
        headers = {**HEADERS, "Authorization": f"Bearer {key.raw}"}
        limits = httpx2.Limits(max_connections=TIMES)
        async with httpx2.AsyncClient(headers=headers, timeout=120, limits=limits, trust_env=False) as client:
            return await asyncio.gather(*(until_answered(client, url, body) for body in bodies))

    return asyncio.run(call())


def open_connections():
    """Connections to the database of the test, this one apart."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return cursor.fetchone()[0]


def creating_calls(site, prompt):
    """The arguments of each creating tool, in an order in which each can be called once."""
    return {
        "add_competitor": {"siteId": site, "name": "Rival", "domain": "rival.example"},
        "run_visibility_scan": {"siteId": site},
        "run_competitor_comparison": {"siteId": site},
        "run_audit_scan": {"siteId": site},
        "generate_prompts": {"siteId": site, "topic": "bikes", "count": 1},
        "refine_prompt": {"promptId": prompt, "instruction": "in Rome"},
        "generate_content_draft": {"siteId": site, "topic": "bikes"},
    }


@pytest.fixture(scope="module")
def live(django_db_setup, django_db_blocker):
    """A web server of two processes, in which nothing but the plan limits what is called."""
    with (
        django_db_blocker.unblock(),
        live_web(WEB_WORKERS="2", SCAN_COOLDOWN_SECONDS="0", **FREE_RATE, **ENGINE) as running,
    ):
        yield running


def test_a_hundred_simultaneous_repeats_have_one_effect_and_one_charge(cast, live):
    key = ApiKeyFactory(owner=cast.owner)
    prompt = PromptFactory(brand=cast.brand, text="which bike is best?")
    own_pages(cast.brand)
    calls = creating_calls(str(cast.brand.pk), str(prompt.pk))
    assert set(calls) == {tool.name for tool in ALL_TOOLS if tool.creates}
    results = {}
    for tool, arguments in calls.items():
        body = message(tool, {**arguments, "idempotencyKey": "one"})
        results[tool] = all_at_once(live.url, key, [body] * TIMES)
    if connection.vendor == "postgresql":
        assert open_connections() <= 2 * (8 + 8 + 4 + 2), "those of the pools of two processes"
    for tool, each in results.items():
        assert all(result == each[0] for result in each), tool
    counts = [model.objects.count() for model in (Competitor, Run, ContentDraft, IdempotentCall)]
    assert counts == [1, 3, 1, len(calls)]
    # A comparison asks questions of its own.
    assert Prompt.objects.tracked().count() == 2
    assert PromptVersion.objects.filter(prompt__in=Prompt.objects.tracked()).count() == 3
    charged = sum(results[tool][0]["creditsSpent"] for tool in calls if tool.startswith("run_"))
    assert dict(Usage.objects.filter(used__gt=0).values_list("kind", "used")) == {"credits": charged, "drafts": 1}
    assert CallLog.objects.filter(success=True).count() >= len(calls) * TIMES


def test_no_number_of_calls_with_keys_of_their_own_passes_a_quota(cast, live):
    key = ApiKeyFactory(owner=cast.owner)
    plan = cast.owner.plan
    plan.max_competitors_per_site = 3
    plan.save()
    calls = [
        {"siteId": str(cast.brand.pk), "name": f"Rival {n}", "domain": f"rival{n}.example", "idempotencyKey": f"{n}"}
        for n in range(20)
    ]

    async def call():
        headers = {**HEADERS, "Authorization": f"Bearer {key.raw}"}
        async with httpx2.AsyncClient(headers=headers, timeout=120, trust_env=False) as client:
            bodies = [message("add_competitor", arguments) for arguments in calls]
            answers = await asyncio.gather(*(client.post(f"{live.url}/mcp", json=body) for body in bodies))
            return [answer.json()["result"] for answer in answers]

    results = asyncio.run(call())
    errors = [result["_meta"]["error"] for result in results if result["isError"]]
    assert {error["code"] for error in errors} == {"quota_exceeded"}
    assert (len(results) - len(errors), Competitor.objects.count()) == (3, 3)
    assert IdempotentCall.objects.count() == 3


def test_connections_stay_few_however_many_calls(cast):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server to count connections at")
    key = ApiKeyFactory(owner=cast.owner)
    threads, counts = {"WEB_THREADS": 2, "TOOL_THREADS": 4, "WRITER_THREADS": 1}, []
    with live_web(WEB_WORKERS="1", **{name: str(count) for name, count in threads.items()}, **FREE_RATE) as live:
        for _ in range(4):
            all_at_once(live.url, key, [message("list_sites", {})] * 250)
            counts.append(open_connections())
    assert max(counts) <= sum(threads.values()) + 2, "one for each thread, and the pool's two to spare"


KILLED = """
import os, signal, sys, uuid
import django
django.setup()
from apikeys.models import User
from apikeys.services import idempotency
from brands.models import Brand
from apikeys.caller import Caller
from mcp_bridge import dispatch
from mcp_bridge.arguments import parse
from mcp_bridge.call import Call
from mcp_bridge.tools.competitors import TOOLS

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

point, site = sys.argv[1:]
brand = Brand.objects.select_related("owner").get(pk=site)
caller = Caller.from_user(brand.owner)
tool = next(tool for tool in TOOLS if tool.name == "add_competitor")
given = {"siteId": site, "name": "Rival", "domain": "rival.example", "idempotencyKey": "one"}
arguments = parse(tool.arguments, given)
entry = dispatch._enter(tool, caller, arguments)
if point == "before the effect":
    die()
if point == "between effect and record":
    idempotency._finish = die
if point == "before the commit":
    finish = idempotency._finish
    idempotency._finish = lambda *args: (finish(*args), die())
dispatch._take_effect(Call("x"), entry, tool.effect(caller, arguments))
die()
"""


@pytest.mark.parametrize(
    ("point", "kept"),
    [
        ("before the effect", False),
        ("between effect and record", False),
        ("before the commit", False),
        ("after the commit", True),
    ],
)
def test_a_process_that_is_killed_leaves_effect_and_record_or_neither(cast, point, kept):
    key = ApiKeyFactory(owner=cast.owner)
    site = str(cast.brand.pk)
    killed = subprocess.run([sys.executable, "-c", KILLED, point, site], env=environment(), timeout=120, check=False)
    assert killed.returncode == -9
    row = IdempotentCall.objects.get()
    assert (row.finished_at is not None, Competitor.objects.count()) == (kept, int(kept))
    IdempotentCall.objects.filter(finished_at=None).update(lease_until=timezone.now() - timedelta(seconds=1))
    arguments = {"siteId": site, "name": "Rival", "domain": "rival.example", "idempotencyKey": "one"}
    result = data_of(Agent(whole_endpoint()).call(key, "add_competitor", arguments))
    assert result["competitor"]["id"] == str(Competitor.objects.get().pk)


def ended(server):
    """What the server printed until it ended, as it does within seconds when it is asked to."""
    server.process.send_signal(signal.SIGINT)
    server.process.wait(30)
    return server.printed()


async def sites_through_the_client(url, key, mode):
    headers = {"Authorization": f"Bearer {key.raw}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        return data_of(await client.call_tool("svc_list_sites", {}))["sites"]


@pytest.mark.parametrize("lifespan", ["on", "off"])
def test_it_answers_under_uvicorn_with_and_without_a_lifespan(cast, lifespan):
    key = ApiKeyFactory(owner=cast.owner)
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
    command += ["--lifespan", lifespan, "--no-proxy-headers", "--log-level", "warning"]
    url = f"http://127.0.0.1:{port}"
    with live_process(command, environment(), url, "/healthz", 120) as live:
        for mode in MODES:
            [site] = asyncio.run(sites_through_the_client(url, key, mode))
            assert site["id"] == str(cast.brand.pk)
        assert "Traceback" not in ended(live)


def test_it_answers_under_gunicorn_and_stops_with_it(cast):
    key = ApiKeyFactory(owner=cast.owner)
    with live_web() as live:
        for mode in MODES:
            assert len(asyncio.run(sites_through_the_client(live.url, key, mode))) == 1
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/mcp/"):
            assert httpx2.get(live.url + path, trust_env=False).status_code == 404
        assert "Traceback" not in ended(live)

"""The one way of a call, tried with tools of the test: failures, slow tools, and what they leave behind."""

import asyncio
import json
import threading
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections

from apikeys.errors import ErrorCode, ServiceError, invalid, not_found
from apikeys.http.requests import current_request_id
from apikeys.models import CallLog, IdempotentCall
from apikeys.resources import Resource, UntrustedText
from apikeys.scopes import Scope
from brands.models import Competitor
from mcp_bridge import dispatch
from mcp_bridge.arguments import Arguments, CreatingArguments, SiteArguments
from mcp_bridge.jobs import ThreadJobs
from mcp_bridge.registry import Tool, editable_site
from tests.factories import CompetitorFactory
from tests.mcp.conftest import HEADERS, URL, Agent, data_of, endpoint, error_of


class Said(Resource):
    text: UntrustedText


class WriteArguments(SiteArguments, CreatingArguments):
    pass


def tool(name, **more):
    fields = {"title": name, "description": name, "scope": Scope.READ_SITES, "arguments": Arguments, "result": Said}
    return Tool(**{"name": name, **fields, **more})


def agent_with(handler):
    """An endpoint with one tool that reads."""
    return Agent(endpoint([tool("read", handler=handler)]))


def raising(error):
    def handler(caller, arguments):
        raise error

    return agent_with(handler)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RuntimeError("secret"), "internal_error"),
        (OperationalError("secret"), "unavailable"),
        (KeyError("secret"), "internal_error"),
        (RecursionError("secret"), "internal_error"),
    ],
)
def test_a_fault_of_the_service_tells_nothing_but_the_request_id(db, key, error, code):
    found = error_of(raising(error).call(key, "read"))
    assert found.code == code
    assert list(found.details) == ["requestId"] and len(found.details["requestId"]) == 32
    assert "secret" not in json.dumps(vars(found))
    row = CallLog.objects.get(name="svc_read")
    assert (row.error_code, row.request_id) == (code, found.details["requestId"])


def test_errors_of_services_are_told_in_the_words_of_this_door(db, key):
    found = error_of(raising(not_found()).call(key, "read"))
    assert "svc_list_sites" in found.message and "GET" not in found.message
    found = error_of(raising(invalid("required_near", "Too many.")).call(key, "read"))
    assert found.details == {"arguments": [{"path": "requiredNear", "problem": "Too many."}]}
    quota = ServiceError(ErrorCode.QUOTA_EXCEEDED, "No more.", limit=1, used=1, resetsAt=None)
    told = error_of(raising(quota).call(key, "read")).details
    assert told.pop("nextStep")["tool"] == "svc_get_portfolio_summary"
    assert told == {"limit": 1, "used": 1, "resetsAt": None}


def test_words_of_others_are_marked_for_agents(db, key):
    said = data_of(agent_with(lambda caller, arguments: Said(text="a <b>\nc")).call(key, "read"))
    assert said == {"text": "<untrusted-quote>a &lt;b&gt;\nc</untrusted-quote>"}


@pytest.fixture
def writing(cast, key):
    """A tool that writes slowly, what it was seen to do, and its arguments."""
    seen = []

    def write(caller, arguments):
        seen.append(len(connection.savepoint_ids))

        def store():
            seen.append(len(connection.savepoint_ids))
            CompetitorFactory(brand=cast.brand)
            return Said(text="written")

        return store

    agent = Agent(endpoint([tool("write", writer=write, brand_of=editable_site, arguments=WriteArguments)]))
    return agent, seen, {"siteId": str(cast.brand.pk), "idempotencyKey": "one"}


def test_a_slow_tool_stores_and_records_in_one_transaction(writing, key):
    agent, seen, arguments = writing
    first = data_of(agent.call(key, "write", arguments))
    assert data_of(agent.call(key, "write", arguments)) == first
    outside, inside = seen
    assert inside == outside + 1, "the effect alone runs in the transaction"
    assert Competitor.objects.count() == 1
    assert IdempotentCall.objects.get().finished_at is not None


def test_a_slow_tool_without_a_key_does_it_each_time(writing, key):
    agent, _, arguments = writing
    for _ in range(2):
        data_of(agent.call(key, "write", {"siteId": arguments["siteId"]}))
    assert Competitor.objects.count() == 2
    assert not IdempotentCall.objects.exists()


def failing(cast, *, slow):
    def write(caller, arguments):
        if slow:
            raise ServiceError(ErrorCode.UPSTREAM_UNAVAILABLE, "The engine is silent. Try again later.")

        def store():
            CompetitorFactory(brand=cast.brand)
            raise ServiceError(ErrorCode.QUOTA_EXCEEDED, "No more.")

        return store

    return Agent(endpoint([tool("write", writer=write, brand_of=editable_site, arguments=WriteArguments)]))


@pytest.mark.parametrize(("slow", "code"), [(True, "upstream_unavailable"), (False, "quota_exceeded")])
def test_a_slow_tool_that_fails_leaves_its_key_free(cast, key, slow, code):
    arguments = {"siteId": str(cast.brand.pk), "idempotencyKey": "one"}
    assert error_of(failing(cast, slow=slow).call(key, "write", arguments)).code == code
    assert not IdempotentCall.objects.exists()
    assert not Competitor.objects.exists()


def test_a_slow_call_is_renewed_as_long_as_it_works(cast, key, monkeypatch):
    monkeypatch.setattr(dispatch, "RENEW_SECONDS", 0.01)
    renewed = threading.Event()
    monkeypatch.setattr(dispatch, "renew", lambda reserved: renewed.set())

    class Elsewhere:
        async def run(self, function):
            await asyncio.get_running_loop().run_in_executor(None, lambda: renewed.wait(10))
            return function()

        def close(self):
            pass

    def write(caller, arguments):
        return lambda: Said(text="written")

    tools = [tool("write", writer=write, brand_of=editable_site, arguments=WriteArguments)]
    agent = Agent(endpoint(tools, slow_jobs=Elsewhere()))
    arguments = {"siteId": str(cast.brand.pk), "idempotencyKey": "one"}
    data_of(agent.call(key, "write", arguments))
    assert renewed.is_set()


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_threads_are_few_and_leave_no_connection():
    jobs = ThreadJobs(3, "test")
    seen = set()

    def work():
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        seen.add(threading.get_ident())
        return connections[DEFAULT_DB_ALIAS]

    async def many():
        return await asyncio.gather(*(jobs.run(work) for _ in range(30)))

    used = asyncio.run(many())
    jobs.close()
    assert len(seen) <= 3
    assert all(each.connection is None for each in used)


def test_work_knows_the_request_that_it_is_done_for(db, key):
    agent = agent_with(lambda caller, arguments: Said(text=current_request_id()))
    wanted = uuid4().hex
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_read", "arguments": {}}}
    for version in ({}, {"MCP_Protocol_Version": "2025-06-18"}):
        result = agent.post(message, key, X_Request_ID=wanted, **version).json()["result"]
        assert wanted in result["structuredContent"]["text"]


@pytest.mark.parametrize(("works", "code"), [(True, ""), (False, "invalid_arguments")])
def test_what_a_client_has_begun_is_finished_and_logged_when_it_leaves(db, key, works, code):
    asked, go = asyncio.Event(), asyncio.Event()

    class Engine:
        async def run(self, function):
            asked.set()
            await go.wait()
            return function()

        def close(self):
            pass

    def writer(caller, arguments):
        if not works:
            raise invalid("count", "Too many.")
        return lambda: Said(text="written")

    agent = Agent(endpoint([tool("write", writer=writer)], slow_jobs=Engine()))

    async def leave():
        async with agent._http(key) as client:
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_write"}}
            request = asyncio.ensure_future(client.post(URL, json=message, headers=HEADERS))
            await asked.wait()
            request.cancel()
            await asyncio.wait({request})
            assert request.cancelled()
        assert not await sync_to_async(CallLog.objects.exists)()
        go.set()
        for _ in range(500):
            if await sync_to_async(CallLog.objects.exists)():
                break
            await asyncio.sleep(0.01)

    agent.run(leave())
    assert list(CallLog.objects.values_list("name", "error_code")) == [("svc_write", code)]


def test_ids_that_lead_nowhere_name_the_tool_that_lists_them(agent, key, cast):
    site, nothing = str(cast.brand.pk), str(uuid4())
    for name, arguments, source in (
        ("get_site_brief", {"siteId": nothing}, "svc_list_sites"),
        ("get_prompt_detail", {"promptId": nothing}, "svc_list_prompts"),
        ("get_scan_status", {"siteId": site, "runId": nothing}, "svc_get_latest_scan"),
    ):
        found = error_of(agent.call(key, name, arguments))
        assert (found.code, source in found.message) == ("not_found", True)


def test_an_error_is_one_sentence_after_the_other(agent, key, cast):
    arguments = {"siteId": str(cast.brand.pk), "from": 10, "to": 5}
    assert ".." not in error_of(agent.call(key, "get_visibility_scores", arguments)).message

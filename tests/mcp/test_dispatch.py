"""The way of a call: faults, slow tools, clients that leave."""

import asyncio
import json

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import OperationalError, connection

from apikeys.accounts.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import CallLog, IdempotentCall
from apikeys.resources import Resource, UntrustedText
from apikeys.scopes import Scope
from brands.models import Competitor
from mcp_bridge import dispatch
from mcp_bridge.arguments import Arguments, Creating, SiteArguments
from mcp_bridge.registry import Later, editable_site, tool
from tests.factories import CompetitorFactory
from tests.mcp.conftest import HEADERS, URL, Agent, endpoint


class Text(Resource):
    text: UntrustedText


class WriteArguments(SiteArguments, Creating):
    pass


def reading(error=None):
    """An endpoint with one tool, which raises or answers."""

    @tool("Read", Scope.READ_SITES)
    def read(caller: Caller, arguments: Arguments) -> Text:
        """Reads."""
        if error:
            raise error
        return Text(text="a <b>\nc")

    return Agent(endpoint([read]))


def writing(write, slow_jobs=None):
    """An endpoint with one slow tool that changes a site."""

    @tool("Write", Scope.WRITE_CONTENT, creates=editable_site)
    def slow_write(caller: Caller, arguments: WriteArguments) -> Later[Text]:
        """Writes after asking an engine."""
        return write()

    return Agent(endpoint([slow_write], slow_jobs=slow_jobs))


@pytest.fixture
def about(cast):
    return {"siteId": str(cast.brand.pk), "idempotencyKey": "one"}


def test_a_fault_of_the_service_shows_nothing_but_the_request_id(db, key, quiet):
    faults = {RuntimeError: "internal_error", KeyError: "internal_error", RecursionError: "internal_error"}
    for fault, code in {**faults, OperationalError: "unavailable"}.items():
        found = reading(fault("SECRET")).error(key, "read")
        assert (found.code, list(found.details)) == (code, ["requestId"])
        assert "SECRET" not in json.dumps(vars(found))
        row = CallLog.objects.get(error_code=code, request_id=found.details["requestId"])
        assert row.name == "svc_read"


def test_what_others_wrote_is_marked(db, key):
    assert reading().data(key, "read") == {"text": "<untrusted-quote>a &lt;b&gt;\nc</untrusted-quote>"}


def test_a_slow_tool_asks_outside_and_stores_inside_of_the_transaction_once(cast, key, about):
    depths = []

    def write():
        depths.append(len(connection.savepoint_ids))

        def store():
            depths.append(len(connection.savepoint_ids))
            CompetitorFactory(brand=cast.brand)
            return Text(text="written")

        return Later(store)

    agent = writing(write)
    assert agent.data(key, "slow_write", **about) == agent.data(key, "slow_write", **about)
    outside, inside = depths
    assert inside == outside + 1
    assert Competitor.objects.count() == 1
    agent.data(key, "slow_write", siteId=about["siteId"])
    assert Competitor.objects.count() == 2


def test_a_slow_tool_that_fails_leaves_its_key_free(cast, key, about):
    def silent():
        raise ServiceError(ErrorCode.UPSTREAM_UNAVAILABLE, "The engine is silent. Try again later.")

    def spent():
        CompetitorFactory(brand=cast.brand)
        raise ServiceError(ErrorCode.QUOTA_EXCEEDED, "No more.")

    for write, code in ((silent, "upstream_unavailable"), (lambda: Later(spent), "quota_exceeded")):
        assert writing(write).error(key, "slow_write", **about).code == code
        assert not IdempotentCall.objects.exists() and not Competitor.objects.exists()


class Engine:
    """Jobs that wait for an engine, until the test lets it answer."""

    def __init__(self):
        self.asked, self.answered = asyncio.Event(), asyncio.Event()

    async def run(self, function):
        self.asked.set()
        await self.answered.wait()
        return function()

    def close(self):
        pass


def test_a_slow_call_is_renewed_and_is_finished_and_logged_when_its_client_leaves(cast, key, about, monkeypatch):
    monkeypatch.setattr(dispatch, "RENEW_SECONDS", 0.01)
    renewed = []
    monkeypatch.setattr(dispatch, "renew", renewed.append)
    engine = Engine()
    agent = writing(lambda: Later(lambda: Text(text="written")), slow_jobs=engine)
    params = {"name": "svc_slow_write", "arguments": about}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    async def leave():
        async with agent.http(key) as client:
            request = asyncio.ensure_future(client.post(URL, json=message, headers=HEADERS))
            await engine.asked.wait()
            while not renewed:
                await asyncio.sleep(0.01)
            request.cancel()
            await asyncio.wait({request})
        assert request.cancelled() and not await sync_to_async(CallLog.objects.exists)()
        engine.answered.set()
        for _ in range(500):
            if await sync_to_async(CallLog.objects.exists)():
                break
            await asyncio.sleep(0.01)

    async_to_sync(leave)()
    assert list(CallLog.objects.values_list("name", "error_code")) == [("svc_slow_write", "")]
    assert IdempotentCall.objects.get().finished_at is not None

"""POST /mcp as an ASGI application: HTTP is checked here, and that no answer goes out without a key."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPMethod, HTTPStatus
from typing import Any

import orjson
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from apikeys.connect.metadata import challenge
from apikeys.edge.door import bearer_of
from apikeys.edge.http import (
    COMMON_HEADERS,
    UNKNOWN_METHOD,
    Message,
    Receive,
    Send,
    as_service_error,
    error_body,
    error_headers,
    header,
)
from apikeys.edge.monitoring import note_answer
from apikeys.edge.requestid import current as current_request_id
from apikeys.edge.requestid import sane_request_id
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import CallLog
from mcp_bridge.call import SCOPE_KEY, AgentCall, NotAdmitted
from mcp_bridge.dispatch import Dispatcher, ThreadJobs
from mcp_bridge.registry import Registry, Tool
from mcp_bridge.requests import (
    MAX_BODY,
    Disconnected,
    RefusedMessage,
    check_host_and_origin,
    check_media_types,
    check_revision,
    is_modern,
    is_small,
    message_of,
    method_of,
    read_body,
)
from mcp_bridge.server import build_server


class AgentEndpoint:
    """Serves one path with these tools. `running` spans the life of the server; without it, where the server does not
    speak ASGI's lifespan, the endpoint starts with its first call.

    `jobs` run what uses the database, `slow_jobs` what waits for engines.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        *,
        prefix: str,
        allowed_hosts: Sequence[str],
        jobs: ThreadJobs,
        slow_jobs: ThreadJobs,
    ) -> None:
        registry = Registry(tools, prefix=prefix)
        self.server = build_server(registry, Dispatcher(registry, jobs, slow_jobs))
        self._jobs = jobs
        self._slow_jobs = slow_jobs
        self._allowed_hosts = allowed_hosts
        self._manager: StreamableHTTPSessionManager | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = asyncio.Event()
        self._holder: asyncio.Task[None] | None = None
        self._ended_in: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        query = scope.get("query_string", b"").decode("latin-1")
        call = AgentCall(
            CallLog.Door.MCP,
            sane_request_id(header(scope, b"x-request-id") or None),
            bearer_of(header(scope, b"authorization")),
            name="POST /mcp",
            query=query,
        )
        answer = _Answer(send, call)
        token = current_request_id.set(call.request_id)
        try:
            if not self._has_ended():
                await self._serve(call, scope, receive, answer)
            if self._has_ended() and answer.is_empty:  # a server that leaves still has open connections
                raise ServiceError(ErrorCode.UNAVAILABLE)
            if call.credential is not None and not call.is_recorded:
                await self._jobs.run(call.record)
        except Disconnected:
            return
        except Exception as error:
            refusal = as_service_error(error)
            call.error_code = call.error_code or str(refusal.code)
            answer.refuse(refusal)
        finally:
            if not answer.is_empty:  # else the client has left
                _note(call, answer.status)
            current_request_id.reset(token)
        await answer.deliver(with_body=scope["method"] != "HEAD")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the SDK's session manager inside of the block, which one task has to enter and leave."""
        self._is_new_loop()
        # Host and origin are checked before it, with refusals in JSON.
        self._manager = StreamableHTTPSessionManager(
            self.server,
            json_response=True,
            stateless=True,
            max_request_body_size=MAX_BODY,
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        try:
            async with self._manager.run():
                self._ready.set()
                yield
        finally:
            self._loop, self._ended_in = None, self._loop
            self._jobs.close()
            self._slow_jobs.close()

    async def _serve(self, call: AgentCall, scope: Message, receive: Receive, answer: "_Answer") -> None:
        """All checks in their order, then the protocol, whose first job looks at the key."""
        if scope["method"] != "POST":
            method = scope["method"] if scope["method"] in set(HTTPMethod) else UNKNOWN_METHOD
            call.name = f"{method} {scope['path']}"
            await self._jobs.run(call.recognise)
            error = ServiceError(ErrorCode.METHOD_NOT_ALLOWED)
            call.error_code = str(error.code)
            answer.refuse(error, {"Allow": "POST"})
            return
        try:
            check_host_and_origin(scope, self._allowed_hosts)
            if not is_small(scope):
                await self._admit(call)
            try:
                check_media_types(scope)
                body = await read_body(scope, receive)
                message = message_of(body)
                call.name = method_of(message) or call.name
                check_revision(scope, message)
                await self._speak(call, scope, body, receive, answer)
            except Exception:
                await self._admit(call)
                raise
            await self._admit(call)
        except ServiceError as refusal:
            call.error_code = str(refusal.code)
            is_of_key = refusal.code.status == HTTPStatus.UNAUTHORIZED
            wanted = challenge(error="invalid_token" if call.raw_key else "")
            answer.refuse(refusal, {"WWW-Authenticate": wanted} if is_of_key else None)
        except RefusedMessage as refusal:
            call.error_code = "invalid_request"
            answer.refuse_message(refusal)

    async def _admit(self, call: AgentCall) -> None:
        """Look at the key unless a job did. The refusal of a key comes before any other."""
        if call.caller is None and call.refusal is None:
            with suppress(NotAdmitted):
                await self._jobs.run(call.admit)
        if call.refusal is not None:
            raise call.refusal

    async def _speak(self, call: AgentCall, scope: Message, body: bytes, receive: Receive, answer: "_Answer") -> None:
        """Hand one whole message to the SDK, which then waits only for the client to disconnect."""
        manager = await self._started()
        # The SDK would refuse clients that accept JSON only.
        accept = (b"accept", b"application/json, text/event-stream")
        headers = [item for item in scope["headers"] if item[0].lower() != b"accept"]
        passed_on = {**scope, "headers": [*headers, accept], SCOPE_KEY: call}
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_again() -> Message:
            return waiting.pop() if waiting else await receive()

        await manager.handle_request(passed_on, receive_again, answer.take)
        if call.step_up is not None and call.caller is not None and is_modern(scope):
            wanted = call.caller.scopes | {call.step_up.details["requiredScope"]}
            answer.refuse(call.step_up, {"WWW-Authenticate": challenge(error="insufficient_scope", scopes=wanted)})
        if answer.status >= 400 and not call.error_code:
            call.error_code = "invalid_request"

    async def _started(self) -> StreamableHTTPSessionManager:
        """The session manager of this event loop; starts it where no lifespan did."""
        if self._is_new_loop():
            self._holder = asyncio.create_task(self._hold())
        await self._ready.wait()
        if self._manager is None:
            raise RuntimeError("The agent endpoint did not start.")
        return self._manager

    def _is_new_loop(self) -> bool:
        """Whether the endpoint has not been started in this event loop: then the caller has to start it."""
        is_new = self._loop is not asyncio.get_running_loop()
        if is_new:
            self._loop, self._ready = asyncio.get_running_loop(), asyncio.Event()
        return is_new

    def _has_ended(self) -> bool:
        """Whether the server that runs in this event loop is leaving."""
        return self._ended_in is asyncio.get_running_loop()

    async def _hold(self) -> None:
        async with self.running():
            await asyncio.Event().wait()


def _note(call: AgentCall, status: int) -> None:
    """Count the call by the status that its error has over REST: a tool that fails answers 200 here."""
    known = next((code.status for code in ErrorCode if code == call.error_code), status)
    note_answer(
        door=CallLog.Door.MCP,
        name=call.name,
        status=known,
        seconds=time.perf_counter() - call.started,
        error_code=call.error_code,
    )


class _Answer:
    """The answer, held back until the call is in the log: one that cannot be recorded is not given."""

    def __init__(self, send: Send, call: AgentCall) -> None:
        self._send = send
        self._call = call
        self.status = 500
        self._headers: list[tuple[bytes, bytes]] = []
        self._body = bytearray()

    @property
    def is_empty(self) -> bool:
        """Whether nothing has answered yet."""
        return not self._headers and not self._body

    async def take(self, message: Message) -> None:
        """A message of the SDK's answer."""
        if message["type"] == "http.response.start":
            self.status, self._headers = message["status"], list(message.get("headers", []))
        else:
            self._body += message.get("body", b"")

    def refuse(self, error: ServiceError, headers: dict[str, str] | None = None) -> None:
        """Answer with the body that REST has for this error."""
        body = error_body(error, self._call.request_id)
        self._set(error.code.status, body, {**error_headers(error), **(headers or {})})

    def refuse_message(self, refusal: RefusedMessage) -> None:
        """Answer a message that is not handed to the SDK with a JSON-RPC error."""
        error: dict[str, Any] = {"code": refusal.code, "message": refusal.message}
        if refusal.data is not None:
            error["data"] = refusal.data
        self._set(400, orjson.dumps({"jsonrpc": "2.0", "id": refusal.message_id, "error": error}), {})

    async def deliver(self, *, with_body: bool) -> None:
        """Send it, with the headers that all answers carry."""
        common = {**COMMON_HEADERS, "X-Request-ID": self._call.request_id, "Content-Length": str(len(self._body))}
        names = {name.lower().encode() for name in common}
        own_headers = [item for item in self._headers if item[0].lower() not in names]
        headers = [*own_headers, *((name.lower().encode(), value.encode()) for name, value in common.items())]
        await self._send({"type": "http.response.start", "status": self.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": bytes(self._body) if with_body else b""})

    def _set(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.status, self._body = status, bytearray(body)
        self._headers = [(b"content-type", b"application/json")]
        self._headers += [(name.lower().encode(), value.encode()) for name, value in headers.items()]

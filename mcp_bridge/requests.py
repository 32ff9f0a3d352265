"""What of an HTTP request is checked before the protocol looks at it. Each refusal is JSON and says what to do."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import orjson
from django.http.request import split_domain_port, validate_host
from mcp_types import PROTOCOL_VERSION_META_KEY
from mcp_types.jsonrpc import UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from apikeys.edge.http import Message, Receive, header, qualities_of
from apikeys.errors import ErrorCode, ServiceError

MAX_BODY = 2**20
"""Bytes of a request; arguments of tools are far smaller."""
SMALL_BODY = 4096
"""A body up to here costs no more than to look at the key; a larger one is read once the key is known to work."""
BODY_SECONDS = 50
"""For the whole body to come; after 60 the server itself gives up, without words."""
SERVED_REVISIONS = (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS)
"""Revisions of the protocol, oldest first."""
_MAX_REVISION_LENGTH = 40
_JSON = "application/json"
_METHODS = frozenset(
    {
        "initialize",
        "notifications/initialized",
        "ping",
        "server/discover",
        "tools/list",
        "tools/call",
        "prompts/list",
        "prompts/get",
    }
)
"""The methods that are logged by name; whatever else callers write is not logged."""


class Disconnected(Exception):
    """The client left before its request was whole."""


class RefusedMessage(Exception):
    """The body is no single JSON-RPC message, or one in a revision that is not served.

    `code` is the JSON-RPC error code, the message says what to do; `message_id` is the id of the message, if it has
    one, and `data` is for programs.
    """

    def __init__(
        self, code: int, message: str, *, message_id: str | int | None = None, data: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.message_id = message_id
        self.data = data


def check_host_and_origin(scope: Message, allowed_hosts: Sequence[str]) -> None:
    """Refuse hosts that the service does not answer for, and pages of other origins: a foreign page could otherwise
    make a browser call a service that only its user can reach."""
    if not _is_allowed(header(scope, b"host"), allowed_hosts):
        raise ServiceError(ErrorCode.BAD_REQUEST)
    origin = header(scope, b"origin")
    if origin and not _is_allowed(_host_of(origin), allowed_hosts):
        raise ServiceError(
            ErrorCode.ORIGIN_NOT_ALLOWED,
            "Pages of this origin may not call the service. Call it from a program, or from a page of its own host.",
        )


def check_media_types(scope: Message) -> None:
    """Refuse clients that accept no JSON or send something else."""
    accepted = qualities_of(header(scope, b"accept") or "*/*")
    if not next((accepted[name] for name in (_JSON, "application/*", "*/*") if name in accepted), 0):
        raise ServiceError(ErrorCode.NOT_ACCEPTABLE)
    if header(scope, b"content-type").partition(";")[0].strip().lower() != _JSON:
        raise ServiceError(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send JSON-RPC with the header Content-Type: application/json."
        )


def is_modern(scope: Message) -> bool:
    """Whether the client speaks a revision in which it is asked for more scopes by HTTP (403); older ones fail then,
    and no model reads why."""
    return header(scope, b"mcp-protocol-version").strip() in MODERN_PROTOCOL_VERSIONS


def is_small(scope: Message) -> bool:
    """Whether the request says that it has a small body."""
    length = _declared_length(scope)
    return length is not None and length <= SMALL_BODY


async def read_body(scope: Message, receive: Receive) -> bytes:
    """The body, at most `MAX_BODY` bytes of it; raises content_too_large, request_timeout, and Disconnected."""
    if (_declared_length(scope) or 0) > MAX_BODY:
        raise _too_large()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _whole_body(receive)
    except TimeoutError:
        raise ServiceError(
            ErrorCode.REQUEST_TIMEOUT,
            f"The body did not end within {BODY_SECONDS} seconds. Send as many bytes as Content-Length says.",
        ) from None


async def _whole_body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Disconnected
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise _too_large()
        if not message.get("more_body", False):
            return bytes(body)


def message_of(body: bytes) -> dict[str, Any]:
    """The JSON-RPC message. Raises RefusedMessage for what is no single one; nothing of the body is repeated."""
    try:
        message: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise RefusedMessage(-32700, "The body is not JSON. Send one JSON-RPC message in UTF-8.") from None
    if isinstance(message, list):
        raise RefusedMessage(-32600, "Batches are not accepted. Send each JSON-RPC message in a request of its own.")
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not _is_well_formed(message):
        raise RefusedMessage(-32600, 'The body is not a JSON-RPC message. Send {"jsonrpc":"2.0","id":…,"method":…}.')
    return message


def method_of(message: Mapping[str, Any]) -> str:
    """The method of a message, where it is one that is logged under its name; else empty."""
    method = message.get("method")
    return method if method in _METHODS else ""


def check_revision(scope: Message, message: Mapping[str, Any]) -> None:
    """Refuse a revision of the protocol that is not served, wherever the message names it, and list those that are.

    The header comes first. Where it names the modern revision, the SDK itself compares `_meta` with it. To
    `initialize` the SDK answers with a revision that is served, whichever the client proposes.
    """
    revision: Any = header(scope, b"mcp-protocol-version").strip() or None
    if revision in (None, *HANDSHAKE_PROTOCOL_VERSIONS):
        params = message.get("params", {})
        metadata = params.get("_meta")
        revision = metadata.get(PROTOCOL_VERSION_META_KEY, revision) if isinstance(metadata, dict) else revision
        if message.get("method") == "initialize" and not isinstance(params.get("protocolVersion"), str):
            revision = params.get("protocolVersion") or ""
    if revision is None or revision in SERVED_REVISIONS:
        return
    raise RefusedMessage(
        UNSUPPORTED_PROTOCOL_VERSION,
        f"This revision of the protocol is not supported. Use one of these: {', '.join(SERVED_REVISIONS)}.",
        message_id=message.get("id"),
        data={"supported": list(SERVED_REVISIONS), "requested": str(revision)[:_MAX_REVISION_LENGTH]},
    )


def _declared_length(scope: Message) -> int | None:
    """How many bytes the request says it has, one above `MAX_BODY` for very long numbers; None for no number."""
    length = header(scope, b"content-length")
    if not length.isdecimal():
        return None
    return int(length) if len(length) <= len(str(MAX_BODY)) else MAX_BODY + 1


def _is_well_formed(message: dict[str, Any]) -> bool:
    """Whether it is a request, a notification or a response by the types of its members."""
    if "id" in message and (isinstance(message["id"], bool) or not isinstance(message["id"], str | int)):
        return False
    if "method" in message:
        return isinstance(message["method"], str) and isinstance(message.get("params", {}), dict)
    error = message.get("error")
    is_error = isinstance(error, dict) and type(error.get("code")) is int and isinstance(error.get("message"), str)
    return message.get("id") is not None and (isinstance(message.get("result"), dict) or is_error)


def _is_allowed(host: str, allowed_hosts: Sequence[str]) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, allowed_hosts)


def _host_of(origin: str) -> str:
    """Host and port of `https://host:port`; empty for anything else, such as null."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc if parts.scheme in ("http", "https") else ""


def _too_large() -> ServiceError:
    return ServiceError(ErrorCode.CONTENT_TOO_LARGE, f"The body has more than {MAX_BODY} bytes. Send less at a time.")

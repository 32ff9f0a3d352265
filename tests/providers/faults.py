"""Every way in which a provider fails that an engine has to know, in the words of each provider.

A fault is provoked by a question that holds its marker, such as `[hang]`, or `[hang once]` for the first time only.
Every body repeats the key that came with the question, as some providers do: nobody may pass that on.
"""

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import Enum
from functools import cache

from tests.providers.answers import cut_off, held_back, repeated, tools_only, wordless

PROTOCOLS = ("responses", "chat", "messages", "gemini")
"""The four that engines speak."""
PARTIAL = "Acme and Rival are the two that"
PAGE = "<html><head><title>502 Bad Gateway</title></head><body>KEY<center>nginx</center></body></html>"


class Manner(Enum):
    """How a response comes."""

    WHOLE = "whole"
    CUT = "cut"
    """Its length is told, and the connection ends before it."""
    RESET = "reset"
    NEVER = "never"


@dataclass(frozen=True)
class Reply:
    """What the provider sends."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    manner: Manner = Manner.WHOLE
    content_type: str = "application/json"


@dataclass(frozen=True)
class Fault:
    """One way to fail: what is sent in a protocol (and with which key), and what an engine has to make of it.

    `code` is empty where the answer is one in spite of all: of this `text`, `refused` where the provider held it
    back. `after` are the least and the most seconds that the provider asks to wait, None where it asks for nothing.
    `charged`: the provider takes its price, though nothing came of it.
    """

    name: str
    code: str
    retryable: bool
    reply: Callable[[str, str], Reply]
    after: tuple[float, float] | None = None
    text: str = ""
    refused: bool = False
    charged: bool = False

    @property
    def answered(self) -> bool:
        """Whether what comes is an answer all the same."""
        return not self.code


def _error(protocol: str, key: str, status: int, message: str, kind: str, **more) -> bytes:
    """An error in the shape of each provider; `kind` is its own word for it."""
    message = f"{message} (with {key})"
    told = {
        "responses": {"error": {"message": message, "type": kind, "param": None, "code": kind, **more}},
        "chat": {"error": {"message": message, "type": kind, "code": status, **more}},
        "messages": {"type": "error", "error": {"type": kind, "message": message, **more}, "request_id": "req_1"},
        "gemini": {"error": {"code": status, "message": message, "status": kind.upper(), **more}},
    }
    return json.dumps(told[protocol]).encode()


def _words(status, message, kinds, headers=None, **more):
    """The same failure in the words of each provider: `kinds` in the order of PROTOCOLS, or one for all."""

    def reply(protocol, key):
        kind = kinds if isinstance(kinds, str) else kinds[PROTOCOLS.index(protocol)]
        given = headers() if callable(headers) else headers or {}
        return Reply(status, _error(protocol, key, status, message, kind, **more), given)

    return reply


def _limited(headers=None, **more):
    kinds = ("rate_limit_exceeded", "rate_limit_exceeded", "rate_limit_error", "resource_exhausted")
    return _words(429, "Too many requests, slow down.", kinds, headers, **more)


def _date():
    return {"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)}


def _plain(reply):
    return lambda protocol, key: reply


def _said(text, status=200, headers=None, **more):
    """These words, with the key in the place of KEY."""

    def reply(protocol, key):
        given = {name: value.replace("KEY", key) for name, value in (headers or {}).items()}
        return Reply(status, text.replace("KEY", key).encode(), given, **more)

    return reply


def _inside(status, message, kind):
    """An error in a response whose status says that all is well."""
    return lambda protocol, key: Reply(body=_error(protocol, key, status, message, kind))


def _made(make):
    return lambda protocol, key: Reply(body=make(protocol))


def _flood(protocol, key):
    """A whole answer, larger than anyone reads."""
    return Reply(body=_flooding(protocol))


@cache
def _flooding(protocol: str) -> bytes:
    return repeated(protocol, "Acme. " * (FLOOD // 6))


def _bomb(protocol, key):
    """Few bytes on the wire, which swell where they are unpacked."""
    return Reply(body=_swelling(), headers=GZIP)


@cache
def _swelling() -> bytes:
    packed = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    parts = [packed.compress(b" " * 10_000_000) for _ in range(BOMB // 10_000_000)]
    return b"".join([*parts, packed.flush()])


RETRY_INFO = {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.4s"}]}
DAILY = {"details": [{"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]}]}
QUOTA = ("insufficient_quota", "insufficient_quota", "billing_error", "resource_exhausted")
BAD_KEY = ("invalid_api_key", "invalid_api_key", "authentication_error", "unauthenticated")
NO_RIGHT = ("permission_denied", "permission_denied", "permission_error", "permission_denied")
BROKEN = ("server_error", "server_error", "api_error", "internal")
OVERLOADED = ("server_error", "server_error", "overloaded_error", "unavailable")
NO_MORE = "You exceeded your current quota: insufficient credits."
REFUSED = "Incorrect API key provided."
WHOLE = '{"id": "KEY", "model": "model-1", "output": [], "choices": [], "content": [], "candidates": [1, 2, 3, 4]}'
XAI = '{"code": "invalid-argument", "error": "Incorrect API key provided: KEY."}'
"""How xAI refuses a key."""
HTML = {"content_type": "text/html"}
GZIP = {"content-encoding": "gzip"}
INVISIBLE = "\u200b \u2060\ufeff\n\u3164\ufe0f"
"""Characters that show nothing, one of each kind."""
FLOOD = 10_000_000
BOMB = 100_000_000


_LIST = (
    Fault("rate-limit-ms", "rate_limited", True, _limited({"retry-after-ms": "300"}), (0.3, 0.3)),
    Fault("rate-limit-seconds", "rate_limited", True, _limited({"retry-after": "1"}), (1, 1)),
    Fault("rate-limit-date", "rate_limited", True, _limited(_date), (0.1, 2)),
    Fault("rate-limit-retry-info", "rate_limited", True, _limited(**RETRY_INFO), (0.4, 0.4)),
    Fault("rate-limit-bare", "rate_limited", True, _limited()),
    Fault("rate-limit-nan", "rate_limited", True, _limited({"retry-after": "nan", "retry-after-ms": "inf"})),
    Fault("broken-500", "server_error", True, _words(500, "The server had an error.", BROKEN)),
    Fault("broken-nan", "server_error", True, _words(500, "It broke.", BROKEN, {"retry-after": "nan"})),
    Fault("gateway-502", "server_error", True, _said(PAGE, 502, **HTML)),
    Fault("unavailable-503", "server_error", True, _words(503, "Try again later.", OVERLOADED)),
    Fault("overloaded-529", "server_error", True, _words(529, "Overloaded", OVERLOADED)),
    Fault("hang", "timeout", True, _plain(Reply(manner=Manner.NEVER))),
    Fault("reset", "unreachable", True, _plain(Reply(manner=Manner.RESET))),
    Fault("truncated", "bad_body", True, _said(WHOLE, manner=Manner.CUT), charged=True),
    Fault("not-json", "bad_body", True, _said(WHOLE[:-20]), charged=True),
    Fault("page-in-200", "bad_body", True, _said(PAGE, **HTML), charged=True),
    Fault("error-in-200", "server_error", True, _inside(500, "It broke.", "server_error")),
    Fault("quota-in-200", "quota_exhausted", False, _inside(429, NO_MORE, "insufficient_quota")),
    Fault("no-words", "empty_answer", True, _made(wordless), charged=True),
    Fault("quota", "quota_exhausted", False, _words(429, NO_MORE, QUOTA, **DAILY)),
    Fault("bad-key-401", "auth", False, _words(401, REFUSED, BAD_KEY)),
    Fault("no-right-403", "auth", False, _words(403, REFUSED, NO_RIGHT)),
    Fault("bad-key-400", "auth", False, _said(XAI, 400)),
    Fault("redirect", "invalid_request", False, _said("KEY", 302, {"location": "/book?key=KEY"})),
    Fault("held-back", "", False, _made(held_back), refused=True),
    Fault("cut-before-text", "output_limit", False, _made(lambda protocol: cut_off(protocol, "")), charged=True),
    Fault("cut-in-text", "", False, _made(lambda protocol: cut_off(protocol, PARTIAL)), text=PARTIAL),
    Fault("invisible", "empty_answer", True, _made(lambda protocol: repeated(protocol, INVISIBLE)), charged=True),
    Fault("tools-only", "empty_answer", True, _made(tools_only), charged=True),
    Fault("flood", "too_large", False, _flood, charged=True),
    Fault("bomb", "too_large", False, _bomb, charged=True),
    Fault("broken-gzip", "bad_body", True, _said("no gzip at all", headers=GZIP), charged=True),
)
FAULTS = {fault.name: fault for fault in _LIST}
"""By name, in the order in which they are documented here."""

ECHO = Fault("echo", "", False, lambda protocol, key: Reply(body=repeated(protocol, f"Acme. Your key is {key}.")))
"""An answer that repeats the key: none of the failures."""


def provoked_by(question: str) -> tuple[Fault | None, bool]:
    """The fault that a question asks for, and whether for the first time only."""
    marker = question.partition("[")[2].partition("]")[0]
    name, _, once = marker.partition(" ")
    return ({**FAULTS, ECHO.name: ECHO}).get(name), once == "once"

"""Tells apart why a provider gave no answer, and whether and when asking again can help.

What the provider wrote is quoted only where it cannot hold a key: not when it refused one.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from aiohttp import ClientPayloadError

from visibility.engines.addresses import RefusedAddress
from visibility.engines.bodies import decode, remains, table, tables, text, whole, without_secret
from visibility.engines.protocol import Bill, EngineError

RETRYABLE = frozenset({"rate_limited", "server_error", "timeout", "unreachable", "bad_body"})
MAX_QUOTE_LENGTH = 500
REFUSED_KEY = (
    "The provider refused the key. Check the environment variable that this engine names, then test it again."
)

# In this order: the first that matches decides. Each is sought in the codes and the message of the error.
_KINDS = {
    kind: re.compile("|".join(patterns), re.IGNORECASE)
    for kind, patterns in {
        "quota_exhausted": (
            "insufficient_quota|exceeded_quota|insufficient (balance|credits?|funds)|billing_(hard_limit|not_active)",
            "credit balance is too low|spending limit|requires more credits|perday",
        ),
        "auth": (
            "invalid_api_key|authentication_error|permission_(error|denied)|unauthenticated|api_key_invalid",
            "(incorrect|invalid|missing|no) (x-)?api[ -]?key|api key (not valid|expired|not found)",
        ),
        "rate_limited": ("rate_limit|ratelimitreached|resource_exhausted|too_many_requests",),
        "context_length": (
            "context_length|maximum (context|prompt) length|context (window|limit|size)|exceed_context",
            r"(prompt|input)( is|:)? too (long|large)|request_too_large|string_above_max_length|string too long",
            "input token count.*exceeds|(prompt|input)( length)? exceeds|too large for model|reduce the length",
        ),
        "content_filter": ("content_(filter|policy)|moderation|flagged|responsible ai|invalid_prompt",),
        "model_not_found": (r"model_not_found|not_found_error|model\b.{0,80}(does not exist|not found|not a valid)",),
        "server_error": ("server_error|overloaded|api_error|unavailable|internal",),
        "invalid_request": ("invalid_request|invalid[-_]argument|bad_request|not_supported",),
    }.items()
}
_BY_STATUS = {
    401: "auth",
    402: "quota_exhausted",
    403: "auth",
    404: "model_not_found",
    408: "timeout",
    409: "server_error",
    413: "context_length",
    425: "server_error",
    429: "rate_limited",
    504: "timeout",
}
# A status says it better than words do, except where providers use one status for several things.
_AMBIGUOUS = frozenset({400, 403, 404, 422, 429})
_NOT_FOR_STATUS = {
    429: frozenset({"content_filter", "context_length", "model_not_found", "server_error", "invalid_request"})
}
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class _Report:
    """What an error body says."""

    codes: str
    message: str
    status: int | None
    details: list[dict[str, Any]]


def http_failure(status: int, headers: Mapping[str, str], raw: bytes, secret: str = "") -> EngineError:
    """The error of a response whose status is not 2xx."""
    try:
        body = decode(without_secret(secret, raw))
    except EngineError:
        body = {}
    report = _read_report(body)
    code = _kind_of(status, report)
    error = _failure(code, report.message or _status_alone(status), secret)
    error.retry_after = _retry_after(headers, report.details)
    if headers.get("x-should-retry", "").lower() == "false":
        error.retryable = False
    return error


def _status_alone(status: int) -> str:
    hint = " Check the engine's base URL and model." if status in (301, 302, 307, 308, 404, 405) else ""
    return f"The provider answered with status {status} and said no more.{hint}"


def received(raw: bytes, secret: str, bill_of: Callable[[dict[str, Any]], Bill]) -> tuple[bytes, dict[str, Any]]:
    """A 2xx body as it came and as JSON, neither with the key in it.

    Raises EngineError where it is no JSON object, or holds an error instead of an answer, with its bill as far as
    `bill_of` finds one in the body.
    """
    safe_raw = without_secret(secret, raw)
    try:
        body = decode(safe_raw)
    except EngineError as error:
        error.bill = bill_of(remains(safe_raw))
        raise
    failure = body_failure(body, secret)
    if failure:
        bill = bill_of(body)
        # As any error, it costs nothing unless it says what it used.
        failure.bill = bill if bill.cost or any(bill.usage.values()) else None
        raise failure
    return safe_raw, body


def body_failure(body: dict[str, Any], secret: str = "") -> EngineError | None:
    """The error that a 2xx body holds instead of an answer, or None."""
    if not body.get("error"):
        return None
    report = _read_report(body)
    status = report.status if report.status and 400 <= report.status < 600 else None
    code = _kind_of(status, report) if status else (_kind_in_words(report, frozenset()) or "server_error")
    error = _failure(code, report.message or "The provider answered with an error and said no more.", secret)
    error.retry_after = _retry_after({}, report.details)
    return error


def transport_failure(error: BaseException) -> EngineError:
    """The error of a connection that gave no whole response: silent for too long, cut off, or never made.

    What the transport has told apart already, and a vendor's client wrapped, is given as it is.
    """
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, EngineError):
            return cause
        if isinstance(cause, RefusedAddress):
            return EngineError("unreachable", str(cause), retryable=False)
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return _failure("timeout", "The provider was silent for too long.")
    if any(isinstance(cause, ClientPayloadError) for cause in causes):
        return _failure("bad_body", "The provider's answer was cut off, or its compression is broken.")
    return _failure("unreachable", "No connection to the provider. Check its base URL and the network.")


def too_large(max_bytes: int) -> EngineError:
    """The error of a body that was not read to its end. It is charged, and would be as large again."""
    message = (
        f"The provider's answer is larger than {max_bytes:,} bytes and was not read. "
        "Lower the engine's output tokens or searches, or raise MAX_PROVIDER_BODY_BYTES."
    )
    return EngineError("too_large", message, retryable=False, bill=Bill())


def _failure(code: str, message: str, secret: str = "") -> EngineError:
    if code == "auth":
        message = REFUSED_KEY
    quoted = without_secret(secret, " ".join(message.split()).encode("utf-8", "replace")).decode("utf-8", "replace")
    return EngineError(code, quoted[:MAX_QUOTE_LENGTH], retryable=code in RETRYABLE)


def _read_report(body: dict[str, Any]) -> _Report:
    """Reads `{"error": {…}}`, `{"error": "…", "code": …}` and the flat forms of other servers."""
    inner = table(body.get("error")) or body
    metadata = table(inner.get("metadata"))
    codes = [inner.get("code"), inner.get("type"), inner.get("status"), body.get("code"), metadata.get("error_type")]
    details = tables(inner.get("details"))
    quotas = [text(violation.get("quotaId")) for detail in details for violation in tables(detail.get("violations"))]
    reasons = [text(detail.get("reason")) for detail in details]
    message = text(inner.get("message")) or text(body.get("error")) or text(inner.get("detail"))
    raw = text(metadata.get("raw"))
    # A page for browsers says nothing that its status does not.
    message = "" if message.lstrip().startswith("<") else message
    return _Report(
        codes=" ".join([*(text(code) for code in codes), *reasons, *quotas]),
        message=f"{message} {raw}".strip(),
        status=whole(inner.get("code")) or whole(inner.get("status")),
        details=details,
    )


def _kind_of(status: int, report: _Report) -> str:
    if status in _AMBIGUOUS:
        kind = _kind_in_words(report, _NOT_FOR_STATUS.get(status, frozenset()))
        if kind and kind != "server_error":
            return kind
    if status >= 500:
        return _BY_STATUS.get(status, "server_error")
    return _BY_STATUS.get(status, "invalid_request")


def _kind_in_words(report: _Report, excluded: frozenset[str]) -> str:
    """The kind that the codes name, else the one that the message does."""
    for words in (report.codes, report.message):
        for kind, pattern in _KINDS.items():
            if kind not in excluded and pattern.search(words):
                # "Invalid request" is what several providers call everything: the message knows more.
                if kind == "invalid_request" and words is report.codes:
                    continue
                return kind
    return ""


def _retry_after(headers: Mapping[str, str], details: list[dict[str, Any]]) -> float | None:
    """The longest delay in seconds that the provider asks for; zero, and what is no number, asks for none."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    hints = [milliseconds and milliseconds / 1000, _seconds_or_date(headers.get("retry-after", ""))]
    for detail in details:
        match = _SECONDS.fullmatch(text(detail.get("retryDelay")))
        hints.append(_number(match[1]) if match else None)
    delays = [hint for hint in hints if hint and hint > 0]
    return max(delays) if delays else None


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _seconds_or_date(value: str) -> float | None:
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (moment - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__

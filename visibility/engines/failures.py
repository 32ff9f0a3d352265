"""Why a provider gave no answer, and whether and when asking again can help."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from aiohttp import ClientPayloadError, ClientResponseError, ConnectionTimeoutError

from visibility.engines.addresses import RefusedAddress
from visibility.engines.bodies import Body, decode, table, tables, text, whole
from visibility.engines.types import Bill, EngineError

CAN_RETRY = frozenset({"rate_limited", "server_error", "timeout", "unreachable", "bad_body"})
MAX_QUOTE_LENGTH = 500
MAX_WAIT = 120.0
"""Seconds; a provider that asks for a longer wait is asked again sooner, or at another time."""
REFUSED_KEY = (
    "The provider refused the key. Check the environment variable that this engine names, then test it again."
)

# The first pattern that matches decides: all are tried on the codes, then on the message of the error.
_KINDS = (
    (
        "quota",
        "insufficient_quota|exceeded_quota|insufficient (balance|credits?|funds)|billing_(hard_limit|not_active)|"
        "credit balance is too low|spending limit|requires more credits|perday",
    ),
    (
        "auth",
        "invalid_api_key|authentication_error|permission_(error|denied)|unauthenticated|api_key_invalid|"
        "(incorrect|invalid|missing|no) (x-)?api[ -]?key|api key (not valid|expired|not found)",
    ),
    ("rate_limited", "rate_limit|ratelimitreached|resource_exhausted|too_many_requests"),
    (
        "invalid_request",  # too much was asked
        "context_length|maximum (context|prompt) length|context (window|limit|size)|exceed_context|too_many_prompt|"
        r"(prompt|input)( is|:)? too (long|large)|request_too_large|string_above_max_length|string too long|"
        "input token count.*exceeds|(prompt|input)( length)? exceeds|too large for model|reduce the length",
    ),
    ("invalid_request", "content_(filter|policy)|moderation|flagged|responsible ai|invalid_prompt"),
    ("unknown_model", r"model_not_found|not_found_error|model\b.{0,80}(does not exist|not found|not a valid)"),
    ("server_error", "server_error|overloaded|api_error|unavailable|internal"),
)
_PATTERNS = tuple((code, re.compile(words, re.IGNORECASE)) for code, words in _KINDS)
# Several providers call everything an invalid request: these words count only where no others match.
_GENERIC = re.compile("invalid_request|invalid[-_ ]argument|bad_request|not_supported", re.IGNORECASE)
_BY_STATUS = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "unknown_model",
    408: "timeout",
    409: "server_error",
    425: "server_error",
    429: "rate_limited",
    504: "timeout",
}
# A status is clearer than words, except where providers use one status for several things.
_AMBIGUOUS = {400, 403, 404, 422, 429}
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class _Report:
    """The parts of an error body."""

    codes: str
    message: str
    status: int | None
    details: list[Body]
    wait: float | None


def http_failure(
    status: int, headers: Mapping[str, str], raw: bytes, error_of: Callable[[Body], Body]
) -> EngineError:
    """The error of a response whose status is not 2xx; `raw` without the key, `headers` with names in lower case,
    `error_of` as in `Dialect`."""
    try:
        body = error_of(decode(raw))
    except EngineError:
        body = {}
    report = _read_report(body)
    hint = " Check the engine's base URL and model." if status in (301, 302, 307, 308, 404, 405) else ""
    message = report.message or f"The provider answered with status {status} and nothing else.{hint}"
    error = failure(_code_of_status(status, report), message)
    error.retry_after = _retry_after(headers, report)
    if headers.get("x-should-retry", "").lower() == "false":
        error.can_retry = False
    return error


def body_failure(body: Body) -> EngineError | None:
    """The error in a 2xx body instead of an answer, or None."""
    ended = body.get("status") in ("failed", "cancelled")
    if not body.get("error") and not ended:
        return None
    report = _read_report(body)
    if report.status and 400 <= report.status < 600:
        code = _code_of_status(report.status, report)
    else:
        words = f"{report.codes} {report.message}"
        code = _code_in_words(report) or ("invalid_request" if _GENERIC.search(words) else "server_error")
    error = failure(code, report.message or "The provider answered with an error and nothing else.")
    error.retry_after = _retry_after({}, report)
    return error


def transport_failure(error: BaseException) -> EngineError:
    """The error of a connection that gave no whole response: silent for too long, cut off, or never made."""
    refused = next((cause for cause in _causes(error) if isinstance(cause, RefusedAddress)), None)
    if refused is not None:
        return failure("invalid_request", str(refused))
    if isinstance(error, TimeoutError) and not isinstance(error, ConnectionTimeoutError):
        silence = failure("timeout", "The provider was silent for too long.")
        silence.bill = Bill()  # the provider has the question, and may charge for an answer
        return silence
    if isinstance(error, ClientPayloadError | ClientResponseError):
        broken = failure("bad_body", "The provider's answer was cut off, or is not what HTTP allows.")
        broken.bill = Bill()
        return broken
    return failure("unreachable", "No connection to the provider. Check its base URL and the network.")


def too_large(max_bytes: int) -> EngineError:
    """The error of a body that was not read to its end. It is charged, and another try would be as large."""
    message = (
        f"The provider's answer is larger than {max_bytes:,} bytes and was not read. "
        "Lower the engine's output tokens or searches."
    )
    return EngineError("too_large", message, can_retry=False, bill=Bill())


def missing(field: str) -> EngineError:
    """The error of a body without what every answer has."""
    return failure("bad_body", f"The provider's answer has no {field}.")


def unreadable(why: str) -> EngineError:
    """The error of a text of which no answer can be told. The same question would mostly come to the same."""
    return EngineError("unreadable_answer", f"No answer can be told from the engine's text: {why}", can_retry=False)


def empty(*, at_limit: bool, max_output_tokens: int) -> EngineError:
    """The error of an answer without words. Where reasoning took all output, asking again would cost as much."""
    if at_limit:
        limit = (
            f"The {max_output_tokens} output tokens were used up before the answer began. Raise the engine's limit."
        )
        return EngineError("empty_answer", limit, can_retry=False)
    return EngineError("empty_answer", "The engine answered without any text.", can_retry=True)


def failure(code: str, message: str) -> EngineError:
    """An error with the provider's message, shortened; about a refused key it is replaced by a fixed one."""
    quoted = REFUSED_KEY if code == "auth" else " ".join(message.split())[:MAX_QUOTE_LENGTH]
    return EngineError(code, quoted, can_retry=code in CAN_RETRY)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _read_report(body: Body) -> _Report:
    """Reads `{"error": {…}}`, `{"error": "…", "code": …}` and the flat forms of other servers."""
    inner = table(body.get("error")) or body
    metadata = table(inner.get("metadata"))
    codes = [inner.get("code"), inner.get("type"), inner.get("status"), body.get("code"), metadata.get("error_type")]
    details = tables(inner.get("details"))
    quotas = [violation.get("quotaId") for detail in details for violation in tables(detail.get("violations"))]
    reasons = [detail.get("reason") for detail in details]
    message = text(inner.get("message")) or text(body.get("error")) or text(inner.get("detail"))
    message = "" if message.lstrip().startswith("<") else message  # a page for browsers adds nothing to its status
    return _Report(
        codes=" ".join(text(code) for code in [*codes, *reasons, *quotas]),
        message=f"{message} {text(metadata.get('raw'))}".strip(),
        status=whole(inner.get("code")) or whole(inner.get("status")),
        details=details,
        wait=_number(str(inner.get("retry_after"))),
    )


def _code_of_status(status: int, report: _Report) -> str:
    if status in _AMBIGUOUS:
        code = _code_in_words(report)
        # Any words may come with 429; only an exhausted quota or a refused key is more than "too fast".
        if code and code != "server_error" and not (status == 429 and code not in ("quota", "auth")):
            return code
    return _BY_STATUS.get(status, "server_error" if status >= 500 else "invalid_request")


def _code_in_words(report: _Report) -> str:
    for words in (report.codes, report.message):
        for code, pattern in _PATTERNS:
            if pattern.search(words):
                return code
    return ""


def _retry_after(headers: Mapping[str, str], report: _Report) -> float | None:
    """The longest wait in seconds that the provider asks for, bounded; zero and nonsense ask for none."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    hints = [milliseconds and milliseconds / 1000, _seconds_or_date(headers.get("retry-after", "")), report.wait]
    for detail in report.details:
        match = _SECONDS.fullmatch(text(detail.get("retryDelay")))
        hints.append(_number(match[1]) if match else None)
    waits = [hint for hint in hints if hint and hint > 0]
    return min(max(waits), MAX_WAIT) if waits else None


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

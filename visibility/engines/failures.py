"""Why a provider gave no answer, and whether and when asking again can help."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import ClientPayloadError, ClientResponseError, ConnectionTimeoutError

from visibility.engines.bodies import Body, table, tables, text, whole
from visibility.engines.types import Bill, EngineError
from visibility.net import BodyError, RefusedAddress, seconds_to_wait

CAN_RETRY = frozenset({"rate_limited", "server_error", "timeout", "unreachable", "bad_body"})
MAX_QUOTE_LENGTH = 500
DEEPEST = 4
"""Objects of an error, each in another, that are read."""
MAX_WAIT = 120.0
"""Seconds; a provider that asks for a longer wait is asked again sooner, or at another time."""
REFUSED_KEY = (
    "The provider refused the key. Check the environment variable that this engine names, then test it again."
)

# The first pattern that matches decides, on words as `_plain` has them: "per-day" and "PerDay" are "per day".
_QUOTA = re.compile(
    "insufficient (quota|balance|credits?|funds)|exceeded quota|billing (hard limit|not active)|"
    "credit balance is too low|spending limit|requires more credits|per day"
)
_KINDS = (
    (
        "auth",
        "authentication error|permission (error|denied)|unauthenticated|unauthorized|api key invalid|"
        "(incorrect|invalid|missing|no) (x )?api ?key|api key (not valid|expired|not found)|"
        r"unsupported (country|region|location)|(country|region|territory|location)[\w ]{0,30} not "
        "(supported|available)",
    ),
    ("rate_limited", "rate ?limit|resource exhausted|too many requests"),
    (
        "invalid_request",  # too much was asked
        "context length|maximum (context|prompt) length|context (window|limit|size)|exceed context|too many prompt|"
        "(prompt|input)( is)? too (long|large)|request too large|string above max length|string too long|"
        "input token count .*exceeds|(prompt|input)( length)? exceeds|too large for model|reduce the length",
    ),
    ("invalid_request", "content (filter|policy)|moderation|flagged|responsible ai|invalid prompt"),
    ("unknown_model", r"not found error|not found$|model\b.{0,80}(does not exist|not found|not a valid)"),
    ("server_error", "server error|overloaded|api error|unavailable|internal"),
)
_PATTERNS = tuple((code, re.compile(words)) for code, words in _KINDS)
# Several providers call everything an invalid request: these words count only where no others match.
_GENERIC = re.compile("invalid request|invalid argument|bad request|not supported")
_ABOUT_KEY = re.compile(r"\b(keys?|tokens?|bearer)\b|credential|authentica")
_JOINTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
_NESTED = ("error", "errors", "detail")
_MESSAGES = ("message", "msg", "error_message", "error_msg", "error_description", *_NESTED, "title")
_CODES = ("code", "type", "status", "error_code", "error_type", "error")
_STATUSES = ("code", "status", "status_code", "statusCode")
_HINTS = dict.fromkeys((301, 302, 307, 308, 404, 405), " Check the engine's base URL and model.")
_HINTS |= dict.fromkeys((401, 403), " Check the engine's key.")
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
    report = _read_report(error_of(_body_of(raw)))
    nothing = f"The provider answered with status {status} and nothing else."
    message = report.message or nothing + _HINTS.get(status, "")
    error = _told(_code_of_status(status, report), message, report)
    error.retry_after = _retry_after(headers, report)
    if headers.get("x-should-retry", "").lower() == "false":
        error.can_retry = False
    return error


def body_failure(body: Body, *, is_answer: bool = True) -> EngineError | None:
    """The error in a 2xx body instead of an answer, or None. What is no answer and has words of an error is one."""
    ended = body.get("status") in ("failed", "cancelled")
    report = _read_report(body)
    if not body.get("error") and not ended and (is_answer or not report.message):
        return None
    if report.status:
        code = _code_of_status(report.status, report)
    else:
        words = _plain(f"{report.codes} {report.message}")
        code = _code_in_words(report) or ("invalid_request" if _GENERIC.search(words) else "server_error")
    error = _told(code, report.message or "The provider answered with an error and nothing else.", report)
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
    if isinstance(error, ClientPayloadError | ClientResponseError | BodyError):
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
    """An error with the provider's message, shortened."""
    return EngineError(code, " ".join(message.split())[:MAX_QUOTE_LENGTH], can_retry=code in CAN_RETRY)


def _told(code: str, message: str, report: _Report) -> EngineError:
    """An error in the provider's words; those about a refused key may repeat a part of it, and are replaced."""
    about_key = code == "auth" and _ABOUT_KEY.search(_plain(f"{report.codes} {report.message}"))
    return failure(code, REFUSED_KEY if about_key else message)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _body_of(raw: bytes) -> Body:
    """An error body as an object; what is none is the error in one."""
    try:
        value = json.loads(raw, strict=False)
    except (ValueError, RecursionError):
        value = raw.decode("utf-8", "replace")
    return value if isinstance(value, dict) else {"error": value}


def _read_report(body: Body) -> _Report:
    """Reads errors of any form: an object in another, in a list, flat, or no more than words."""
    layers = _layers(body)
    metadata = [table(layer.get("metadata")) for layer in layers]
    details = [detail for layer in layers for detail in tables(layer.get("details"))]
    quotas = [violation.get("quotaId") for detail in details for violation in tables(detail.get("violations"))]
    reasons = [detail.get("reason") for detail in details]
    codes = [layer.get(field) for layer in [*layers, *metadata] for field in _CODES]
    words = (text(layer.get(field)).strip() for layer in layers for field in _MESSAGES)
    message = next(filter(None, words), "")
    message = "" if message.startswith("<") else message  # a page for browsers adds nothing to its status
    statuses = (_status(layer.get(field)) for layer in layers for field in _STATUSES)
    return _Report(
        codes=" ".join(filter(None, (text(code) for code in [*codes, *reasons, *quotas]))),
        message=" ".join([message, *(text(each.get("raw")) for each in metadata)]).strip(),
        status=next(filter(None, statuses), None),
        details=details,
        wait=next(filter(None, (_number(str(layer.get("retry_after"))) for layer in layers)), None),
    )


def _layers(value: object) -> list[Body]:
    """The objects of an error, the innermost first."""
    layers: list[Body] = []
    while len(layers) < DEEPEST:
        if isinstance(value, list):
            value = value[0] if value else None
        if isinstance(value, str):
            value = {"message": value}
        if not isinstance(value, dict):
            break
        layers.insert(0, value)
        value = next((value[field] for field in _NESTED if isinstance(value.get(field), dict | list)), None)
    return layers


def _status(value: object) -> int | None:
    """The status of HTTP that a field of an error holds, as a number or in digits."""
    number = int(value) if isinstance(value, str) and re.fullmatch("[45][0-9]{2}", value) else whole(value)
    return number if number and 400 <= number < 600 else None


def _plain(words: str) -> str:
    """Words in lower case with one space between them, whatever parted them."""
    return _JOINTS.sub(" ", words).strip().lower()


def _code_of_status(status: int, report: _Report) -> str:
    if status in _AMBIGUOUS:
        code = _code_in_words(report)
        # Any words may come with 429; only an exhausted quota or a refused key is more than "too fast".
        if code and code != "server_error" and not (status == 429 and code not in ("quota", "auth")):
            return code
    return _BY_STATUS.get(status, "server_error" if status >= 500 else "invalid_request")


def _code_in_words(report: _Report) -> str:
    codes, message = _plain(report.codes), _plain(report.message)
    if _QUOTA.search(codes) or _QUOTA.search(message):
        return "quota"
    for words in (codes, message):
        for code, pattern in _PATTERNS:
            if pattern.search(words):
                return code
    return ""


def _retry_after(headers: Mapping[str, str], report: _Report) -> float | None:
    """The longest wait in seconds that the provider asks for, bounded; zero and nonsense ask for none."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    asked = seconds_to_wait(headers.get("retry-after", ""), datetime.now(UTC))
    hints = [milliseconds and milliseconds / 1000, asked, report.wait]
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

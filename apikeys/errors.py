"""The one family of errors that services raise. Each door maps it to its own form once."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import psycopg
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, transaction
from django.utils.translation import gettext


class ErrorCode(StrEnum):
    """Stable codes that callers may branch on. `status` is the HTTP status of the REST door."""

    status: int

    def __new__(cls, value: str, status: int) -> "ErrorCode":
        member = str.__new__(cls, value)
        member._value_ = value
        member.status = status
        return member

    INVALID_PARAMETER = "invalid_parameter", 400
    BAD_REQUEST = "bad_request", 400
    INVALID_ARGUMENTS = "invalid_arguments", 400
    MISSING_BEARER_TOKEN = "missing_bearer_token", 401
    INVALID_API_KEY = "invalid_api_key", 401
    TIER_DISALLOWS_API = "tier_disallows_api", 403
    INSUFFICIENT_SCOPE = "insufficient_scope", 403
    READ_ONLY_COLLABORATOR = "read_only_collaborator", 403
    ORIGIN_NOT_ALLOWED = "origin_not_allowed", 403
    NOT_FOUND = "not_found", 404
    METHOD_NOT_ALLOWED = "method_not_allowed", 405
    NOT_ACCEPTABLE = "not_acceptable", 406
    REQUEST_TIMEOUT = "request_timeout", 408
    CONFLICT = "conflict", 409
    IDEMPOTENCY_CONFLICT = "idempotency_conflict", 409
    IDEMPOTENCY_IN_PROGRESS = "idempotency_in_progress", 409
    NO_ENGINE_CONFIGURED = "no_engine_configured", 409
    NO_PROMPTS = "no_prompts", 409
    NOT_AVAILABLE = "not_available", 409
    PRECONDITION_FAILED = "precondition_failed", 412
    CONTENT_TOO_LARGE = "content_too_large", 413
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type", 415
    QUOTA_EXCEEDED = "quota_exceeded", 429
    RATE_LIMITED = "rate_limited", 429
    INTERNAL_ERROR = "internal_error", 500
    UNAVAILABLE = "unavailable", 503
    UPSTREAM_UNAVAILABLE = "upstream_unavailable", 503


MESSAGES = {
    ErrorCode.BAD_REQUEST: "This request is malformed. Check its Host header and its form.",
    ErrorCode.MISSING_BEARER_TOKEN: "Send your API key in the header Authorization: Bearer <API_KEY>.",
    ErrorCode.INVALID_API_KEY: "This key does not work: it is unknown, mistyped, expired or revoked. "
    "Ask the operator for a new one.",
    ErrorCode.TIER_DISALLOWS_API: "The plan of this account does not include the API. "
    "Ask the operator for a plan that does.",
    ErrorCode.NOT_FOUND: "Nothing is here that this key can see. GET /api/v1/brands lists the brands it can.",
    ErrorCode.METHOD_NOT_ALLOWED: "This path lacks that method. The header Allow names those it has.",
    ErrorCode.NOT_ACCEPTABLE: "This endpoint answers application/json only. Accept that, or send no Accept.",
    # for If-Match and If-Unmodified-Since, which weak validators never satisfy
    ErrorCode.PRECONDITION_FAILED: "The precondition does not hold. Use If-None-Match, or send none.",
    ErrorCode.INTERNAL_ERROR: "The service failed. Try again; report requestId if it persists.",
    ErrorCode.UNAVAILABLE: "The service is briefly unavailable. Try again in a few seconds.",
}
"""Of the errors that always say the same, whatever the reason."""


class ServiceError(Exception):
    """A refusal or failure with a stable code, a sentence that says what to do next, and named details.

    The sentence may be left out where MESSAGES has it. The keys of `details` are camelCase: they are part of the
    answer on both doors.
    """

    def __init__(self, code: ErrorCode, message: str = "", **details: Any) -> None:
        self.message = message or MESSAGES[code]
        super().__init__(self.message)
        self.code = code
        self.details = details


def insufficient_scope(scope: str, tick: str = "") -> ServiceError:
    """The key lacks the scope that the call needs; or only the app's connection does, whose person may `tick` it."""
    message = f"This key lacks the scope {scope}. Ask the operator for a key that carries it."
    if tick:
        message = f"This app was not allowed {scope}. Connect it again and tick “{tick}”."
    return ServiceError(ErrorCode.INSUFFICIENT_SCOPE, message, requiredScope=str(scope))


def not_found() -> ServiceError:
    """For what does not exist and for what the caller cannot see: the same bytes."""
    return ServiceError(ErrorCode.NOT_FOUND)


def rate_limited(seconds: int) -> ServiceError:
    """Too many requests came from one address; `seconds` until its budget is renewed."""
    words = gettext("Too many requests from this address. Try again in {seconds} seconds.")
    return ServiceError(ErrorCode.RATE_LIMITED, words.format(seconds=seconds))


def upstream_unavailable(message: str) -> ServiceError:
    """An engine that was to write did not."""
    return ServiceError(ErrorCode.UPSTREAM_UNAVAILABLE, message)


def invalid(argument: str, message: str) -> ServiceError:
    """Bad input to a service: names the argument and says what is accepted."""
    return ServiceError(ErrorCode.INVALID_ARGUMENTS, message, argument=argument)


def invalid_parameter(name: str, message: str) -> ServiceError:
    """The refusal of one query parameter, named (shortened) so that the client finds it."""
    return ServiceError(ErrorCode.INVALID_PARAMETER, message, parameter=name[:100])


def conflict(message: str, **details: Any) -> ServiceError:
    """What is asked for clashes with something that is there already."""
    return ServiceError(ErrorCode.CONFLICT, message, **details)


def quota_exceeded(what: str, limit: int, used: int, resets_at: datetime | None = None) -> ServiceError:
    """Every quota's refusal: what is used up, its limit, and when it starts again (None: never)."""
    when = rfc3339(resets_at) if resets_at else None
    again = gettext("It starts again at {when}.").format(when=when)
    advice = again if when else gettext("Remove some, or ask the operator for more.")
    words = gettext("The account of the brand's owner allows {limit} {what}; {used} are in use. {advice}")
    return ServiceError(
        ErrorCode.QUOTA_EXCEEDED,
        words.format(limit=limit, what=gettext(what), used=used, advice=advice),
        limit=limit,
        used=used,
        resetsAt=when,
    )


@contextmanager
def conflict_if_taken(message: str, **details: Any) -> Iterator[None]:
    """Turn the database's refusal of a second row into a conflict; nothing is written."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise conflict(message, **details) from error


def is_away(error: BaseException | None) -> bool:
    """Whether the database does not answer or takes no writes: it may recover in a moment."""
    if isinstance(error, OperationalError | InterfaceError | psycopg.OperationalError):  # the last: the counters
        return True
    return isinstance(error, DatabaseError) and isinstance(error.__cause__, psycopg.errors.ReadOnlySqlTransaction)


def rfc3339(moment: datetime) -> str:
    """UTC with milliseconds and `Z`, as both doors show every time."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

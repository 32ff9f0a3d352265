"""The one family of errors that services raise. Each door maps it to its own form once."""

from enum import StrEnum
from typing import Any


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
    NOT_FOUND = "not_found", 404
    METHOD_NOT_ALLOWED = "method_not_allowed", 405
    ORIGIN_NOT_ALLOWED = "origin_not_allowed", 403
    NOT_ACCEPTABLE = "not_acceptable", 406
    CONFLICT = "conflict", 409
    IDEMPOTENCY_CONFLICT = "idempotency_conflict", 409
    IDEMPOTENCY_IN_PROGRESS = "idempotency_in_progress", 409
    PRECONDITION_FAILED = "precondition_failed", 412
    CONTENT_TOO_LARGE = "content_too_large", 413
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type", 415
    QUOTA_EXCEEDED = "quota_exceeded", 429
    RATE_LIMITED = "rate_limited", 429
    NO_ENGINE_CONFIGURED = "no_engine_configured", 409
    NO_PROMPTS = "no_prompts", 409
    NOT_AVAILABLE = "not_available", 409
    INTERNAL_ERROR = "internal_error", 500
    UNAVAILABLE = "unavailable", 503
    UPSTREAM_UNAVAILABLE = "upstream_unavailable", 503


class ServiceError(Exception):
    """A refusal or failure with a stable code, a sentence that says what to do next, and named details.

    The keys of `details` are camelCase: they are part of the answer on both doors.
    """

    def __init__(self, code: ErrorCode, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


def not_found() -> ServiceError:
    """The answer for a brand that does not exist and for one that the caller cannot see: the same bytes."""
    return ServiceError(
        ErrorCode.NOT_FOUND,
        "Nothing is here that this key can see. GET /api/v1/brands lists the brands it can.",
    )


def missing_bearer_token() -> ServiceError:
    """No Authorization header with a bearer key was sent."""
    return ServiceError(
        ErrorCode.MISSING_BEARER_TOKEN, "Send your API key in the header Authorization: Bearer <API_KEY>."
    )


def invalid_api_key() -> ServiceError:
    """The key matches no active key; it does not tell which of the reasons holds."""
    return ServiceError(
        ErrorCode.INVALID_API_KEY,
        "This key does not work: it is unknown, mistyped, expired or revoked. Ask the operator for a new one.",
    )


def tier_disallows_api() -> ServiceError:
    """The plan of the key's owner does not open the API and agent doors."""
    return ServiceError(
        ErrorCode.TIER_DISALLOWS_API,
        "The plan of this account does not include the API. Ask the operator for a plan that does.",
    )


def insufficient_scope(scope: str) -> ServiceError:
    """The key lacks the scope that the call needs."""
    return ServiceError(
        ErrorCode.INSUFFICIENT_SCOPE,
        f"This key lacks the scope {scope}. Ask the operator for a key that carries it.",
        requiredScope=str(scope),
    )


def rate_limited(seconds: int) -> ServiceError:
    """Too many requests came from one address; `seconds` until its budget is renewed."""
    return ServiceError(
        ErrorCode.RATE_LIMITED, f"Too many requests from this address. Try again in {seconds} seconds."
    )


def invalid(argument: str, message: str) -> ServiceError:
    """Bad input to a service: names the argument and says what is accepted."""
    return ServiceError(ErrorCode.INVALID_ARGUMENTS, message, argument=argument)

"""Every exception becomes one JSON body, here and nowhere else: the codes, never a traceback, never HTML."""

from collections.abc import Mapping
from typing import Any

import structlog
from django.core.exceptions import SuspiciousOperation
from django.http import Http404
from rest_framework.exceptions import MethodNotAllowed, NotAcceptable
from rest_framework.views import APIView

from apikeys.db.outages import DATABASE, is_away
from apikeys.errors import ErrorCode, ServiceError, not_found
from apikeys.http.responses import ErrorResponse

log = structlog.get_logger(__name__)


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> ErrorResponse:
    """The answer of the REST door to `exc`; what nobody expected is logged with its traceback."""
    view: APIView = context["view"]
    allow = {"Allow": ", ".join(view.allowed_methods)} if isinstance(exc, MethodNotAllowed) else None
    return ErrorResponse(as_service_error(exc), headers=allow)


def as_service_error(exc: Exception) -> ServiceError:
    """The error that callers see for `exc`."""
    match exc:
        case ServiceError():
            return exc
        case MethodNotAllowed():
            return method_not_allowed()
        case NotAcceptable():
            return not_acceptable()
        case Http404():
            return not_found()
        case SuspiciousOperation():
            return bad_request()
        case _ if is_away(exc):
            DATABASE.failed(exc, tell=log.error)
            return unavailable()
        case _:
            log.exception("unexpected failure")
            return internal_error()


def method_not_allowed() -> ServiceError:
    """For a method that the path does not have; the header Allow names those it has."""
    return ServiceError(
        ErrorCode.METHOD_NOT_ALLOWED, "This path lacks that method. The header Allow names those it has."
    )


def not_acceptable() -> ServiceError:
    """For a header Accept that refuses JSON."""
    return ServiceError(
        ErrorCode.NOT_ACCEPTABLE, "This endpoint answers application/json only. Accept that, or send no Accept."
    )


def bad_request() -> ServiceError:
    """For a request that is broken as a whole, such as one for a host that this service does not serve."""
    return ServiceError(ErrorCode.BAD_REQUEST, "This request is malformed. Check its Host header and its form.")


def precondition_failed() -> ServiceError:
    """For If-Match and If-Unmodified-Since, which weak validators never satisfy."""
    return ServiceError(
        ErrorCode.PRECONDITION_FAILED, "The precondition does not hold. Use If-None-Match, or send none."
    )


def internal_error() -> ServiceError:
    """For a fault of the service."""
    return ServiceError(ErrorCode.INTERNAL_ERROR, "The service failed. Try again; report requestId if it persists.")


def unavailable() -> ServiceError:
    """For a database that does not answer."""
    return ServiceError(ErrorCode.UNAVAILABLE, "The service is briefly unavailable. Try again in a few seconds.")


def error_for_status(status: int) -> ServiceError:
    """The error for an answer that something below the views made without our form."""
    match status:
        case 404:
            return not_found()
        case 405:
            return method_not_allowed()
        case 412:
            return precondition_failed()
        case 503:
            return unavailable()
        case _:
            return internal_error() if status >= 500 else bad_request()

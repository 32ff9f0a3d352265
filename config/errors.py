"""What answers when no view does, or with nothing: JSON below the API paths, a small page elsewhere."""

import sys
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from apikeys.db.outages import DATABASE, is_away
from apikeys.errors import ErrorCode, ServiceError
from apikeys.http.exceptions import error_for_status
from apikeys.http.requests import is_api_path
from apikeys.http.responses import UNAVAILABLE_SECONDS, ErrorResponse

FORM_REFUSED = (
    "This form was not accepted, and nothing was changed: it did not come from a page of this service that was open "
    "in this browser, or the page was open for too long. Allow cookies for this address, reload the page and send "
    "the form again. Operators: behind a proxy see TRUSTED_PROXIES and CSRF_TRUSTED_ORIGINS."
)

FORM_ADDRESS = "This address takes what a form of another page sends, and shows nothing itself. Nothing was changed."


class RefusedMethodMiddleware:
    """The house's own page where Django answers a method that an address does not take with an empty one: who reloads
    the address of a form, or comes back to it after signing in, has not asked for a blank sheet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or is_api_path(request.path_info):
            return response
        page = _answer(request, HTTPStatus.METHOD_NOT_ALLOWED, FORM_ADDRESS)
        page.headers["Allow"] = response.headers["Allow"]
        return page


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, HTTPStatus.FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """For a form whose token is missing or old, or that a page of another site sent."""
    if is_api_path(request.path_info):
        return ErrorResponse(ServiceError(ErrorCode.ORIGIN_NOT_ALLOWED, FORM_REFUSED))
    return _answer(request, HTTPStatus.FORBIDDEN, FORM_REFUSED)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls this while it handles the exception."""
    error = sys.exception()
    if error is None or not is_away(error):
        return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)
    DATABASE.failed(error)
    response = _answer(request, HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(UNAVAILABLE_SECONDS)
    return response


def _answer(request: HttpRequest, status: HTTPStatus, message: str = "") -> HttpResponse:
    """No context processors: the page must also be drawn when the database is gone."""
    if is_api_path(request.path_info):
        return ErrorResponse(error_for_status(status))
    return HttpResponse(render_to_string("errors/error.html", {"status": status, "message": message}), status=status)

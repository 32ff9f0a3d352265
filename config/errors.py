"""What answers when no view does: a small page. Below the API's paths RequestMiddleware turns it into JSON."""

import sys
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy

from apikeys.errors import MESSAGES, ErrorCode, is_away
from apikeys.language import written_for

TITLES = {
    HTTPStatus.BAD_REQUEST: gettext_lazy("Bad Request"),
    HTTPStatus.FORBIDDEN: gettext_lazy("Forbidden"),
    HTTPStatus.NOT_FOUND: gettext_lazy("Not Found"),
    HTTPStatus.INTERNAL_SERVER_ERROR: gettext_lazy("Internal Server Error"),
    HTTPStatus.SERVICE_UNAVAILABLE: gettext_lazy("Service Unavailable"),
}
FORM_REFUSED = gettext_lazy(
    "This form was not accepted, and nothing was changed: it did not come from a page of this service that was open "
    "in this browser, or the page was open for too long. Reload the page and send the form again."
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """For a request that is broken as a whole."""
    return _page(
        request,
        HTTPStatus.BAD_REQUEST,
        gettext_lazy("The browser sent something that this service cannot read. Try again."),
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """For a person who may not see an address."""
    return _page(
        request, HTTPStatus.FORBIDDEN, gettext_lazy("Your account may not do this. Ask the operator of the service.")
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """For a form whose token is missing or old, or that a page of another site sent."""
    return _page(request, HTTPStatus.FORBIDDEN, FORM_REFUSED)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """For an address that does not exist, or shows nothing to this person."""
    return _page(
        request,
        HTTPStatus.NOT_FOUND,
        gettext_lazy("There is nothing at this address, or nothing that your account may see."),
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """For a fault of the service, or a database that is away. Django calls this while it handles the exception."""
    error = sys.exception()
    if error is None or not is_away(error):
        return _page(
            request,
            HTTPStatus.INTERNAL_SERVER_ERROR,
            gettext_lazy("The service failed. Try again; if it fails again, report it."),
        )
    response = _page(request, HTTPStatus.SERVICE_UNAVAILABLE, MESSAGES[ErrorCode.UNAVAILABLE])
    response.headers["Retry-After"] = "5"
    return response


def _page(request: HttpRequest, status: HTTPStatus, message: Any) -> HttpResponse:
    """Without context processors: the page must also be drawn when the database is gone."""
    with written_for(request):
        shown = {"title": TITLES.get(status, status.phrase), "message": message}
        return HttpResponse(render_to_string("error.html", shown), status=status)

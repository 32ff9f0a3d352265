"""What answers when no view does: JSON below the API paths, a small page elsewhere."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from apikeys.api.exceptions import error_for_status
from apikeys.api.requests import is_api_path
from apikeys.api.responses import ErrorResponse


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def _answer(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    """No context processors: the page must also be drawn when the database is gone."""
    if is_api_path(request.path_info):
        return ErrorResponse(error_for_status(status))
    return HttpResponse(render_to_string("errors/error.html", {"status": status}), status=status)

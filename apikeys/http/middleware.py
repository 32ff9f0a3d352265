"""What surrounds every request to Django: its id, its encoding, and JSON for every error below the API paths."""

import time
from collections.abc import Callable
from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from structlog.contextvars import bound_contextvars

from apikeys.http.exceptions import as_service_error, error_for_status
from apikeys.http.negotiation import qualities_of
from apikeys.http.requests import call_name, current_request_id, is_api_path, sane_request_id
from apikeys.http.responses import ErrorResponse
from apikeys.services.authentication import bearer_of, known_key
from apikeys.services.calls import door_of, record_call

GetResponse = Callable[[HttpRequest], HttpResponse]


class RequestIdMiddleware:
    """X-Request-ID: the client's own if it is sane, else a new one; on the answer and in every log line."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = sane_request_id(request.META.get("HTTP_X_REQUEST_ID"))
        with bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response.headers["X-Request-ID"] = request_id
        return response


class StrayCallMiddleware:
    """Keeps the calls of known keys that no endpoint answers: unknown paths and refused methods. What callers wrote
    as a path is not kept. As everywhere, an answer that cannot be recorded is not given."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        is_stray = response.status_code == HTTPStatus.NOT_FOUND and request.resolver_match is None
        if not is_stray and response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return response
        try:
            key = known_key(bearer_of(request.META.get("HTTP_AUTHORIZATION")))
            if key is not None:
                record_call(
                    key=key,
                    door=door_of(request.path_info),
                    name=call_name(request),
                    error_code=str(error_for_status(response.status_code).code),
                    duration_ms=(time.perf_counter() - started) * 1000,
                    request_id=current_request_id(),
                )
        except Exception as exc:
            return ErrorResponse(as_service_error(exc))
        return response


class JsonErrorMiddleware:
    """Below the API paths no error leaves Django in another form than ours, debug pages included."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code < 400 or not is_api_path(request.path_info):
            return response
        if response.headers.get("Content-Type", "").startswith("application/json"):
            return response
        headers = {name: response.headers[name] for name in ("Allow", "Retry-After") if name in response.headers}
        return ErrorResponse(error_for_status(response.status_code), headers=headers)


class BodilessMiddleware:
    """An answer to HEAD is the headers of the answer to GET: the length of the body, and no body. One that says that
    nothing changed (304) has no length: 0 would be that of an empty page."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.content = b""
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            del response.headers["Content-Length"]
        return response


class AcceptedGzipMiddleware(GZipMiddleware):
    """Django's, which looks for the word gzip alone, for clients that accept it: `gzip;q=0` refuses it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        quality = qualities_of(request.META.get("HTTP_ACCEPT_ENCODING", "")).get("gzip", 0.0)
        request.META["HTTP_ACCEPT_ENCODING"] = "gzip" if quality > 0 else "identity"
        return super().process_response(request, response)


class RefuseNulMiddleware:
    """400 for a page that is asked for with the character NUL in its query or a cookie: PostgreSQL takes none, and
    Django looks for sessions and rows with what it is given. The endpoints of the API read their query themselves."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_api_path(request.path_info):
            texts = (*request.COOKIES.values(), *(value for values in request.GET.lists() for value in values[1]))
            if any("\0" in value for value in texts):
                raise BadRequest("The query or a cookie contains the character NUL.")
        return self.get_response(request)

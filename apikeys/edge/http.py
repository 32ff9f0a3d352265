"""What surrounds every request to Django: its id, JSON for every error below the API's paths, the call log."""

import hashlib
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import cache
from http import HTTPMethod, HTTPStatus
from typing import Any

import orjson
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from apikeys.edge.call import Call
from apikeys.edge.door import bearer_of, door_of
from apikeys.edge.monitoring import note_answer
from apikeys.edge.requestid import current as current_request_id
from apikeys.edge.requestid import sane_request_id
from apikeys.errors import ErrorCode, ServiceError, is_away

logger = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEALTH_PATHS = frozenset({"/healthz", "/readyz"})
API_ROOTS = frozenset({"api", "mcp", "openapi.json"})
UNKNOWN_PATH, UNKNOWN_METHOD = "(unknown path)", "(unknown method)"
UNAVAILABLE_SECONDS = 5
COMPRESSED = frozenset({"application/zip", "image/png"})
COMMON_HEADERS: Mapping[str, str] = {
    "Cache-Control": "private, no-cache",
    "Vary": "Authorization, Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
_QUALITY = re.compile(r";\s*q\s*=\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*(?:;|$)", re.IGNORECASE)


class RequestMiddleware:
    """The outermost of Django's middleware. Sets X-Request-ID; below the API's paths it logs the calls of known keys,
    and no error leaves Django in another form than ours, debug pages included."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = sane_request_id(request.META.get("HTTP_X_REQUEST_ID"))
        started = time.perf_counter()
        token = current_request_id.set(request_id)
        try:
            response = self._answer(request)
            if request.path_info not in HEALTH_PATHS:
                _note(request, response, started)
        finally:
            current_request_id.reset(token)
        response.headers["X-Request-ID"] = request_id
        response.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        if request.method == "HEAD":  # its length is told already; the server would log each body that it drops
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = ()
            else:
                response.content = b""
        if response.status_code in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
            del response.headers["Content-Length"]  # CommonMiddleware counts 0 bytes, where the 200 has many
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> None:
        """PostgreSQL takes no NUL, and pages look for sessions and rows with what they are given."""
        if is_api_path(request.path_info):
            return
        texts = (*request.COOKIES.values(), *(text for _, values in request.GET.lists() for text in values))
        if any("\0" in text for text in texts):
            raise BadRequest("The query or a cookie contains the character NUL.")

    def _answer(self, request: HttpRequest) -> HttpResponse:
        if not is_api_path(request.path_info):
            return self.get_response(request)
        raw_key = bearer_of(request.META.get("HTTP_AUTHORIZATION"))
        call = Call(door_of(request.path_info), current_request_id.get(), raw_key)
        vars(request)["call"] = call
        response = self.get_response(request)
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        if response.status_code >= HTTPStatus.BAD_REQUEST and not is_json:
            headers = {name: response.headers[name] for name in ("Allow",) if name in response.headers}
            response = ErrorResponse(_error_of_status(response.status_code), headers)
        try:
            _record(call, request, response)
        except Exception as error:  # as everywhere, an answer that cannot be recorded is not given
            return ErrorResponse(as_service_error(error))
        return response


class GZip(GZipMiddleware):
    """Django's own takes `gzip;q=0` and `not-gzip` for consent, and compresses what is compressed."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.headers.get("Content-Type") in COMPRESSED:
            return response
        if qualities_of(request.META.get("HTTP_ACCEPT_ENCODING", "")).get("gzip", 0.0) > 0:
            return super().process_response(request, response)
        patch_vary_headers(response, ["Accept-Encoding"])
        return response


class ErrorResponse(HttpResponse):
    """The JSON answer to a failed call; `error` is for the call log."""

    def __init__(self, error: ServiceError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(
            error_body(error, current_request_id.get()),
            status=error.code.status,
            content_type="application/json",
            headers={**COMMON_HEADERS, **error_headers(error), **(headers or {})},
        )
        self.headers["ETag"] = weak_etag(self.content)
        self.headers["Content-Length"] = str(len(self.content))  # also where no middleware sees it
        self.error = error


def json_response(body: bytes) -> HttpResponse:
    """A successful answer, with a weak ETag: gzip changes the bytes on the wire, not their meaning."""
    headers = {**COMMON_HEADERS, "ETag": weak_etag(body)}
    return HttpResponse(body, content_type="application/json", headers=headers)


def weak_etag(body: bytes) -> str:
    """The weak entity tag of these bytes."""
    return f'W/"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'


def error_body(error: ServiceError, request_id: str) -> bytes:
    """`error`, `detail` and the named details; failures of the service also carry `requestId`."""
    body = {"error": str(error.code), "detail": error.message, **error.details}
    if error.code.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        body["requestId"] = request_id
    return orjson.dumps(body, default=str)


def error_headers(error: ServiceError) -> dict[str, str]:
    """The headers that an error brings along: which key is wanted, or when to come back."""
    if error.code.status == HTTPStatus.UNAUTHORIZED:
        return {"WWW-Authenticate": "Bearer"}
    if error.code.status == HTTPStatus.SERVICE_UNAVAILABLE:
        return {"Retry-After": str(UNAVAILABLE_SECONDS)}
    return {}


def as_service_error(error: Exception) -> ServiceError:
    """The error that callers see. An unexpected one is logged with its traceback."""
    if isinstance(error, ServiceError):
        return error
    if is_away(error):
        logger.error("The database does not answer: %s", error)
        return ServiceError(ErrorCode.UNAVAILABLE)
    logger.error("Unexpected failure", exc_info=error)
    return ServiceError(ErrorCode.INTERNAL_ERROR)


def call_of(request: HttpRequest) -> Call:
    """The call that RequestMiddleware made of a request below the API's paths."""
    call: Call = vars(request)["call"]
    return call


def is_api_path(path: str) -> bool:
    """Whether every answer below this path, errors included, is JSON."""
    return path[1:].split("/", 1)[0] in API_ROOTS


def door_name(path: str) -> str:
    """The door of a path, for metrics: rest, mcp, or pages."""
    return door_of(path) if is_api_path(path) else "pages"


def header(scope: Message, name: bytes) -> str:
    """The values of a header of an ASGI request, in the order they came, joined by commas. For what runs before
    Django: WSGI would merge X_Forwarded_For with X-Forwarded-For."""
    return ",".join(value.decode("latin-1") for key, value in scope.get("headers", ()) if key.lower() == name)


def qualities_of(header: str) -> dict[str, float]:
    """The highest quality of each item in an Accept header; 1 where none is given or it is not a number."""
    qualities: dict[str, float] = {}
    for part in header.split(","):
        item = part.partition(";")[0].strip().lower()
        quality = _QUALITY.search(part)
        if item:  # a comma too many names nothing
            qualities[item] = max(qualities.get(item, 0.0), float(quality[1]) if quality else 1.0)
    return qualities


def _call_name(request: HttpRequest) -> str:
    """Method and template of the path, as the call log names it: `GET /api/v1/brands/{id}/runs`."""
    match = request.resolver_match
    method = request.method if request.method in set(HTTPMethod) else UNKNOWN_METHOD
    return f"{method} {_template(match.route) if match else UNKNOWN_PATH}"


@cache
def _template(route: str) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)


def _note(request: HttpRequest, response: HttpResponse, started: float) -> None:
    note_answer(
        door=door_name(request.path_info),
        name=_call_name(request),
        status=response.status_code,
        seconds=time.perf_counter() - started,
        error_code=_code_of(response),
    )


def _code_of(response: HttpResponse) -> str:
    return str(response.error.code) if isinstance(response, ErrorResponse) else ""


def _record(call: Call, request: HttpRequest, response: HttpResponse) -> None:
    """Log a call of a known key. A stray one, which no endpoint answers, is recognised here."""
    is_unknown_path = response.status_code == HTTPStatus.NOT_FOUND and request.resolver_match is None
    if is_unknown_path or response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        call.recognise()
    call.name = _call_name(request)
    call.error_code = _code_of(response)
    call.record()


def _error_of_status(status: int) -> ServiceError:
    """The error for an answer that something below the views made without our form."""
    known = (ErrorCode.NOT_FOUND, ErrorCode.METHOD_NOT_ALLOWED, ErrorCode.PRECONDITION_FAILED, ErrorCode.UNAVAILABLE)
    other = ErrorCode.BAD_REQUEST if status < HTTPStatus.INTERNAL_SERVER_ERROR else ErrorCode.INTERNAL_ERROR
    return ServiceError(next((code for code in known if code.status == status), other))

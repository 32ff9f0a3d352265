"""The one form of every JSON answer of the REST door, with the headers that all of them carry."""

import hashlib
from collections.abc import Mapping

import orjson
from django.http import HttpResponse

from apikeys.errors import ServiceError
from apikeys.http.requests import current_request_id

UNAVAILABLE_SECONDS = 5
"""When who was told that the service is unavailable may ask again."""
COMMON_HEADERS: Mapping[str, str] = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
_PACKED_HEADERS: Mapping[str, str] = {**COMMON_HEADERS, "Vary": "Authorization, Accept-Encoding"}
"""Of what Django answers, which is packed where the client accepts it: the same for each answer of an address, be it
too short to be packed, or a 304."""


def json_response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """JSON bytes with the common headers and a weak ETag: gzip changes the bytes on the wire, not their meaning."""
    return with_common_headers(HttpResponse(body, status=status, content_type="application/json", headers=headers))


def with_common_headers(response: HttpResponse) -> HttpResponse:
    """Set Cache-Control, Vary and, where there is a body, the weak ETag."""
    for name, value in _PACKED_HEADERS.items():
        response.headers[name] = value
    if response.content:
        response.headers["ETag"] = weak_etag(response.content)
    return response


def weak_etag(body: bytes) -> str:
    """The weak entity tag of these bytes."""
    return f'W/"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'


def error_body(error: ServiceError, request_id: str) -> bytes:
    """`error`, `detail` and the named details; failures of the service also carry `requestId`."""
    body = {"error": str(error.code), "detail": error.message, **error.details}
    if error.code.status >= 500:
        body["requestId"] = request_id
    return orjson.dumps(body, default=str)


def error_headers(error: ServiceError) -> dict[str, str]:
    """The headers that an error brings along: which key is wanted, or when to come back."""
    match error.code.status:
        case 401:
            return {"WWW-Authenticate": "Bearer"}
        case 503:
            return {"Retry-After": str(UNAVAILABLE_SECONDS)}
        case _:
            return {}


class ErrorResponse(HttpResponse):
    """The answer to a failed call; `error` tells the call log why."""

    def __init__(self, error: ServiceError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(
            error_body(error, current_request_id()),
            status=error.code.status,
            content_type="application/json",
            headers={**error_headers(error), **(headers or {})},
        )
        self.error = error
        with_common_headers(self)

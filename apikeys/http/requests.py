"""What a request is, before anyone looks at who sends it: its place, its id, its query."""

import re
import secrets
from functools import cache

import structlog
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest

from apikeys.errors import ErrorCode, ServiceError
from apikeys.keyformat import holds_secret

_API_ROOTS = frozenset({"api", "mcp", "openapi.json"})
UNKNOWN_PATH = "(unknown path)"
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def is_api_path(path: str) -> bool:
    """Whether every answer below this path, errors included, is JSON."""
    return path[1:].split("/", 1)[0] in _API_ROOTS


def sane_request_id(request_id: str | None) -> str:
    """The id that the client gave, if it is at most 64 of A–Z a–z 0–9 . _ - and holds nothing like a key; else a new
    random one."""
    if request_id and _SANE_ID.fullmatch(request_id) and not holds_secret(request_id):
        return request_id
    return secrets.token_hex(16)


def call_name(request: HttpRequest) -> str:
    """Method and template of the path, as the call log names it: `GET /api/v1/brands/{id}/runs`."""
    match = request.resolver_match
    return f"{request.method} {_template(match.route) if match else UNKNOWN_PATH}"


@cache
def _template(route: str) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)


def current_request_id() -> str:
    """The id of the request that this thread answers; empty outside of one."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def invalid_parameter(name: str, message: str) -> ServiceError:
    """The refusal of one query parameter, named (shortened) so that the client finds it."""
    return ServiceError(ErrorCode.INVALID_PARAMETER, message, parameter=name[:100])


def unknown_parameter(name: str, known: tuple[str, ...] = ()) -> ServiceError:
    """The refusal of a query parameter that the endpoint does not have."""
    return invalid_parameter(name, "This query parameter is unknown. " + _accepted(known))


def read_query(request: HttpRequest, *known: str) -> dict[str, str]:
    """The query parameters, each of them known and given at most once; raises invalid_parameter otherwise."""
    try:
        query = request.GET
    except TooManyFieldsSent:
        raise invalid_parameter("", "There are too many query parameters. " + _accepted(known)) from None
    for name, values in query.lists():
        if name not in known:
            raise unknown_parameter(name, known)
        if len(values) > 1:
            raise invalid_parameter(name, f"{name} is given {len(values)} times. Give it once.")
    return {name: query[name] for name in query}


def _accepted(known: tuple[str, ...]) -> str:
    return f"Accepted here: {', '.join(known)}." if known else "This endpoint takes none."

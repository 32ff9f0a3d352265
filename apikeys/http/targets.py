"""The first line of a request and its Host (RFC 9112, section 3), before anyone looks at what is asked. Pure."""

import re
from urllib.parse import unquote

from apikeys.errors import ErrorCode, ServiceError
from apikeys.http.asgi import Scope, header

_ABSOLUTE = re.compile(rb"https?://(?P<host>[A-Za-z0-9._~:\[\]-]+)(?P<path>/[^?#]*)?", re.IGNORECASE)

SPEAKS_NO_WEBSOCKET = "This service does not support WebSocket. Send a plain HTTP request without the Upgrade header."


def in_origin_form(scope: Scope) -> Scope:
    """The request with the path of its target, whose host takes the place of the header Host (section 3.2.2).

    A target of another form, and one that is no address of the web, stays as it is.
    """
    target = _ABSOLUTE.fullmatch(scope.get("raw_path") or b"")
    if target is None:
        return scope
    path = target["path"] or b"/"
    changed = {**scope, "path": unquote(path.decode("ascii")), "raw_path": path}
    if _names_host(scope) or scope["http_version"] == "1.0":
        others = [item for item in scope["headers"] if item[0].lower() != b"host"]
        changed["headers"] = [*others, (b"host", target["host"])]
    return changed


def refusal_of_form(scope: Scope) -> ServiceError | None:
    """Why the request cannot be served, whatever it asks for; None where it can."""
    if scope["type"] == "websocket" or "websocket" in header(scope, b"upgrade").lower():
        return _bad(SPEAKS_NO_WEBSOCKET)
    if scope.get("http_version") == "1.1" and not _names_host(scope):
        return _bad("An HTTP/1.1 request must name its host. Send the Host header.")
    if not scope["path"].startswith("/") and scope["path"] != "*":
        return _bad("The target is neither a path nor an address that begins with http://. Send one of them.")
    return None


def _names_host(scope: Scope) -> bool:
    return any(name.lower() == b"host" for name, _ in scope.get("headers", ()))


def _bad(message: str) -> ServiceError:
    return ServiceError(ErrorCode.BAD_REQUEST, message)

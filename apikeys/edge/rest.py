"""The base of the REST endpoints: the order of checks, the one form of answers and errors."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, ClassVar, cast

from django.core.exceptions import SuspiciousOperation, TooManyFieldsSent
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import MethodNotAllowed, NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from apikeys.accounts.caller import Caller
from apikeys.edge.http import COMMON_HEADERS, ErrorResponse, as_service_error, call_of, json_response, qualities_of
from apikeys.errors import ErrorCode, ServiceError, invalid_parameter
from apikeys.models import User
from apikeys.resources import Resource
from apikeys.scopes import Scope


class ApiKeyAuthentication(BaseAuthentication):
    """`request.user` is the key's owner, `request.auth` the caller. Without a working key the call is refused."""

    def authenticate(self, request: Request) -> tuple[User | None, Caller]:
        caller = call_of(request._request).authenticate()
        return caller.user, caller

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class AcceptNegotiation(BaseContentNegotiation):
    """By the header Accept alone (RFC 9110, 12.5.1): the most specific range decides, and q=0 refuses."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """None: no endpoint reads a body."""
        return None

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first renderer that the client accepts; raises NotAcceptable when it accepts none."""
        qualities = qualities_of(request.META.get("HTTP_ACCEPT", "").strip() or "*/*")
        for renderer in renderers:
            main = renderer.media_type.partition("/")[0]
            ranges = (renderer.media_type, f"{main}/*", "*/*", "*")
            if qualities.get(next((name for name in ranges if name in qualities), ""), 0) > 0:
                return renderer, renderer.media_type
        raise NotAcceptable


class ResourceViewSet(ViewSet):
    """A read-only endpoint. Subclasses name `required_scope` and write `list` or `retrieve`.

    The order of checks, after rate limit and route: method, key, plan, scope, Accept; then the action looks at the
    input, and the read at the visibility of the brand. A 304 comes only after all of them.
    """

    required_scope: ClassVar[Scope]
    http_method_names = ["get", "head", "options"]
    authentication_classes = [ApiKeyAuthentication]
    content_negotiation_class = AcceptNegotiation
    default_response_headers: ClassVar[dict[str, str]] = {}  # each answer brings its own
    caller: Caller

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """All checks before the input. DRF's own order would negotiate first and find the method wrong last."""
        self.format_kwarg = None
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request)
        if request.method == "OPTIONS":
            return
        self.perform_authentication(request)
        self.caller = cast(Caller, request.auth)
        self.caller.require_api_access()
        self.caller.require(self.required_scope)
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)

    def answer(self, request: Request, resource: Resource) -> HttpResponse:
        """The resource with its headers, or 304 when the client has it already."""
        response = json_response(resource.__pydantic_serializer__.to_json(resource, by_alias=True))
        conditional = get_conditional_response(request._request, etag=response.headers["ETag"], response=response)
        if conditional is not None and conditional.status_code == HTTPStatus.PRECONDITION_FAILED:
            raise ServiceError(ErrorCode.PRECONDITION_FAILED)
        return conditional or response

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """The methods of this path, to anyone."""
        return HttpResponse(status=204, headers={**COMMON_HEADERS, "Allow": ", ".join(self.allowed_methods)})


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> ErrorResponse:
    """The answer of the REST door to an exception; named in the settings."""
    match exc:
        case MethodNotAllowed():
            return ErrorResponse(
                ServiceError(ErrorCode.METHOD_NOT_ALLOWED), {"Allow": ", ".join(context["view"].allowed_methods)}
            )
        case NotAcceptable():
            return ErrorResponse(ServiceError(ErrorCode.NOT_ACCEPTABLE))
        case Http404():
            return ErrorResponse(ServiceError(ErrorCode.NOT_FOUND))
        case SuspiciousOperation():
            return ErrorResponse(ServiceError(ErrorCode.BAD_REQUEST))
    return ErrorResponse(as_service_error(exc))


def read_query(request: HttpRequest, *known: str) -> dict[str, str]:
    """The query parameters, each of them known and given at most once; raises invalid_parameter otherwise."""
    accepted = f"Accepted here: {', '.join(known)}." if known else "This endpoint takes none."
    try:
        query = request.GET
    except TooManyFieldsSent:
        raise invalid_parameter("", f"There are too many query parameters. {accepted}") from None
    for name, values in query.lists():
        if name not in known:
            raise invalid_parameter(name, f"This query parameter is unknown. {accepted}")
        if len(values) > 1:
            raise invalid_parameter(name, f"{name} is given {len(values)} times. Give it once.")
    return {name: query[name] for name in query}

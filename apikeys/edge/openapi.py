"""The OpenAPI description of the REST API and the page that shows it, to anyone, without a key."""

from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from typing import Any, Literal, TypeVar

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import View
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from apikeys.edge.http import COMMON_HEADERS, error_body, json_response
from apikeys.errors import ErrorCode, ServiceError, insufficient_scope, rate_limited
from apikeys.resources import Resource
from apikeys.scopes import Scope

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

EXAMPLE_REQUEST_ID = "5f0c9a4e1b7d4c2e8a6f3d2b1c0e9f8a"
EXAMPLE_ETAG = 'W/"6f1ed002ab5595859014ebf0951522d9"'
_BUILDING = Lock()


@method_decorator(csrf_exempt, name="dispatch")  # else a POST is refused for its token, not as a method
class PublicView(View):
    """A read-only address that needs no key."""

    http_method_names = ["get", "head", "options"]

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The methods of this path."""
        return HttpResponse(status=204, headers={**COMMON_HEADERS, "Allow": "GET, HEAD, OPTIONS"})


class DescriptionView(PublicView):
    """The same bytes at each address."""

    def get(self, request: HttpRequest) -> HttpResponse:
        response = json_response(description())
        return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


class DocumentationView(PublicView):
    """Swagger UI, from our own files and without inline script, as the content security policy wants it."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "api-docs.html")


def description() -> bytes:
    """The description as JSON, built once in each process: its endpoints change only with the code."""
    with _BUILDING:  # the generator changes what all threads see
        return _built()


@cache
def _built() -> bytes:
    return orjson.dumps(SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


def _only(description: str) -> Any:
    """A field that only some errors have: elsewhere it is absent, not null."""
    return Field(default=None, description=description, json_schema_extra=_without_default)


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


class Error(Resource):
    """Why a call was refused or failed."""

    error: Literal[
        "invalid_parameter",
        "bad_request",
        "missing_bearer_token",
        "invalid_api_key",
        "tier_disallows_api",
        "insufficient_scope",
        "not_found",
        "method_not_allowed",
        "not_acceptable",
        "precondition_failed",
        "rate_limited",
        "internal_error",
        "unavailable",
    ] = Field(description="stable code to branch on")
    detail: str = Field(description="what to do next, for a person")
    parameter: str | SkipJsonSchema[None] = _only("with invalid_parameter: its name")
    required_scope: str | SkipJsonSchema[None] = _only("with insufficient_scope: its name")
    request_id: str | SkipJsonSchema[None] = _only("on 500 and 503: quote it in a report")


class ResourceSchema(AutoSchema):
    """A list is a resource, too: an object with a name for its items, not a bare array."""

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False


class BearerKey(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The one security scheme: an API key as bearer token."""

    target_class = "apikeys.edge.rest.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key (bvs_live_…), issued by the operator with the scopes asked for.",
        }


def describe(
    *,
    operation: str,
    summary: str,
    scope: Scope,
    resource: type[Resource],
    example: Any,
    parameters: Sequence[OpenApiParameter] = (),
    invalid: ServiceError,
) -> Callable[[Endpoint], Endpoint]:
    """Describe one endpoint. `invalid` is the example of a refused parameter."""
    responses: dict[int, OpenApiResponse] = {
        200: OpenApiResponse(resource, summary, [OpenApiExample("example", value=example)]),
        304: OpenApiResponse(None, "If-None-Match names the current ETag."),
        400: _error(
            "A query parameter is not accepted, or the request is malformed.", invalid, ErrorCode.BAD_REQUEST
        ),
        401: _error("No working key was sent.", ErrorCode.MISSING_BEARER_TOKEN, ErrorCode.INVALID_API_KEY),
        403: _error(
            "The plan or the key does not allow it.", ErrorCode.TIER_DISALLOWS_API, insufficient_scope(scope)
        ),
        405: _error("A method other than GET, HEAD and OPTIONS.", ErrorCode.METHOD_NOT_ALLOWED),
        406: _error("Accept refuses application/json.", ErrorCode.NOT_ACCEPTABLE),
        412: _error("If-Match or If-Unmodified-Since does not hold.", ErrorCode.PRECONDITION_FAILED),
        429: _error("Too many requests from this address.", rate_limited(23)),
        500: _error("The service failed.", ErrorCode.INTERNAL_ERROR),
        503: _error("The service is briefly unavailable.", ErrorCode.UNAVAILABLE),
    }
    if any(parameter.location == OpenApiParameter.PATH for parameter in parameters):
        responses[404] = _error("The brand does not exist, or the key cannot see it.", ErrorCode.NOT_FOUND)
    return extend_schema(
        operation_id=operation,
        summary=summary,
        description=f"Needs the scope `{scope}`.",
        tags=["brands"],
        parameters=[*parameters, *_REQUEST_HEADERS, *_response_headers(sorted(responses))],
        responses=responses,
    )


def _error(description: str, *examples: ErrorCode | ServiceError) -> OpenApiResponse:
    errors = [ServiceError(each) if isinstance(each, ErrorCode) else each for each in examples]
    bodies = {str(error.code): orjson.loads(error_body(error, EXAMPLE_REQUEST_ID)) for error in errors}
    return OpenApiResponse(Error, description, [OpenApiExample(code, value=body) for code, body in bodies.items()])


def _header(name: str, statuses: list[int] | None, description: str, example: str) -> OpenApiParameter:
    """A header of the answers with these statuses; None: of the request."""
    schema = {"type": "string", "examples": [example]}
    response = {} if statuses is None else {"response": statuses}
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, description=description, **response)  # type: ignore[arg-type]


def _response_headers(statuses: list[int]) -> list[OpenApiParameter]:
    return [
        _header("X-Request-ID", statuses, "the client's own if it was sane, else a new one", EXAMPLE_REQUEST_ID),
        _header("Cache-Control", statuses, "kept by the client only, checked each time", "private, no-cache"),
        _header("Vary", statuses, "what the answer depends on", "Authorization, Accept-Encoding"),
        _header("ETag", statuses, "weak; send it back in If-None-Match", EXAMPLE_ETAG),
        _header("Content-Encoding", [200], "where accepted", "gzip"),
        _header("WWW-Authenticate", [401], "the scheme that is wanted", "Bearer"),
        _header("Allow", [405], "the methods of this path", "GET, HEAD, OPTIONS"),
        _header("Retry-After", [429, 503], "seconds until requests are accepted again", "23"),
        _header("RateLimit", statuses, "requests left, seconds until the budget is renewed", '"default";r=297;t=23'),
        _header("RateLimit-Policy", statuses, "requests allowed, in seconds", '"default";q=300;w=60'),
    ]


_REQUEST_HEADERS = (
    _header("If-None-Match", None, "an ETag received before", EXAMPLE_ETAG),
    _header("X-Request-ID", None, "up to 64 of A–Z a–z 0–9 . _ - that hold no key: returned and logged", "report-7"),
)


def without_titles(result: dict[str, Any], **context: object) -> dict[str, Any]:
    """Drop the titles that Pydantic makes of field names: they say nothing that the names do not."""
    for component in result["components"]["schemas"].values():
        component.pop("title", None)
        for field in component.get("properties", {}).values():
            field.pop("title", None)
    return result

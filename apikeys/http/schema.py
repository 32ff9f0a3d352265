"""What all endpoints share in the OpenAPI description: the bearer scheme, the errors, the headers."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from apikeys.errors import (
    ServiceError,
    insufficient_scope,
    invalid_api_key,
    missing_bearer_token,
    not_found,
    rate_limited,
    tier_disallows_api,
)
from apikeys.http.exceptions import (
    bad_request,
    internal_error,
    method_not_allowed,
    not_acceptable,
    precondition_failed,
    unavailable,
)
from apikeys.resources import Resource
from apikeys.scopes import Scope

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

EXAMPLE_REQUEST_ID = "5f0c9a4e1b7d4c2e8a6f3d2b1c0e9f8a"


def _only(description: str) -> Any:
    """A field that some errors carry; where it is absent it is not null, it is not there."""
    return Field(default=None, description=description, json_schema_extra=_drop_default)


def _drop_default(schema: dict[str, Any]) -> None:
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

    target_class = "apikeys.http.authentication.ApiKeyAuthentication"
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
    example: dict[str, Any],
    parameters: Sequence[OpenApiParameter] = (),
    invalid: ServiceError,
    brand: bool = True,
) -> Callable[[Endpoint], Endpoint]:
    """Describe one endpoint. `invalid` is the example of a refused parameter; `brand` whether it can be missing."""
    errors = _errors(scope, invalid)
    if not brand:
        del errors[404]
    responses: dict[int, OpenApiResponse] = {
        200: OpenApiResponse(resource, summary, [OpenApiExample("example", value=example)]),
        304: OpenApiResponse(None, "If-None-Match names the current ETag."),
        **errors,
    }
    return extend_schema(
        operation_id=operation,
        summary=summary,
        description=f"Needs the scope `{scope}`.",
        tags=["brands"],
        parameters=[*parameters, *_REQUEST_HEADERS, *_response_headers(list(responses))],
        responses=responses,
    )


def _errors(scope: Scope, invalid: ServiceError) -> dict[int, OpenApiResponse]:
    """Every refusal and failure of an endpoint, each with the body it sends."""
    return {
        400: _error("A query parameter is not accepted, or the request is malformed.", invalid, bad_request()),
        401: _error("No active key was sent.", missing_bearer_token(), invalid_api_key()),
        403: _error("The plan or the key does not allow the call.", tier_disallows_api(), insufficient_scope(scope)),
        404: _error("The brand does not exist, or the key cannot see it.", not_found()),
        405: _error("A method other than GET, HEAD and OPTIONS on this path.", method_not_allowed()),
        406: _error("Accept refuses application/json.", not_acceptable()),
        412: _error("If-Match or If-Unmodified-Since does not hold.", precondition_failed()),
        429: _error("Too many requests from this address.", rate_limited(23)),
        500: _error("The service failed.", internal_error()),
        503: _error("The service is briefly unavailable.", unavailable()),
    }


def _error(description: str, *errors: ServiceError) -> OpenApiResponse:
    return OpenApiResponse(
        Error, description, [OpenApiExample(str(error.code), value=_example(error)) for error in errors]
    )


def _example(error: ServiceError) -> dict[str, Any]:
    request_id = {"requestId": EXAMPLE_REQUEST_ID} if error.code.status >= 500 else {}
    return {"error": str(error.code), "detail": error.message, **error.details, **request_id}


def _response_headers(statuses: list[int]) -> list[OpenApiParameter]:
    """The headers of the answers, each with an example."""
    bodies = [status for status in statuses if status != 304]
    everywhere = [
        _header("X-Request-ID", statuses, "the client's own if it was sane, else a new one", EXAMPLE_REQUEST_ID),
        _header("Cache-Control", statuses, "kept by the client only, checked each time", "private, no-cache"),
        _header("Vary", statuses, "what the answer depends on", "Authorization, Accept-Encoding"),
    ]
    return [
        *everywhere,
        _header("ETag", statuses, "weak; send it back in If-None-Match", 'W/"6f1ed002ab5595859014ebf0951522d9"'),
        _header("Content-Encoding", [status for status in bodies if status == 200], "where accepted", "gzip"),
        _header("WWW-Authenticate", [401], "the scheme that is wanted", "Bearer"),
        _header("Allow", [405], "the methods of this path", "GET, HEAD, OPTIONS"),
        _header("Retry-After", [429, 503], "seconds until requests are accepted again", "23"),
        _header("RateLimit", statuses, "requests left, seconds until the budget is renewed", '"default";r=297;t=23'),
        _header("RateLimit-Policy", statuses, "requests allowed, in seconds", '"default";q=300;w=60'),
    ]


def _header(name: str, statuses: list[int], description: str, example: str) -> OpenApiParameter:
    schema = {"type": "string", "examples": [example]}
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, description=description, response=statuses)


def _request_header(name: str, description: str, example: str) -> OpenApiParameter:
    schema = {"type": "string", "examples": [example]}
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, description=description)


_REQUEST_HEADERS = (
    _request_header("If-None-Match", "an ETag received before", 'W/"6f1ed002ab5595859014ebf0951522d9"'),
    _request_header(
        "X-Request-ID", "up to 64 of A–Z a–z 0–9 . _ - that hold no key: returned and logged", "report-2026-11-20"
    ),
)


def without_titles(result: dict[str, Any], **context: object) -> dict[str, Any]:
    """Drop the titles that Pydantic makes of field names: they say nothing that the names do not."""
    for component in result["components"]["schemas"].values():
        _drop_titles(component)
    return result


def _drop_titles(schema: dict[str, Any]) -> None:
    schema.pop("title", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)

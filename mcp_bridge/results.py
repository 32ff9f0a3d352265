"""How results and errors of tools look on the wire."""

from collections.abc import Collection, Mapping
from typing import Any

import orjson
from pydantic.alias_generators import to_camel

from apikeys.db.written import Written
from apikeys.errors import ErrorCode, ServiceError
from apikeys.http.exceptions import as_service_error
from apikeys.http.requests import current_request_id
from apikeys.resources import FOR_AGENTS, Resource
from mcp_bridge.refusals import step_after
from visibility.resources.steps import written_step

_SOURCES = {
    "site_id": "list_sites gives the ids of its sites",
    "prompt_id": "list_prompts gives those of the prompts of a site",
    "run_id": "get_latest_scan gives that of the latest run of a site",
}
"""Where ids come from."""
COMPLETE = {"resultType": "complete"}


def written(resource: Resource | Written[Any]) -> str:
    """The resource as JSON for a model to read: words of others stand between marks. One that is written already has
    none."""
    if isinstance(resource, Written):
        return resource.json.decode()
    return resource.__pydantic_serializer__.to_json(resource, by_alias=True, context=FOR_AGENTS).decode()


def success(result: str) -> dict[str, Any]:
    """The result of a tool from its JSON: the same as text and as structured content."""
    return {
        "content": [{"type": "text", "text": result}],
        "structuredContent": orjson.loads(result),
        "isError": False,
        **COMPLETE,
    }


def failure(error: ServiceError) -> dict[str, Any]:
    """The result of a call that failed: no structured content, which clients would check against the schema."""
    body = {"error": {"code": str(error.code), "message": error.message, "details": error.details}}
    return {
        "content": [{"type": "text", "text": orjson.dumps(body, default=str).decode()}],
        "isError": True,
        "_meta": orjson.loads(orjson.dumps(body, default=str)),
        **COMPLETE,
    }


def tool_error(
    exc: Exception, prefix: str, argument_names: Collection[str], raw_arguments: Mapping[str, Any]
) -> ServiceError:
    """The error that agents see for `exc`, in the words of this door and with the step that leads on; what nobody
    expected is logged.

    `argument_names` are those of the tool: they tell which ids may have been wrong.
    """
    error = _in_words_of_this_door(as_service_error(exc), prefix, argument_names)
    if (step := step_after(error.code, error.details, raw_arguments)) is None:
        return error
    return ServiceError(error.code, error.message, **error.details, nextStep=written_step(step))


def _in_words_of_this_door(error: ServiceError, prefix: str, argument_names: Collection[str]) -> ServiceError:
    if error.code == ErrorCode.NOT_FOUND:
        sources = [f"{prefix}{source}" for name, source in _SOURCES.items() if name in argument_names]
        return ServiceError(
            ErrorCode.NOT_FOUND,
            "Nothing with this id was found that this key can see. "
            + ", ".join(sources or [f"{prefix}list_sites gives the ids of its sites"])
            + ".",
        )
    if error.code == ErrorCode.INVALID_ARGUMENTS and "argument" in error.details:
        return invalid_arguments_of_service(error)
    if error.code.status >= 500:
        return ServiceError(error.code, error.message, **error.details, requestId=current_request_id())
    return error


def invalid_arguments_of_service(error: ServiceError) -> ServiceError:
    """The refusal of one argument by a service, in the form that all refused arguments have."""
    path = to_camel(error.details["argument"])
    return ServiceError(error.code, error.message, arguments=[{"path": path, "problem": error.message}])

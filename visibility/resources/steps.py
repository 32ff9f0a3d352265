"""What a reader should do next, as data: the one call that leads on."""

from typing import Annotated, Any

from django.conf import settings
from pydantic import Field, PlainSerializer, SerializationInfo

from apikeys.resources import FOR_AGENTS, Resource
from apikeys.text.untrusted import marked

_PLAIN = frozenset(
    {
        "siteId",
        "runId",
        "promptId",
        "competitorId",
        "opportunityId",
        "ids",
        "answerIds",
        "status",
        "engine",
        "kind",
        "stage",
        "intent",
        "detail",
        "severity",
        "check",
    }
)
"""Arguments that hold ids and words of fixed lists. Texts of all others may be words of others, such as a topic."""


def _for_reader(arguments: dict[str, Any], info: SerializationInfo) -> dict[str, Any]:
    """For agents words of others stand between their marks; tools take them with the marks, as they were shown."""
    if info.context != FOR_AGENTS:
        return arguments
    return {name: value if name in _PLAIN else _marked(value) for name, value in arguments.items()}


def _marked(value: Any) -> Any:
    if isinstance(value, list):
        return [_marked(element) for element in value]
    return marked(value) if isinstance(value, str) and value else value


CallArguments = Annotated[dict[str, Any], PlainSerializer(_for_reader, return_type=dict[str, Any], when_used="json")]


class NextStep(Resource):
    """The call that leads on from here."""

    tool: str | None = Field(description="a tool by the name it is called by; null: no tool does it, `why` says who")
    arguments: CallArguments = Field(default={}, description="what to call it with, ready to be sent")
    why: str = Field(description="what it brings, in a sentence of the service's own")


def called(tool: str) -> str:
    """The tool by the name that it is called by."""
    return f"{settings.TOOL_PREFIX}{tool}"


def next_step(tool: str, why: str, **arguments: Any) -> NextStep:
    """The call of a tool, named without its prefix; `arguments` by their names at the door, ids as text."""
    return NextStep(tool=called(tool), arguments=arguments, why=why)


def written_step(step: Resource) -> dict[str, Any]:
    """The step, or what holds one, as JSON for agents: words of others among its arguments are in their marks."""
    return step.model_dump(mode="json", by_alias=True, context=FOR_AGENTS)


def by_people(why: str) -> NextStep:
    """A step that no tool takes: `why` says who takes it and how."""
    return NextStep(tool=None, why=why)


class Missing(Resource):
    """What a result does not tell, why, and what would bring it."""

    part: str = Field(description="the part of the result")
    reason: str = Field(description="a code: of the part itself where it has one, such as cannot_detect")
    next_step: NextStep

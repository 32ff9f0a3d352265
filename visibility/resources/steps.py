"""What a reader should do next, as data: the one call that leads on."""

from typing import Any

from django.conf import settings
from pydantic import Field

from apikeys.resources import Resource


class NextStep(Resource):
    """The call that leads on from here."""

    tool: str | None = Field(description="a tool by the name it is called by; null: no tool does it, `why` says who")
    arguments: dict[str, Any] = Field(default={}, description="what to call it with, ready to be sent")
    why: str = Field(description="what it brings, in a sentence of the service's own")


def called(tool: str) -> str:
    """The tool by the name that it is called by."""
    return f"{settings.TOOL_PREFIX}{tool}"


def next_step(tool: str, why: str, **arguments: Any) -> NextStep:
    """The call of a tool, named without its prefix; `arguments` by their names at the door, ids as text."""
    return NextStep(tool=called(tool), arguments=arguments, why=why)


def by_people(why: str) -> NextStep:
    """A step that no tool takes: `why` says who takes it and how."""
    return NextStep(tool=None, why=why)


class Missing(Resource):
    """What a result does not tell, why, and what would bring it."""

    part: str = Field(description="the part of the result")
    reason: str = Field(description="a code: of the part itself where it has one, such as cannot_detect")
    next_step: NextStep

"""The base of every resource: one typed definition that REST, tools and exports share."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, PlainSerializer, SerializationInfo, WithJsonSchema
from pydantic.alias_generators import to_camel

from apikeys.errors import rfc3339
from apikeys.text import marked

FOR_AGENTS = {"reader": "agent"}
"""The context in which resources are written for a model to read."""

Timestamp = Annotated[
    datetime,
    PlainSerializer(rfc3339, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}, mode="serialization"),
]


def for_reader(text: str, info: SerializationInfo) -> str:
    """Words of others as a resource writes them: between marks for agents."""
    return marked(text) if text and info.context == FOR_AGENTS else text


UntrustedText = Annotated[str, PlainSerializer(for_reader, return_type=str, when_used="json")]
"""Words that others wrote (answers, pages, prompts, names, topics, addresses): agents get them between marks."""


class Worded(str):
    """A sentence of ours, and the same with the words of others between marks, made when an agent reads it."""

    _marked: str | Callable[[], str]

    def __new__(cls, plain: str, marked: str | Callable[[], str] | None = None) -> "Worded":
        sentence = super().__new__(cls, plain)
        sentence._marked = plain if marked is None else marked
        return sentence

    @property
    def marked(self) -> str:
        """The same with the words of others between marks."""
        return self._marked if isinstance(self._marked, str) else self._marked()


Theirs = Callable[[str], str]
"""How a reader gets words of others: as they are, or between marks."""


def worded(write: Callable[[Theirs], str]) -> Worded:
    """A sentence of ours in both forms. `write` passes all words of others through its argument, and other sentences
    that are Worded."""
    return Worded(write(str), write(_for_agents))


def _for_agents(text: str) -> str:
    return text.marked if isinstance(text, Worded) else marked(text) if text else ""


def _worded(text: Worded, info: SerializationInfo) -> str:
    return text.marked if info.context == FOR_AGENTS else str(text)


WordedText = Annotated[
    Worded,
    InstanceOf(),
    PlainSerializer(_worded, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string"}),
]
"""A sentence of ours with words of others in it, which agents get between marks."""


class Resource(BaseModel):
    """camelCase outside, snake_case inside; built from model instances, dicts or keyword arguments."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, from_attributes=True
    )


class Quota(Resource):
    """How much of something the plan allows, and how much is used."""

    limit: int
    used: int
    resets_at: Timestamp | None = Field(default=None, description="null: never; remove some to make room")

"""What tools take: the bases of their arguments, and the refusal of what does not fit."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from apikeys.errors import ErrorCode, ServiceError
from apikeys.text.untrusted import unmarked
from visibility.models.prompts import MAX_TOPIC

A = TypeVar("A", bound="Arguments")

_WORDS = {
    "missing": "is required",
    "extra_forbidden": "is not an argument of this tool; leave it out",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "uuid_type": "must be an id, a UUID as tools return it",
    "uuid_parsing": "must be an id, a UUID as tools return it",
    "literal_error": "must be one of {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "string_too_short": "must have {min_length} or more characters",
    "string_too_long": "must have {max_length} or fewer characters",
    "too_short": "must have {min_length} or more items",
    "too_long": "must have {max_length} or fewer items",
    "value_error": "{error}",
}


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must consist of printable characters")
    return text


TopicName = Annotated[str, Field(min_length=1, max_length=MAX_TOPIC)]
IdempotencyKey = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_printable)]


class Arguments(BaseModel):
    """Arguments of a tool: camelCase names, no others, no conversion of types. Words of others may be given as a
    result showed them, between their marks."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel)

    @field_validator("*", mode="before")
    @classmethod
    def _without_marks(cls, argument: Any) -> Any:
        if isinstance(argument, list):
            return [unmarked(element) if isinstance(element, str) else element for element in argument]
        return unmarked(argument) if isinstance(argument, str) else argument


class SiteArguments(Arguments):
    """Arguments of a tool that is about one site."""

    site_id: UUID = Field(description="from {prefix}list_sites")


MAX_LIMIT = 500
"""Rows that a caller may ask for at once."""


class ListingArguments(Arguments):
    """Arguments of a tool whose result has a short form, which it gives unless all is asked for."""

    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT, description="rows at most; else what fits")
    detail: Literal["short", "full"] = Field(default="short", description="full: nothing is left out")

    @property
    def whole(self) -> bool:
        """Whether the result is wanted whole."""
        return self.detail == "full"


class SiteListingArguments(ListingArguments, SiteArguments):
    """Arguments of a tool that is about one site and has a short form."""


class TopicArguments(SiteListingArguments):
    """Arguments of a tool that is about one site, or one of its topics."""

    topic: TopicName | None = Field(default=None, description="only this topic, by its name in any result")


class CreatingArguments(Arguments):
    """Arguments of a tool that creates something: a repeated call has no second effect."""

    idempotency_key: IdempotencyKey | None = Field(
        default=None, description="your name for this call; repeated within 90 days, it returns the first result"
    )

    def canonical(self) -> bytes:
        """The arguments without the key, in one form however they were written: defaults are left out."""
        arguments = self.model_dump(mode="json", by_alias=True, exclude={"idempotency_key"}, exclude_defaults=True)
        return json.dumps(arguments, sort_keys=True, ensure_ascii=False).encode()


def parse(model: type[A], raw_arguments: Mapping[str, Any]) -> A:
    """The arguments, checked; raises invalid_arguments with the path of each one that does not fit."""
    try:
        return model.model_validate_json(json.dumps(raw_arguments))
    except RecursionError:
        raise invalid_arguments({"": "are nested too deeply"}) from None
    except ValidationError as refusal:
        raise invalid_arguments({_path(error["loc"]): _problem(error) for error in refusal.errors()}) from None


def invalid_arguments(problems: Mapping[str, str]) -> ServiceError:
    """The refusal of arguments: what is wrong, by the path of each."""
    listed = "; ".join(f"{path or 'arguments'} {problem}" for path, problem in problems.items())
    return ServiceError(
        ErrorCode.INVALID_ARGUMENTS,
        f"{listed.removesuffix('.')}. Correct this and call again; tools/list gives the schema.",
        arguments=[{"path": path, "problem": problem} for path, problem in problems.items()],
    )


def _path(location: tuple[int | str, ...]) -> str:
    """`aliases[2]` for ("aliases", 2), at most 100 characters: names that callers make up may be long."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in location]
    return "".join(parts).removeprefix(".")[:100]


def _problem(error: ErrorDetails) -> str:
    words = _WORDS.get(error["type"], "is not accepted")
    return words.format(**error.get("ctx", {}))

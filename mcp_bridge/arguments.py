"""The base classes of tools' arguments, and the refusal of arguments that do not fit."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    field_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from apikeys.errors import ErrorCode, ServiceError
from apikeys.text import echoed, unmarked
from visibility.models.prompts import LONGEST_TOPIC

A = TypeVar("A", bound="Arguments")

MAX_LIMIT = 500
FREE_TEXT = ("topic", "persona")
FIRST_YEAR, LAST_YEAR = 1970, 2100
_SHOWN_PATH = 100
_PROBLEMS = {
    "missing": "is required",
    "extra_forbidden": "is no argument of this tool; it takes {known}",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "uuid_type": "must be an id (UUID) that a tool returned, never a name",
    "uuid_parsing": "must be an id (UUID) that a tool returned, never a name",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "string_too_short": "must have {min_length} or more characters",
    "string_too_long": "must have {max_length} or fewer characters",
    "too_short": "must have {min_length} or more items",
    "too_long": "must have {max_length} or fewer items",
    "value_error": "{error}",
}


def _plain(argument: Any) -> Any:
    if not isinstance(argument, str):
        return argument
    if "\0" in argument:  # PostgreSQL has no such text
        raise ValueError("contains the character U+0000, which no text has")
    return unmarked(argument)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must consist of printable characters")
    return text


def _day(moment: Any) -> Any:
    """The UTC day of a day or time in ISO 8601, or of milliseconds since 1970."""
    try:
        if type(moment) is int or (isinstance(moment, str) and moment.isdecimal()):
            parsed = datetime.fromtimestamp(int(moment) / 1000, UTC)
        else:
            parsed = datetime.fromisoformat(moment)
        day = (parsed.astimezone(UTC) if parsed.tzinfo else parsed).date()
    except (TypeError, ValueError, OverflowError, OSError):
        day = date.min
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"must be a day from {FIRST_YEAR} to {LAST_YEAR} such as 2026-11-01, or epoch milliseconds")
    return day


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": ["integer", "string"]})]
IdempotencyKey = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_printable)]
TopicName = Annotated[str, Field(min_length=1, max_length=LONGEST_TOPIC)]


class Arguments(BaseModel):
    """Arguments of a tool: camelCase names, no others, no conversion of types. Text by others may be handed back as a
    result showed it, between its marks."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel)

    @field_validator("*", mode="before")
    @classmethod
    def _without_marks(cls, argument: Any) -> Any:
        return [_plain(element) for element in argument] if isinstance(argument, list) else _plain(argument)

    def again(self, *without: str) -> dict[str, Any]:
        """The arguments for a further call, those by these names left out; free text is between marks."""
        given = self.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={*without})
        return {name: echoed(each) if name in FREE_TEXT else each for name, each in given.items()}


class SiteArguments(Arguments):
    """Of a tool that is about one site."""

    site_id: UUID = Field(description="id of a site, from {prefix}list_sites")


class PromptArguments(Arguments):
    """Of a tool that is about one prompt."""

    prompt_id: UUID = Field(description="id of a prompt, from {prefix}list_prompts")


class Listing(Arguments):
    """Of a tool whose result is short unless everything is asked for."""

    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT, description="rows at most; default: what fits")
    detail: Literal["short", "full"] = "short"

    @property
    def is_full(self) -> bool:
        """Whether nothing is to be left out."""
        return self.detail == "full"


class SiteListing(SiteArguments, Listing):
    """Of a tool that lists something of one site."""


class Creating(Arguments):
    """Of a tool that creates something: a repeated call has no second effect."""

    idempotency_key: IdempotencyKey | None = Field(
        default=None, description="name of this call; a repeat with it returns the first result, for 90 days"
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
        fields = sorted(model.model_fields.values(), key=lambda field: not field.is_required())
        known = ", ".join(str(field.alias) for field in fields) or "none"
        problems = {_path(error["loc"]): _problem(error, known) for error in refusal.errors()}
        raise invalid_arguments(problems) from None


def invalid_arguments(problems: Mapping[str, str]) -> ServiceError:
    """The refusal of arguments: what would be right, by the path of each."""
    listed = "; ".join(f"{path or 'The arguments'} {problem}" for path, problem in problems.items())
    return ServiceError(
        ErrorCode.INVALID_ARGUMENTS,
        f"{listed.removesuffix('.')}. Correct this and call again.",
        arguments=[{"path": path, "problem": problem} for path, problem in problems.items()],
    )


def _path(location: Iterable[int | str]) -> str:
    """`aliases[2]` for ("aliases", 2), shortened, as callers may make up long names; without the branches of unions
    that follow the name, which callers do not know."""
    name, *inside = location or ("",)
    return f"{name}{''.join(f'[{part}]' for part in inside if isinstance(part, int))}"[:_SHOWN_PATH]


def _problem(error: ErrorDetails, known: str) -> str:
    words = _PROBLEMS.get(error["type"], "is not accepted")
    return words.format(**error.get("ctx", {}), known=known)

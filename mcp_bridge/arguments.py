"""The base classes of tools' arguments, and the refusal of arguments that do not fit."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from difflib import get_close_matches
from itertools import islice
from operator import eq
from typing import Annotated, Any, Literal, TypeVar, get_args
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
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
FREE_TEXT = {
    *("topic", "persona", "untracked", "name", "domain", "aliases", "description", "wording", "instruction", "reply"),
}
FIRST_YEAR, LAST_YEAR = 1970, 2100
_SHOWN_PATH = 100
_MOST_UNKNOWN = 100
_CLOSE = 0.78
"""How much of two names is the same (difflib's ratio) where one is a slip of the other: `limt` and `limit`."""
_LEAST_LETTERS = 4
"""Of a name that can be misspelled: `top` is no `to`."""
_WHOLE_NUMBER = re.compile(r"\s*([+-]?\d{1,18})(\.0*)?\s*")
_TRUTHS = {"true": True, "false": False}
_PROBLEMS = {
    "missing": "is required",
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


def _echoed(argument: Any) -> Any:
    return [echoed(each) for each in argument] if isinstance(argument, list) else echoed(argument)


def _typed(argument: Any, kinds: Iterable[Any]) -> Any:
    """The number or truth that a text or a float stands for, where one of the kinds is int or bool."""
    if isinstance(argument, str | float) and int in kinds and (whole := _WHOLE_NUMBER.fullmatch(str(argument))):
        return int(whole[1])
    if isinstance(argument, str) and bool in kinds:
        return _TRUTHS.get(argument.strip().lower(), argument)
    return argument


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must consist of printable characters")
    return text


def _day(moment: Any) -> Any:
    """The UTC day of a day or time in ISO 8601, or of milliseconds since 1970."""
    try:
        if type(moment) in (int, float) or (isinstance(moment, str) and moment.isdecimal()):
            parsed = datetime.fromtimestamp(int(moment) / 1000, UTC)
        else:
            parsed = datetime.fromisoformat(moment)
        day = (parsed.astimezone(UTC) if parsed.tzinfo else parsed).date()
    except (TypeError, ValueError, OverflowError, OSError):
        day = date.min
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"must be a day from {FIRST_YEAR} to {LAST_YEAR} such as 2026-11-01, or epoch milliseconds")
    return day


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string"})]
IdempotencyKey = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_printable)]
TopicName = Annotated[str, Field(min_length=1, max_length=LONGEST_TOPIC)]


class Arguments(BaseModel):
    """Arguments of a tool, with camelCase names. Numbers and truths may be texts; null, and an empty text of what is
    optional, mean left out. Text by others may be handed back as a result showed it, between its marks."""

    model_config = ConfigDict(strict=True, frozen=True, alias_generator=to_camel)

    _ignored: list[str] = PrivateAttr([])

    @property
    def ignored(self) -> list[str]:
        """What the caller gave and the tool does not have, by its names."""
        return self._ignored

    @classmethod
    def names(cls) -> list[str]:
        """As callers write them."""
        return [str(field.alias) for field in cls.model_fields.values()]

    @field_validator("*", mode="before")
    @classmethod
    def _read(cls, argument: Any, info: ValidationInfo) -> Any:
        name = str(info.field_name)
        field = cls.model_fields[name]
        # An empty idempotency key is a slip: without one the call would be done again.
        is_empty = argument == "" and field.default is None and name != "idempotency_key"
        if is_empty or (argument is None and not field.is_required()):
            return field.get_default(call_default_factory=True)
        if isinstance(argument, list):
            return [_plain(element) for element in argument]
        return _typed(_plain(argument), get_args(field.annotation) or (field.annotation,))

    def again(self, *without: str) -> dict[str, Any]:
        """The arguments for a further call, those by these names left out; free text is between marks."""
        given = self.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={*without})
        return {name: _echoed(each) if name in FREE_TEXT else each for name, each in given.items()}


class SiteArguments(Arguments):
    """Of a tool that is about one site."""

    site_id: UUID = Field(description="from {prefix}list_sites")


class PromptArguments(Arguments):
    """Of a tool that is about one prompt."""

    prompt_id: UUID = Field(description="from {prefix}list_prompts")


class Listing(Arguments):
    """Of a tool whose result is short unless everything is asked for."""

    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT, description="rows at most")
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
        default=None, description="a repeat with the same key returns the first result, for 90 days"
    )
    dry_run: bool = Field(default=False, description="true: only tell what it would do and spend")

    def canonical(self) -> bytes:
        """The arguments without the key, in one form however they were written: defaults are left out."""
        arguments = self.model_dump(mode="json", by_alias=True, exclude={"idempotency_key"}, exclude_defaults=True)
        return json.dumps(arguments, sort_keys=True, ensure_ascii=False).encode()


def parse(model: type[A], raw_arguments: Mapping[str, Any]) -> A:
    """The arguments, checked; names that the tool does not have are passed over and noted in `ignored`.

    Raises invalid_arguments with the path of each argument that does not fit, and of each name that is a slip for
    one that the tool has.
    """
    names = model.names()
    given = {name: raw_arguments[name] for name in names if name in raw_arguments}
    wrong_names = {
        _path((name,)): f"is no argument of this tool; write {right}" for name, right in slips(model, raw_arguments)
    }
    try:
        arguments = model.model_validate_json(json.dumps(given))
    except RecursionError:
        raise invalid_arguments({"": "are nested too deeply"}) from None
    except ValidationError as refusal:
        problems = {_path(error["loc"]): _problem(error) for error in refusal.errors()}
        raise invalid_arguments(wrong_names | problems) from None
    if wrong_names:
        raise invalid_arguments(wrong_names)
    arguments._ignored = [name for name in raw_arguments if name not in names]
    return arguments


def slips(model: type[Arguments], raw_arguments: Iterable[str]) -> list[tuple[str, str]]:
    """The unknown names among the arguments that mean one which the tool has, each with that one."""
    names = model.names()
    unknown = islice((name for name in raw_arguments if name not in names), _MOST_UNKNOWN)
    meant = ((name, _meant(name[:_SHOWN_PATH], names)) for name in unknown)
    return [(name, right) for name, right in meant if right]


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


def _problem(error: ErrorDetails) -> str:
    return _PROBLEMS.get(error["type"], "is not accepted").format(**error.get("ctx", {}))


def _meant(unknown: str, names: Iterable[str]) -> str | None:
    """The name that an unknown one was to be: written otherwise (`site_id`), with other words behind the first
    (`fromDate`, `site`), or misspelled (`limt`, `form`)."""
    words = _words(unknown)
    letters = "".join(words)
    for name in names if words else ():
        known = _words(name)
        if all(map(eq, words, known)) or sorted(letters) == sorted("".join(known)):
            return name
    by_letters = {"".join(_words(name)): name for name in names if len(name) >= _LEAST_LETTERS}
    return next((by_letters[each] for each in get_close_matches(letters, by_letters, n=1, cutoff=_CLOSE)), None)


def _words(name: str) -> list[str]:
    """`site`, `id` of siteId, site_id and SITE-ID."""
    return [word.lower() for word in re.findall("[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]

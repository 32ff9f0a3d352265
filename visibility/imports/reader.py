"""The rows of a file of answers, checked one at a time, so that a file of any size is read in little memory."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import IO, Annotated, Any

from django.utils.translation import gettext
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)

from apikeys.text import UNSTORABLE, clean, storable
from visibility.imports.citations import field_of_sources, links_in, sources_in
from visibility.imports.exports import EXPORTS
from visibility.imports.tables import BadLine, PassedOver, Record, records
from visibility.imports.values import COUNTRY_FIELDS, LOCALE_FIELDS, engine_name, locale_and_country, moment
from visibility.models import Surface
from visibility.models.prompts import LONGEST_PROMPT, LONGEST_TOPIC

LONGEST_ANSWER = 1_000_000
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
GIVEN_SURFACES = {
    "api": Surface.API_IMPORTED,
    "app": Surface.APP,
    "web": Surface.APP,
    "imported": Surface.IMPORTED,
}
"""What a file may say of where an answer was taken. What an API gave to others is not pooled with our own asking."""


def one_line(value: Any) -> Any:
    """A text without line breaks and invisible characters."""
    return " ".join(clean(value).split()) if isinstance(value, str) else value


def checked_text(text: str) -> str:
    """A text that can be stored as it is. Raises ValueError."""
    if found := UNSTORABLE.search(text):
        raise ValueError(
            gettext("contains the character U+{code}, which cannot be stored; remove it").format(
                code=f"{ord(found[0]):04X}"
            )
        )
    return text.replace("\r\n", "\n")


def _plausible(moment: datetime) -> datetime:
    if not EARLIEST <= moment <= datetime.now(UTC) + timedelta(days=1):
        raise ValueError(gettext("is before the year 2000 or in the future"))
    return moment.astimezone(UTC)


def _moment(value: Any, info: ValidationInfo) -> Any:
    return moment(value, info.context)


def _absent_without_text(absent: bool, info: ValidationInfo) -> bool:
    if absent and info.data.get("text", "").strip():
        raise ValueError(gettext("says that no AI answer was shown, and there is a text; leave one of them empty"))
    return absent


def _surface(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    name = value.strip().lower()
    if name not in GIVEN_SURFACES and name not in (Surface.API_IMPORTED, Surface.PAGES):  # as exports write them
        raise ValueError(gettext("“{text}” is unknown; give app (or web), api or imported").format(text=value[:50]))
    return GIVEN_SURFACES.get(name, name)


class ImportedSource(BaseModel):
    """A source as the file gives it."""

    url: str
    title: Annotated[str, BeforeValidator(one_line), Field(max_length=1_000)] = ""


class ImportedAnswer(BaseModel):
    """An answer that was captured elsewhere: one record of the file.

    `locale` is BCP 47, `country` two letters. `absent`: no AI answer was shown, so that it has no text. `has_links`:
    its citations are the links of its text. `unread` names the fields that hold something and that nobody reads.
    """

    model_config = ConfigDict(frozen=True)

    prompt: Annotated[str, BeforeValidator(one_line), Field(min_length=1, max_length=LONGEST_PROMPT)]
    engine: Annotated[str, BeforeValidator(engine_name)]
    sample: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    time: Annotated[AwareDatetime, BeforeValidator(_moment), AfterValidator(_plausible)]
    text: Annotated[str, Field(max_length=LONGEST_ANSWER), AfterValidator(checked_text)]
    citations: Annotated[list[ImportedSource], Field(max_length=1_000)] = []
    topic: Annotated[str, BeforeValidator(one_line), Field(max_length=LONGEST_TOPIC)] = ""
    surface: Annotated[Surface | None, BeforeValidator(_surface)] = None
    locale: str = ""
    country: str = ""
    absent: Annotated[bool, AfterValidator(_absent_without_text)] = False
    has_links: bool = False
    unread: frozenset[str] = frozenset()


_READ = frozenset(("prompt", "engine", "sample", "time", "text", "topic", "surface", "absent"))
_PLACES = frozenset((*COUNTRY_FIELDS, *LOCALE_FIELDS))


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is to be read: the zone of times that state none, columns by the field that they hold, and the
    export whose form it has (empty: a table of our own)."""

    zone: tzinfo | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    export: str = ""


def read_answers(file: IO[str], reading: Reading | None = None) -> Iterator[ImportedAnswer | BadLine | PassedOver]:
    """The answers of a file in its order, bad lines and what is passed over in their places."""
    reading = reading or Reading()
    export = EXPORTS.get(reading.export)
    found = export.records(file) if export else records(file, ImportedAnswer, reading.columns, {"text": "absent"})
    part = export.part if export else "line"
    for number, record in found:
        if isinstance(record, BadLine | PassedOver):
            yield record
            continue
        try:
            yield _answer(record, reading.zone)
        except ValidationError as error:
            yield BadLine(number, first_problem(error), part)
        except ValueError as error:
            yield BadLine(number, str(error), part)


def _answer(record: Record, zone: tzinfo | None) -> ImportedAnswer:
    """A record as an answer. Raises ValueError and ValidationError."""
    given: Record = {name: value for name, value in record.items() if name in _READ and value not in (None, "")}
    given["text"] = "" if record.get("text") is None else record["text"]
    given["locale"], given["country"] = locale_and_country(record)
    named = field_of_sources(record)
    sources = sources_in(record[named], named) if named else []
    if not sources and isinstance(given["text"], str):
        sources = links_in(given["text"])
        given["has_links"] = bool(sources)
    given["citations"] = [{"url": url, "title": storable(title)[:1_000]} for url, title in sources]
    left = (name for name, value in record.items() if value not in (None, "", [], {}))
    given["unread"] = frozenset(name for name in left if name not in _READ | _PLACES | {named, "citations"})
    return ImportedAnswer.model_validate(given, context=zone)


def first_problem(error: ValidationError) -> str:
    """What is wrong with a record, and with which of its fields."""
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(map(str, problem["loc"]))
    if problem["type"] == "missing":
        return gettext("{place}: is empty").format(place=place)
    return f"{place}: {problem['msg'].removeprefix('Value error, ')}"

"""JSON Lines and CSV to checked rows, one at a time, so that a file of any size is read in little memory."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import IO, Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from apikeys.text import UNSTORABLE, clean
from visibility.models import Surface
from visibility.models.prompts import LONGEST_PROMPT, LONGEST_TOPIC

LONGEST_LINE = 4 * 2**20
LONGEST_ANSWER = 1_000_000
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
GIVEN_SURFACES = {"api": Surface.API_IMPORTED, "app": Surface.APP, "imported": Surface.IMPORTED}
"""What a file may say of where an answer was taken. What an API gave to others is not pooled with our own asking."""
_URL_SEPARATOR = re.compile(r"[\s;]+(?=https?://)", re.IGNORECASE)
csv.field_size_limit(LONGEST_LINE)


def one_line(value: Any) -> Any:
    """A text without line breaks and invisible characters."""
    return " ".join(clean(value).split()) if isinstance(value, str) else value


def _engine_name(value: Any) -> Any:
    return "-".join(value.lower().split()) if isinstance(value, str) else value


def checked_text(text: str) -> str:
    """A text that can be stored as it is. Raises ValueError."""
    if found := UNSTORABLE.search(text):
        raise ValueError(f"contains the character U+{ord(found[0]):04X}, which cannot be stored; remove it")
    return text.replace("\r\n", "\n")


def _plausible(moment: datetime) -> datetime:
    if not EARLIEST <= moment <= datetime.now(UTC) + timedelta(days=1):
        raise ValueError("is before the year 2000 or in the future")
    return moment.astimezone(UTC)


def _list_of_sources(value: Any) -> Any:
    """The list in a CSV cell: JSON, or addresses between white space or semicolons."""
    if isinstance(value, str):
        value = value.strip("; \t\n")
        value = json.loads(value) if value.startswith("[") else [url for url in _URL_SEPARATOR.split(value) if url]
    if isinstance(value, list):
        return [{"url": item} if isinstance(item, str) else item for item in value]
    return value


class ImportedSource(BaseModel):
    """A source as the file gives it."""

    url: Annotated[str, Field(max_length=8_000)] = ""
    title: Annotated[str, BeforeValidator(one_line), Field(max_length=1_000)] = ""


class ImportedAnswer(BaseModel):
    """An answer that was captured elsewhere: one line of the file. Unknown fields are passed over."""

    model_config = ConfigDict(frozen=True)

    prompt: Annotated[str, BeforeValidator(one_line), Field(min_length=1, max_length=LONGEST_PROMPT)]
    engine: Annotated[str, BeforeValidator(_engine_name), Field(pattern=r"^[a-z0-9._-]{1,50}$")]
    sample: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    time: Annotated[AwareDatetime, AfterValidator(_plausible)]
    text: Annotated[str, Field(max_length=LONGEST_ANSWER), AfterValidator(checked_text)]
    citations: Annotated[list[ImportedSource], BeforeValidator(_list_of_sources), Field(max_length=1_000)] = []
    topic: Annotated[str, BeforeValidator(one_line), Field(max_length=LONGEST_TOPIC)] = ""
    surface: Surface | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be imported, by its number in the file (1 for the first), and why."""

    line: int
    reason: str


def read_answers(file: IO[str]) -> Iterator[ImportedAnswer | BadLine]:
    """The answers of a JSON Lines or CSV file (known by the first character), bad lines in their places."""
    for number, record in records(file, ImportedAnswer):
        if isinstance(record, BadLine):
            yield record
            continue
        given = {name: value for name, value in record.items() if value not in (None, "")}
        surface = given.get("surface")
        if isinstance(surface, str):
            given["surface"] = GIVEN_SURFACES.get(surface.strip().lower(), surface)
        try:
            yield ImportedAnswer.model_validate(given)
        except ValidationError as error:
            yield BadLine(number, first_problem(error))


def first_problem(error: ValidationError) -> str:
    """What is wrong with a record, and with which of its fields."""
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(map(str, problem["loc"]))
    return f"{place}: {problem['msg'].removeprefix('Value error, ')}"


def records(file: IO[str], shape: type[BaseModel]) -> Iterator[tuple[int, Mapping[str, Any] | BadLine]]:
    """The records of a JSON Lines or CSV file with the number of the line where each begins; a CSV file needs the
    columns that `shape` requires."""
    file.seek(0)
    first = file.read(1)
    while first.isspace() or first == "\ufeff":
        first = file.read(1)
    file.seek(0)
    if first == "[":
        yield 1, BadLine(1, "the file is one JSON array; write one object on each line (JSON Lines)")
    elif first == "{":
        yield from _json_records(file)
    elif first:
        yield from _csv_records(file, shape)


def _json_records(file: IO[str]) -> Iterator[tuple[int, Mapping[str, Any] | BadLine]]:
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), start=1):
        if not line.strip("\ufeff \t\r\n"):
            continue
        try:
            record = json.loads(line.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            yield number, BadLine(number, f"the line is not JSON ({error})")
            continue
        is_object = isinstance(record, dict)
        yield number, record if is_object else BadLine(number, "the line is not a JSON object")


def _csv_records(file: IO[str], shape: type[BaseModel]) -> Iterator[tuple[int, Mapping[str, Any] | BadLine]]:
    header = file.readline(LONGEST_LINE).removeprefix("\ufeff")
    delimiter = max((",", ";", "\t"), key=header.count)
    try:
        names = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter), [])]
    except csv.Error as error:
        yield 1, BadLine(1, f"the header of the CSV file cannot be read ({error})")
        return
    required = [name for name, field in shape.model_fields.items() if field.is_required()]
    if missing := [name for name in required if name not in names]:
        yield 1, BadLine(1, f"the header of the CSV file lacks {', '.join(missing)}")
        return
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    while True:
        number = reader.line_num + 2
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, BadLine(number, f"the record that begins here cannot be read ({error})")
            continue
        if len(cells) > len(names):
            yield number, BadLine(number, f"the record has {len(cells)} cells, and the header {len(names)}")
        elif any(cells):
            yield number, dict(zip(names, cells, strict=False))

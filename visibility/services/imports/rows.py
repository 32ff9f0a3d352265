"""One line of an imported file: what its fields may hold. Pure: no database, no settings."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from apikeys.text.storable import UNSTORABLE
from apikeys.text.untrusted import clean
from visibility.detection.text.closing import end_of_answer
from visibility.engines.adapters.local_search import is_local
from visibility.engines.protocol import Source
from visibility.engines.surfaces import MAX_GIVEN_NAME, STATED, Surface
from visibility.models.prompts import MAX_PROMPT, MAX_TOPIC
from visibility.pipeline.ask.storing import MAX_TEXT

MAX_CITATIONS = 1_000
MAX_URL = 8_000
MAX_TITLE = 1_000
MAX_SAMPLE = 1_000_000
REQUIRED = ("prompt", "engine", "time", "text")
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)

_ENGINE = re.compile(rf"[a-z0-9._-]{{1,{MAX_GIVEN_NAME}}}", re.ASCII)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?(?P<zone>Z|z|[+-]\d{2}:\d{2})?", re.ASCII)
_SAMPLE = re.compile(r"[0-9]{1,7}")
_URL_SEPARATOR = re.compile(r"(?<![\s;])[\s;]++(?=https?://)", re.IGNORECASE)
_URL = re.compile(r"https?://\S+", re.IGNORECASE)


class BadRow(ValueError):
    """A row that cannot be imported; its message says why and what to write instead."""


@dataclass(frozen=True, slots=True)
class ImportedAnswer:
    """An answer that was captured elsewhere. `time` is in UTC, `sample` counts from 1, `topic` may be empty.

    A citation without an address has an empty `url`; it is told of and not stored.
    """

    prompt: str
    engine: str
    sample: int
    time: datetime
    text: str
    citations: tuple[Source, ...] = ()
    topic: str = ""
    surface: Surface = Surface.IMPORTED


def parse_row(record: Mapping[str, Any], now: datetime, surface: Surface = Surface.IMPORTED) -> ImportedAnswer:
    """An imported answer from the fields of one line; `surface` is that of a line that states none. Raises BadRow."""
    for name in REQUIRED:
        if record.get(name) is None:
            raise BadRow(f"the field {name} is missing")
    return ImportedAnswer(
        prompt=_prompt(record["prompt"]),
        engine=_engine(record["engine"]),
        sample=_sample(record.get("sample")),
        time=_time(record["time"], now),
        text=_string(record["text"], "text", MAX_TEXT).replace("\r\n", "\n"),
        citations=tuple(_citations(record.get("citations"))),
        topic=_plain_line(record.get("topic") or "", "topic", MAX_TOPIC),
        surface=_surface(record.get("surface"), surface),
    )


def without_closing_lines(text: str) -> str:
    """The answer without the interface's own closing lines, which were copied along with it."""
    return text[: end_of_answer(text)]


def _string(value: object, name: str, limit: int) -> str:
    if not isinstance(value, str):
        raise BadRow(f"{name} is not a string")
    if len(value) > limit:
        raise BadRow(f"{name} has {len(value):,} characters; at most {limit:,} are accepted")
    if unstorable := UNSTORABLE.search(value):
        raise BadRow(f"{name} holds the character U+{ord(unstorable[0]):04X}, which cannot be stored; remove it")
    return value


def _one_line(value: str) -> str:
    return " ".join(value.split())


def _plain_line(value: object, name: str, limit: int) -> str:
    """The value on one line in the form that prompts are stored in, without invisible characters."""
    line = unicodedata.normalize("NFC", _one_line(clean(_string(value, name, MAX_TEXT))))
    return _string(line, name, limit)


def _prompt(value: object) -> str:
    prompt = _plain_line(value, "prompt", MAX_PROMPT)
    if not prompt:
        raise BadRow("prompt is empty")
    return prompt


def _engine(value: object) -> str:
    engine = "-".join(_string(value, "engine", 200).lower().split())
    if not _ENGINE.fullmatch(engine):
        raise BadRow(f"engine is not 1–{MAX_GIVEN_NAME} letters a–z, digits, '.', '_' or '-' (such as chatgpt)")
    if is_local(engine):
        raise BadRow(f"engine {engine} is this service's own; name the engine that gave the answer")
    return engine


def _surface(value: object, default: Surface) -> Surface:
    if value is None or value == "":
        return default
    stated = STATED.get(value.strip().lower()) if isinstance(value, str) else None
    if stated is None:
        raise BadRow(f"surface is none of {', '.join(STATED)}; leave it out where nobody knows it")
    return stated


def _sample(value: object) -> int:
    if value is None or value == "":
        return 1
    if isinstance(value, str) and _SAMPLE.fullmatch(value.strip()):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_SAMPLE:
        raise BadRow(f"sample is not a whole number from 1 to {MAX_SAMPLE:,}")
    return value


def _time(value: object, now: datetime) -> datetime:
    text = _string(value, "time", 100).strip()
    match = _TIME.fullmatch(text)
    if match is None:
        raise BadRow("time is not RFC 3339; write it like 2025-05-24T15:56:04Z")
    if match["zone"] is None:
        raise BadRow("time has no zone; add Z for UTC or an offset such as +02:00")
    try:
        moment = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRow("time names a day or an hour that does not exist") from None
    if not EARLIEST <= moment <= now + timedelta(days=1):
        raise BadRow("time is before the year 2000 or in the future")
    return moment


def _citations(value: object) -> Sequence[Source]:
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        value = _citations_in_cell(value.strip())
    if not isinstance(value, list):
        raise BadRow("citations is not a list of URLs or of objects with a url")
    if len(value) > MAX_CITATIONS:
        raise BadRow(f"citations has {len(value):,} entries; at most {MAX_CITATIONS:,} are accepted")
    return [_source(citation) for citation in value]


def _citations_in_cell(value: str) -> list[Any]:
    """The citations of a CSV cell: a JSON list, or URLs between white space or semicolons."""
    if value.startswith("["):
        try:
            parsed = orjson.loads(value)
        except orjson.JSONDecodeError:
            raise BadRow("citations begins like a JSON list but is not one") from None
        if not isinstance(parsed, list):
            raise BadRow("citations begins like a JSON list but is not one")
        return parsed
    urls = _URL_SEPARATOR.split(value.strip("; \t\n"))
    for url in urls:
        if url and not _URL.fullmatch(url):
            raise BadRow(f"citations holds {url[:60]!r}, which is not an http or https URL")
    return [url for url in urls if url]


def _source(value: object) -> Source:
    if isinstance(value, str):
        return Source(url=_string(value, "a citation", MAX_URL).strip())
    if not isinstance(value, dict):
        raise BadRow("a citation is neither a URL nor an object with a url")
    url = _string(value.get("url") or "", "the url of a citation", MAX_URL).strip()
    title = _string(value.get("title") or "", "the title of a citation", MAX_TEXT)
    return Source(url=url, title=_one_line(title)[:MAX_TITLE])

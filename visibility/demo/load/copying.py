"""Copies of a measured brand: the same rows under other ids, in which other names stand for the pattern's."""

import hashlib
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from uuid import UUID

import orjson
from django.core.management.color import no_style
from django.db import connection, models, transaction

from apikeys.models import User
from brands.models import Brand
from visibility.demo.load.inventing import World
from visibility.demo.load.patterns import Rows, is_uuid, target_of, values_for_database
from visibility.measured.names import Vocabulary
from visibility.models import Answer, Citation, DayCount, Generation, Panel, Prompt, PromptVersion
from visibility.services.prompts.editing import prompt_digest

Exchange = Callable[[Any], Any]
_ID_OR_DIGEST = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}"
_VERSION_BITS = (0xF << 76) | (0x3 << 62)
"""What an id says of how it was made, which stays."""


class Numbers:
    """The next free primary key of each table that counts its rows."""

    def __init__(self) -> None:
        self._next: dict[type[models.Model], int] = {}

    def taken(self, model: type[models.Model], old: Sequence[int]) -> Mapping[int, int]:
        """New numbers for these, in the same order."""
        first = self._next.get(model) or (model._base_manager.aggregate(last=models.Max("pk"))["last"] or 0) + 1
        self._next[model] = first + len(old)
        return dict(zip(old, range(first, first + len(old)), strict=True))

    def keep(self) -> None:
        """Let the database go on counting behind them."""
        statements = connection.ops.sequence_reset_sql(no_style(), list(self._next))
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A measured brand of a world, ready to be copied."""

    world: World
    tables: Sequence[Rows]
    urls: Sequence[str]
    """Addresses that its answers cite."""


def pattern_of(world: World, tables: Sequence[Rows]) -> Pattern:
    """The rows of a measured brand, ready to be copied."""
    cited = [
        row[rows.fields.index(rows.model._meta.get_field("url"))]
        for rows in tables
        if rows.model is Citation
        for row in rows.values
    ]
    return Pattern(world, tables, sorted(set(cited)))


@transaction.atomic
def copy(pattern: Pattern, world: World, owner: User, dice: random.Random, numbers: Numbers) -> None:
    """Store a copy of the brand for the owner, with the names of another world."""
    exchange = _Exchange(pattern, world, owner, dice, numbers)
    for rows in pattern.tables:
        _store(rows, values_for_database(rows, exchange.rows(rows)))


class _Exchange:
    """What stands in a copy for what stands in the pattern."""

    def __init__(self, pattern: Pattern, world: World, owner: User, dice: random.Random, numbers: Numbers) -> None:
        self._mask = dice.getrandbits(128) & ~_VERSION_BITS
        self._owner = owner.pk
        self._salt = f"{self._mask:x}"
        pairs = zip(pattern.world.names, world.names, strict=True)
        self._words = {old: new for pair in pairs for old, new in (pair, tuple(map(str.lower, pair)))}
        names = "|".join(self._words)
        self._name = re.compile(names)
        self._any = re.compile(f"{names}|{_ID_OR_DIGEST}")
        self._numbers = {rows.model: numbers.taken(rows.model, rows.ids()) for rows in pattern.tables if rows.ids()}
        self._words |= {_sha256(url): _sha256(self._name.sub(self._word, url)) for url in pattern.urls}

    def rows(self, rows: Rows) -> Iterator[list[Any]]:
        """The rows of the copy."""
        exchanges = [self._of(rows.model, field) for field in rows.fields]
        after = _AFTER.get(rows.model)
        for row in rows.values:
            values = [
                value if exchange is None or value is None else exchange(value)
                for exchange, value in zip(exchanges, row, strict=True)
            ]
            if after is not None:
                after(values, {name: place for place, name in enumerate(rows.columns)})
            yield values

    def _of(self, model: type[models.Model], field: "models.Field[Any, Any]") -> Exchange | None:
        """What exchanges the values of a column; None for those that stay."""
        if special := self._special().get((model, field.attname)):
            return special
        target = model if field.primary_key and field.remote_field is None else target_of(field)
        if target is not None:
            return self._id if is_uuid(field) else self._numbers[target].__getitem__
        if field.get_internal_type() in ("CharField", "TextField", "JSONField"):
            return partial(self._any.sub, self._word)
        return None

    def _special(self) -> Mapping[tuple[type[models.Model], str], Exchange]:
        return {
            (Brand, "owner_id"): lambda _: self._owner,
            (Answer, "text"): partial(self._name.sub, self._word),
            (Answer, "import_key"): lambda key: _sha256(key + self._salt),
            (Panel, "content"): self._panel,
            (DayCount, "content"): self._counts,
        }

    def _word(self, match: re.Match[str]) -> str:
        """What stands for a name, an id, or the digest of an address."""
        old = match[0]
        if (word := self._words.get(old)) is not None:
            return word
        return str(self._id(UUID(old))) if len(old) == 36 else old

    def _id(self, old: UUID) -> UUID:
        return UUID(int=old.int ^ self._mask)

    def _panel(self, text: str) -> str:
        content = json.loads(text)
        for panel in (content, *content["asked"].values()):
            panel["prompts"] = sorted(self._numbers[PromptVersion][number] for number in panel["prompts"])
        return json.dumps(content)

    def _counts(self, packed: bytes) -> bytes:
        content = orjson.loads(self._any.sub(self._word, zlib.decompress(packed).decode()))
        content["prompts"] = [str(self._numbers[PromptVersion][int(number)]) for number in content["prompts"]]
        return zlib.compress(orjson.dumps(content))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _stamped(values: list[Any], places: Mapping[str, int]) -> None:
    """The digest of the names that a generation is of."""
    names = json.loads(values[places["names"]])
    rivals = [UUID(subject) for subject in names["domains"] if subject]
    values[places["stamp"]] = Vocabulary.from_json(names, rivals).stamp


def _worded(values: list[Any], places: Mapping[str, int]) -> None:
    """The digest of a prompt's wording."""
    values[places["digest"]] = prompt_digest(values[places["text"]], values[places["locale"]])


def _panelled(values: list[Any], places: Mapping[str, int]) -> None:
    """The digest of a panel."""
    values[places["digest"]] = _sha256(json.dumps(json.loads(values[places["content"]]), sort_keys=True))


_AFTER: Mapping[type[models.Model], Callable[[list[Any], Mapping[str, int]], None]] = {
    Generation: _stamped,
    Prompt: _worded,
    Panel: _panelled,
}


def _store(rows: Rows, values: Iterator[list[Any]]) -> None:
    """Insert the rows in the quickest way that the database has."""
    table, columns = rows.model._meta.db_table, ", ".join(map(connection.ops.quote_name, rows.columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as stream:
                for row in values:
                    stream.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(rows.columns))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", cast(Any, values))  # noqa: S608 -- own names

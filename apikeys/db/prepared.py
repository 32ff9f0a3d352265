"""Statements that are compiled to SQL once and run many times: compiling costs more than the database needs to run.

The queryset stays the one definition of the statement, visibility included; only its values change from call to call.
On PostgreSQL the database keeps the statement too, read and planned, and sends its rows in binary.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

import orjson
import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorDebugWrapper
from django.db.models import (
    BigIntegerField,
    DateField,
    DateTimeField,
    Expression,
    Field,
    JSONField,
    Model,
    QuerySet,
    TextField,
    UUIDField,
)
from django.db.models.expressions import Col
from psycopg import postgres, pq, sql
from psycopg.adapt import Buffer, Loader

from apikeys.caller import Caller
from apikeys.models import User

_FIELDS: "Mapping[type, Field[Any, Any]]" = {
    int: BigIntegerField(),
    str: TextField(),
    UUID: UUIDField(),
    datetime: DateTimeField(),  # ahead of date, which it is too
    date: DateField(),
}
_JSONB = postgres.types["jsonb"].oid


class Slot(Expression):
    """The place of a value, of the type of `like`, that is filled in when the statement runs."""

    def __init__(self, name: str, like: object) -> None:
        super().__init__(output_field=next(field for kind, field in _FIELDS.items() if isinstance(like, kind)))
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        return "%s", [self]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        """With its type, which PostgreSQL must know before it has the value."""
        return f"%s::{self.output_field.db_type(connection)}", [self]


class _JsonText(Loader):
    """JSON as text, which is what Django's fields convert. Its binary form has a version number in front."""

    format = pq.Format.BINARY

    def load(self, data: Buffer) -> str:
        return bytes(data)[1:].decode()


class _PreparedCursor(psycopg.Cursor[Any]):
    """Prepares each statement at its first run on a connection. Django's cursor sends values inside of the SQL.

    The connection is told to prepare for just as long: else the driver would count, and keep, the text of every other
    statement too, values included.
    """

    def __init__(self, connection: Any) -> None:
        super().__init__(connection)
        self.format = pq.Format.BINARY
        self.adapters.register_loader(_JSONB, _JsonText)

    def execute(self, query: Any, params: Any = None, **options: Any) -> "_PreparedCursor":
        driver = self.connection
        driver.prepare_threshold = 0 if settings.DATABASE_PREPARE else None
        try:
            return super().execute(query, params, prepare=True, **options)
        except psycopg.errors.FeatureNotSupported:
            # A column has changed its type since the statement was planned. In a transaction the rollback forgets it.
            if driver.info.transaction_status != pq.TransactionStatus.IDLE:
                raise
            driver.execute("DEALLOCATE ALL")
            return super().execute(query, params, prepare=True, **options)
        finally:
            driver.prepare_threshold = None


class _LoggedCursor(CursorDebugWrapper):
    """Shows statements with their values; Django would ask the cursor, which does not have them in the SQL."""

    def debug_sql(
        self, sql: Any = None, params: Any = None, use_last_executed_query: bool = False, many: bool = False
    ) -> AbstractContextManager[None, bool | None]:
        statement = cast(Any, self.db.ops).compose_sql(sql, params) if use_last_executed_query else sql
        return super().debug_sql(statement, params, False, many)


def _cursor(database: BaseDatabaseWrapper) -> AbstractContextManager[Any]:
    """A cursor for statements that run often; Django counts and logs what it does, and wraps its errors."""
    if database.vendor != "postgresql":
        return database.cursor()
    database.ensure_connection()
    cursor: Any = _PreparedCursor(database.connection)
    return _LoggedCursor(cursor, database) if database.queries_logged else database.make_cursor(cursor)


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with its parameters (values, and slots for values), and what turns its columns into Python."""

    sql: str
    parameters: Sequence[Any]
    converters: Sequence[tuple[int, Sequence[Callable[..., Any]], Any]]

    def run(self, values: Mapping[str, Any]) -> list[Any]:
        """The rows for these values, as lists or tuples."""
        database = connections[DEFAULT_DB_ALIAS]
        filled = [
            item.output_field.get_db_prep_value(values[item.name], database) if isinstance(item, Slot) else item
            for item in self.parameters
        ]
        with _cursor(database) as cursor:
            cursor.execute(self.sql, filled)
            rows: list[Any] = cursor.fetchall()
        return [self._convert(list(row), database) for row in rows] if self.converters else rows

    def _convert(self, row: list[Any], database: BaseDatabaseWrapper) -> list[Any]:
        for position, functions, expression in self.converters:
            for function in functions:
                row[position] = function(row[position], expression, database)
        return row


class Prepared:
    """A `values_list` queryset, compiled at its first use: once for each reach that a caller may have.

    `build(caller, **slots)` makes the queryset from a caller and expressions in place of the values. It may use
    the values in filters only, and must not branch on them.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self._build = build
        self._statements: dict[tuple[str, str | None, bool], Statement] = {}

    def rows(self, caller: Caller | None, **values: Any) -> list[Any]:
        """The rows that `caller` reaches, with these values; None is for finding out who is calling."""
        if caller and caller.reach == "own" and caller.user is None:
            return []
        reach, may_write = (caller.reach, caller.may_write) if caller else (None, False)
        which = (connection.vendor, reach, may_write)
        if which not in self._statements:
            self._statements[which] = self._compile(caller, values)
        return self._statements[which].run({**values, "user": caller and caller.user and caller.user.pk})

    def _compile(self, caller: Caller | None, values: Mapping[str, Any]) -> Statement:
        slots = {name: Slot(name, value) for name, value in values.items()}
        stand_in = caller and replace(caller, user=cast(User, Slot("user", 0)))
        compiler = self._build(stand_in, **slots).query.get_compiler(connection=connection)
        statement, parameters = compiler.as_sql()
        by_place = compiler.get_converters([column for column, *_ in compiler.select])
        converters = [
            (place, [_fast(function, column) for function in functions], column)
            for place, (functions, column) in by_place.items()
        ]
        if connection.vendor == "postgresql":
            connection.ensure_connection()
            statement, parameters = _with_constants(statement, parameters)
        return Statement(statement, parameters, converters)


class PreparedInsert:
    """Adds rows to the table of `model`, whose key the database gives."""

    def __init__(self, model: type[Model]) -> None:
        self._fields = [field for field in model._meta.concrete_fields if not field.primary_key]
        # Both databases quote names with ".
        names = ", ".join(f'"{field.column}"' for field in self._fields)
        values = ", ".join("%s" for _ in self._fields)
        table = f'"{model._meta.db_table}"'
        self._statement = f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608 -- names of the model only

    def add(self, row: Model) -> None:
        """Write a row that is not in the database yet; `row` does not learn its key."""
        database = connections[DEFAULT_DB_ALIAS]
        values = [field.get_db_prep_save(field.pre_save(row, True), database) for field in self._fields]
        with _cursor(database) as cursor:
            cursor.execute(self._statement, values)


def _fast(converter: Callable[..., Any], column: Any) -> Callable[..., Any]:
    """The converter, or for a column of JSON the one that reads it faster."""
    is_json = getattr(converter, "__func__", None) is JSONField.from_db_value and isinstance(column, Col)
    return _json if is_json else converter


def _json(value: str | None, expression: Any, connection: Any) -> Any:
    return None if value is None else orjson.loads(value)


def _with_constants(statement: str, parameters: Sequence[Any]) -> tuple[str, list[Any]]:
    """The statement with its constants written out, so that the plan is made for them; slots stay parameters."""
    remaining = iter(parameters)
    slots = []

    def written(placeholder: "re.Match[str]") -> str:
        if placeholder[0] == "%%":
            return "%%"
        value = next(remaining)
        if isinstance(value, Slot):
            slots.append(value)
            return "%s"
        return sql.Literal(value).as_string(connection.connection).replace("%", "%%")

    return re.sub("%[s%]", written, statement), slots

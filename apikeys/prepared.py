"""Querysets that are compiled to SQL once and run many times: compiling costs more than the database needs to answer.

The queryset stays the one definition of the statement, visibility included; only its values change from call to call.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from uuid import UUID

from django.db import connection
from django.db.models import BigIntegerField, DateField, Expression, Field, QuerySet, TextField, UUIDField

from apikeys.caller import Caller
from apikeys.models import User

_FIELDS: "Mapping[type, Field[Any, Any]]" = {
    int: BigIntegerField(),
    str: TextField(),
    UUID: UUIDField(),
    date: DateField(),
}


class Slot(Expression):
    """The place of a value, of the type of `like`, that is filled in when the statement runs."""

    def __init__(self, name: str, like: object) -> None:
        super().__init__(output_field=next(field for kind, field in _FIELDS.items() if isinstance(like, kind)))
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        return "%s", [self]


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with its parameters (values, and slots for values), and what turns its columns into Python."""

    sql: str
    parameters: Sequence[Any]
    converters: Sequence[tuple[int, Sequence[Callable[..., Any]], Any]]

    def run(self, values: Mapping[str, Any]) -> list[Any]:
        """The rows for these values, as lists or tuples."""
        filled = [
            item.output_field.get_db_prep_value(values[item.name], connection) if isinstance(item, Slot) else item
            for item in self.parameters
        ]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, filled)
            rows: list[Any] = cursor.fetchall()
        return [self._convert(list(row)) for row in rows] if self.converters else rows

    def _convert(self, row: list[Any]) -> list[Any]:
        for position, functions, expression in self.converters:
            for function in functions:
                row[position] = function(row[position], expression, connection)
        return row


class Prepared:
    """A `values_list` queryset, compiled at its first use: once for system callers and once for all others.

    `build(caller, **slots)` makes the queryset from a caller and expressions in place of the values. It may use
    the values in filters only, and must not branch on them.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self._build = build
        self._statements: dict[tuple[str, bool], Statement] = {}

    def rows(self, caller: Caller, **values: Any) -> list[Any]:
        """The rows that `caller` reaches, with these values."""
        if not caller.is_system and caller.user is None:
            return []
        which = (connection.vendor, caller.is_system)
        if which not in self._statements:
            self._statements[which] = self._compile(caller, values)
        return self._statements[which].run({**values, "user": caller.user and caller.user.pk})

    def _compile(self, caller: Caller, values: Mapping[str, Any]) -> Statement:
        slots = {name: Slot(name, value) for name, value in values.items()}
        stand_in = Caller(actor="", user=cast(User, Slot("user", 0)), is_system=caller.is_system)
        compiler = self._build(stand_in, **slots).query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        return Statement(sql, parameters, [(at, found, column) for at, (found, column) in converters.items()])

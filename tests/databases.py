"""What makes databases of tests cheap: a copy instead of migrations, plain SQL instead of objects between tests."""

from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import transaction

Rows = dict[str, tuple[list[str], list[tuple[Any, ...]]]]
"""By table the names of its columns, and its rows."""
MAX_VALUES = 20_000
"""In one statement: SQLite takes 32,766."""


def keep_rows(connection) -> None:
    """From now on each flush, as after each test with transactions of its own, leaves what is there now: the rows
    that migrations made. So tests may follow one another in any order.

    Django would make an object of each row, from a text, half a second on PostgreSQL, and only for tests that ask for
    it. What a test leaves behind goes by plain deletes, which are faster than TRUNCATE where tables are small.
    """
    kept = all_rows(connection)

    def put_back(text: str = "") -> None:
        with transaction.atomic(using=connection.alias):
            insert(connection, kept, " ON CONFLICT DO NOTHING")

    def sql_flush(style, tables, *, reset_sequences=False, allow_cascade=False):
        return [f"DELETE FROM {quoted(name)};" for name in tables]

    def flush_and_put_back(statements):
        flush(statements)
        put_back()

    quoted, flush = connection.ops.quote_name, connection.ops.execute_sql_flush
    connection.ops.execute_sql_flush = flush_and_put_back
    connection.creation.deserialize_db_from_string = put_back
    if connection.vendor == "postgresql":
        connection.ops.sql_flush = sql_flush


def all_rows(connection) -> Rows:
    """The rows of every table, with values as the driver takes them."""
    found = {}
    with connection.cursor() as cursor:
        for model in _models():
            name = model._meta.db_table
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            found[name] = [column[0] for column in cursor.description], cursor.fetchall()
    return found


def insert(connection, tables: Rows, ending: str = "") -> None:
    """Put rows into their tables, some hundreds at a time."""
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        for name, (columns, rows) in tables.items():
            line = f"({', '.join(['%s'] * len(columns))})"
            into = f"INSERT INTO {quoted(name)} ({', '.join(map(quoted, columns))}) VALUES "
            step = MAX_VALUES // len(columns)
            for first in range(0, len(rows), step):
                some = rows[first : first + step]
                values = [value for row in some for value in row]
                cursor.execute(f"{into}{', '.join([line] * len(some))}{ending}", values)


def count_on(connection, tables: Rows) -> None:
    """Have numbers of rows go on behind those that were put in with theirs. SQLite does so by itself."""
    models = [model for model in _models() if model._meta.db_table in tables]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _models():
    models = apps.get_models(include_auto_created=True)
    return [model for model in models if model._meta.managed and not model._meta.proxy]

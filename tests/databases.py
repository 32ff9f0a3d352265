"""What makes databases of tests cheap: a copy instead of migrations, plain SQL instead of objects between tests."""

from django.apps import apps
from django.db import transaction


def keep_rows(connection) -> None:
    """From now on each flush, as after each test with transactions of its own, leaves what is there now: the rows
    that migrations made. So tests may follow one another in any order.

    Django would make an object of each row, from a text, half a second on PostgreSQL, and only for tests that ask for
    it. What a test leaves behind goes by plain deletes, which are faster than TRUNCATE where tables are small.
    """
    kept = [(name, *_rows(connection, name)) for name in _tables()]

    def put_back(text: str = "") -> None:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for name, columns, rows in kept:
                if rows:
                    line = f"({', '.join(['%s'] * len(columns))})"
                    values = [value for row in rows for value in row]
                    into = f"INSERT INTO {quoted(name)} ({', '.join(map(quoted, columns))}) VALUES "
                    cursor.execute(f"{into}{', '.join([line] * len(rows))} ON CONFLICT DO NOTHING", values)

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


def _tables() -> list[str]:
    models = apps.get_models(include_auto_created=True)
    return [model._meta.db_table for model in models if model._meta.managed and not model._meta.proxy]


def _rows(connection, name):
    """The names of the columns, and the values as the driver takes them."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
        return [column[0] for column in cursor.description], cursor.fetchall()

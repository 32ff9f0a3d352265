"""Full-text index of the pages that local-search answers from.

SQLite: an FTS5 table over `visibility_page`, kept right by triggers. The brand is an indexed column, so that a
query reads the matches of one brand only. A later migration that rebuilds the table `visibility_page` on SQLite
drops the triggers with it and has to make them again. PostgreSQL: a GIN index over the text search vector.
"""

from django.db import migrations

SQLITE = [
    "CREATE VIRTUAL TABLE visibility_page_text USING fts5("
    "brand_id, title, text, content='visibility_page', content_rowid='id', tokenize='porter unicode61')",
    "INSERT INTO visibility_page_text(visibility_page_text) VALUES ('rebuild')",
    "CREATE TRIGGER visibility_page_text_insert AFTER INSERT ON visibility_page BEGIN "
    "INSERT INTO visibility_page_text(rowid, brand_id, title, text) "
    "VALUES (new.id, new.brand_id, new.title, new.text); END",
    "CREATE TRIGGER visibility_page_text_delete AFTER DELETE ON visibility_page BEGIN "
    "INSERT INTO visibility_page_text(visibility_page_text, rowid, brand_id, title, text) "
    "VALUES ('delete', old.id, old.brand_id, old.title, old.text); END",
    "CREATE TRIGGER visibility_page_text_update AFTER UPDATE ON visibility_page BEGIN "
    "INSERT INTO visibility_page_text(visibility_page_text, rowid, brand_id, title, text) "
    "VALUES ('delete', old.id, old.brand_id, old.title, old.text); "
    "INSERT INTO visibility_page_text(rowid, brand_id, title, text) "
    "VALUES (new.id, new.brand_id, new.title, new.text); END",
]
SQLITE_BACK = [
    "DROP TRIGGER visibility_page_text_insert",
    "DROP TRIGGER visibility_page_text_delete",
    "DROP TRIGGER visibility_page_text_update",
    "DROP TABLE visibility_page_text",
]
POSTGRESQL = [
    "CREATE INDEX visibility_page_text ON visibility_page USING gin (to_tsvector('english', title || ' ' || text))",
]
POSTGRESQL_BACK = ["DROP INDEX visibility_page_text"]


def _run(schema_editor, statements):
    for statement in statements:
        schema_editor.execute(statement)


def forwards(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    _run(schema_editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL}[vendor])


def backwards(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    _run(schema_editor, {"sqlite": SQLITE_BACK, "postgresql": POSTGRESQL_BACK}[vendor])


class Migration(migrations.Migration):
    dependencies = [("visibility", "0002_panel_restrict")]

    operations = [migrations.RunPython(forwards, backwards)]

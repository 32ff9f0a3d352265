"""A database with all migrations, made once for each variant: each process of the tests copies it."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def template_database(env: Mapping[str, str], folder: Path) -> Iterator[dict[str, str]]:
    """Make it beside the database of this environment, or as a file of SQLite in the folder; gives TEST_TEMPLATE."""
    given = env.get("DATABASE_URL", "")
    if not given:
        file = folder / "template.sqlite3"
        _migrate({**env, "DATABASE_URL": f"sqlite:///{file}"})
        yield {"TEST_TEMPLATE": str(file)}
        return
    name = f"tests_template_{uuid4().hex[:8]}"
    with psycopg.connect(given, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    try:
        _migrate({**env, "DATABASE_URL": urlsplit(given)._replace(path=f"/{name}").geturl()})
        yield {"TEST_TEMPLATE": name}
    finally:
        with psycopg.connect(given, autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


def _migrate(env: Mapping[str, str]) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings.test"}
    subprocess.run(command, cwd=ROOT, env={**env, **settings}, stdin=subprocess.DEVNULL, check=True)

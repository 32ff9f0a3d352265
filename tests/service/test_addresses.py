"""DATABASE_URL and PUBLIC_URL: what is understood, and the sentence for what is not."""

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.address import bound, public_url, remember_bound
from config.database import database_of
from tests.live import ROOT

URL = os.environ["DATABASE_URL"]


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("postgresql://u:p@db/bvs", ("bvs", "u", "p", "db", "", {})),
        ("postgres://u:p%40%2F%3F@[::1]:5433/bvs", ("bvs", "u", "p@/?", "::1", "5433", {})),
        ("postgresql://postgres@/postgres?host=/run/pg", ("postgres", "postgres", "", "/run/pg", "", {})),
        ("postgresql://u:p#x@db/bvs?sslmode=require", ("bvs", "u", "p#x", "db", "", {"sslmode": "require"})),
        ("postgresql://u@a,b:5433/bvs", ("bvs", "u", "", "a,b", ",5433", {})),
        ("postgresql:///?service=bvs", ("", "", "", "", "", {"service": "bvs"})),
    ],
)
def test_the_address_of_a_database_is_read_as_postgresql_reads_it(url, parts):
    found = database_of(url)
    assert (*(found[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")), found["OPTIONS"]) == parts


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("sqlite:///x.db", "no address of a PostgreSQL database"),
        ("mysql://u:p@db/bvs", "no address of a PostgreSQL database"),
        ('"postgresql://u:p@db/bvs"', "without quotes"),
        ("postgresql://u:p@db/bvs?pgbouncer=true", 'invalid URI query parameter: "pgbouncer"'),
        ("postgresql://u:p@db", "names no database"),
        ("postgresql://u:p@ss@db/bvs", "where its password ends is not clear"),
        ("postgresql://u:a/b@db/bvs", "where its password ends is not clear"),
        ("postgresql://u:p@ss#w?rd/x@db/bvs", "in the password %40 %3A %2F"),
        ("postgresql://u:p%zz@db/bvs", "cannot be read"),
    ],
)
def test_what_is_no_such_address_is_refused_in_a_sentence(url, why):
    with pytest.raises(ImproperlyConfigured, match=why.replace("?", r"\?")) as refusal:
        database_of(url)
    assert "\n" not in str(refusal.value) and "p@ss" not in str(refusal.value)


def run(*command: str, **environment: str) -> subprocess.CompletedProcess:
    inherited = {name: os.environ[name] for name in ("PATH", "VAR_DIR", "LD_LIBRARY_PATH") if name in os.environ}
    whole = [sys.executable, "manage.py", *command]
    return subprocess.run(
        whole, cwd=ROOT, env=inherited | environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_database_that_there_is_not_is_one_line():
    nowhere = URL.replace("/postgres?", "/nowhere?")
    done = run("migrate", DATABASE_URL=nowhere)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert 'database "nowhere" does not exist' in done.stderr


@pytest.mark.proof
@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"DATABASE_URL": "sqlite:///x.db"}, "no address of a PostgreSQL database"),
        ({"DATABASE_URL": "postgresql://u@127.0.0.1:9/bvs"}, "Connection refused"),
        ({"VAR_DIR": "/proc/nowhere", "DATABASE_URL": ""}, "Name a folder of your own by VAR_DIR"),
        ({"PUBLIC_URL": "https://example.com/below"}, "a host"),
    ],
)
def test_each_wrong_setting_is_one_line(environment, why):
    done = run("migrate", **{"DATABASE_URL": URL, **environment})
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and why in done.stderr


def test_options_in_the_address_are_joined_with_ours():
    options = "options=-csearch_path%3Dmine%20-cstatement_timeout%3D7s&connect_timeout=3"
    code = (
        "from django.db import connection\n"
        "shown = []\n"
        "with connection.cursor() as cursor:\n"
        "    for name in ('search_path', 'statement_timeout', 'lock_timeout'):\n"
        "        shown += cursor.execute(f'SHOW {name}').fetchone()\n"
        "print(*shown, connection.get_connection_params()['connect_timeout'])\n"
    )
    done = run("shell", "--verbosity=0", "-c", code, DATABASE_URL=f"{URL}&{options}", STATEMENT_SECONDS="30")
    assert done.stdout.split() == ["mine", "7s", "30s", "3"], done


@pytest.mark.parametrize(
    ("environment", "url"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"PORT": "8123"}, "http://127.0.0.1:8123"),
        ({"BIND": "0.0.0.0:9000"}, "http://127.0.0.1:9000"),
        ({"BIND": "[::]:9000,127.0.0.1:1"}, "http://127.0.0.1:9000"),
        ({"BIND": "10.1.2.3:9000"}, "http://10.1.2.3:9000"),
        ({"BIND": "unix:/run/visibility.sock"}, "http://127.0.0.1"),
        ({"PUBLIC_URL": "https://visibility.example.com/", "PORT": "8123"}, "https://visibility.example.com"),
        ({"PUBLIC_URL": "https://[2001:db8::1]:8443"}, "https://[2001:db8::1]:8443"),
    ],
)
def test_the_public_address_is_the_bound_one_unless_it_is_named(monkeypatch, tmp_path, environment, url):
    for name in ("PUBLIC_URL", "BIND", "PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert public_url() == url


def test_other_commands_know_where_serve_listens(monkeypatch, tmp_path):
    monkeypatch.delenv("PUBLIC_URL", raising=False)
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    monkeypatch.setenv("BIND", "127.0.0.1:8123")
    remember_bound()
    monkeypatch.delenv("BIND")
    assert public_url() == "http://127.0.0.1:8123"
    assert bound() == "127.0.0.1:8000", "a web server of its own is not bound by it"


@pytest.mark.parametrize(
    "url",
    [
        "visibility.example.com",
        "ftp://example.com",
        "https://",
        "https://example.com/below",
        "https://u@example.com",
        "https://example.com:x",
        "https://example.com?x=1",
    ],
)
def test_what_is_no_origin_is_refused(monkeypatch, url):
    monkeypatch.setenv("PUBLIC_URL", url)
    with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL"):
        public_url()

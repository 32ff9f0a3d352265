"""Behind a pooler in transaction mode: nothing rests on a session of PostgreSQL."""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from procrastinate.contrib.django import app

from tests.live import ROOT, WEB, free_port, live_process, own_database, status_of, wait_for

READ_ALL = """
import django; django.setup()
from django.db import connection
from django.contrib.auth.models import Permission
read = sum(1 for _ in Permission.objects.iterator(chunk_size=2))
assert read == Permission.objects.count() > 100, read
"""


def test_no_statement_is_prepared_in_a_session(db):
    connection.ensure_connection()
    assert connection.connection.prepare_threshold is None
    assert app.connector.get_worker_connector()._pool_args["kwargs"]["prepare_threshold"] is None


def test_a_worker_does_not_start_behind_a_pooler(settings):
    settings.DATABASE_POOLER = True
    with pytest.raises(CommandError, match="no DATABASE_POOLER"):
        call_command("worker")


@pytest.fixture
def pooler(tmp_path, django_db_blocker):
    """A pooler in front of a database of its own; yields the URL through it."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        pytest.skip("There is no pgbouncer on this machine (Debian: apt-get install pgbouncer).")
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o711)
    with django_db_blocker.unblock(), own_database() as url:
        parts, port = urlsplit(url), free_port()
        name, host = parts.path[1:], (parse_qs(parts.query).get("host") or [parts.hostname])[0]
        users = tmp_path / "users"
        users.write_text('"postgres" ""\n')
        file = tmp_path / "pgbouncer.ini"
        file.write_text(
            f"[databases]\n{name} = host={host} dbname={name} connect_query='SET statement_timeout=30000'\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = trust\n"
            f"auth_file = {users}\npool_mode = transaction\ndefault_pool_size = 3\n"
        )
        as_nobody = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups") if os.geteuid() == 0 else ()
        process = subprocess.Popen([*as_nobody, program, "-q", str(file)])
        try:
            time.sleep(0.3)
            yield f"postgresql://postgres@127.0.0.1:{port}/{name}"
        finally:
            process.kill()
            process.wait()


@pytest.mark.proof
def test_a_web_process_serves_through_a_pooler(pooler):
    with live_process(*WEB, database=pooler, DATABASE_POOLER="1") as live:
        wait_for(lambda: status_of(f"{live.url}/readyz") == 200)
        assert status_of(f"{live.url}/api/v1/brands") == 401


@pytest.mark.proof
def test_six_at_once_read_all_rows_bit_by_bit_through_a_pooler(pooler):
    environment = {**os.environ, "DATABASE_URL": pooler, "DATABASE_POOLER": "1"}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"

    def read(_) -> int:
        return subprocess.run([sys.executable, "-c", READ_ALL], cwd=ROOT, env=environment, check=False).returncode

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(read, range(6))) == [0] * 6

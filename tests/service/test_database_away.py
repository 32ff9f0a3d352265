"""A database that restarts, is away, hangs or takes no writes, under the running service."""

import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import psutil
import psycopg
import pytest

from tests.live import DIRECT, environment, live_web, manage, wait_for
from tests.servers import postgres_server, start_again

pytestmark = pytest.mark.server
FILL = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("seed_demo", no_scan=True)
call_command("issue_key", "--owner", "demo@example.com", "--name", "test", "--all-scopes")
"""
"""In one process: each that starts takes seconds."""


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """A server of its own, which tests may stop, with the schema and the demo brand."""
    folder = tmp_path_factory.mktemp("away")
    with postgres_server() as server:
        server.variables = {
            "DATABASE_URL": server.get_uri(), "CACHE_URL": "", "BROKER_URL": "", "VAR_DIR": str(folder / "var"),
            "RATE_LIMIT": "100000/m", "WEB_THREADS": "8",
        }  # fmt: skip
        env = environment(**server.variables)
        server.key = manage(env, "shell", "--verbosity", "0", "-c", FILL).stdout.split()[-1]
        yield server


def ask(url, key=""):
    """Status, headers and body of a GET with the key, and with a session that has to be looked up."""
    request = urllib.request.Request(
        url, headers={"Authorization": f"Bearer {key}", "Cookie": "sessionid=" + 32 * "a"}
    )
    try:
        with DIRECT.open(request, timeout=30) as response:
            return response.status, response.headers, response.read()
    except HTTPError as error:
        return error.code, error.headers, error.read()


def statuses(live, postgres, number, at_once):
    with ThreadPoolExecutor(at_once) as pool:
        asked = pool.map(lambda _: ask(f"{live.url}/api/v1/brands", postgres.key), range(number))
        return [status for status, _, _ in asked]


def test_after_a_restart_no_request_fails_for_a_connection_that_is_gone(postgres):
    with live_web(**postgres.variables) as live:
        assert statuses(live, postgres, 64, at_once=8) == [200] * 64
        for mode in ("fast", "immediate"):
            postgres.stop()
            start_again(postgres)
            assert statuses(live, postgres, 40, at_once=1 if mode == "fast" else 8) == [200] * 40


def test_while_it_is_away_callers_are_told_when_to_come_back_and_it_is_noticed_at_once_when_it_is_back(postgres):
    with live_web(**postgres.variables) as live:
        assert statuses(live, postgres, 16, at_once=8) == [200] * 16
        postgres.stop()
        try:
            for path in ("/api/v1/brands", "/"):
                status, headers, _ = ask(live.url + path, postgres.key)
                assert (status, headers["Retry-After"]) == (503, "5"), path
            assert statuses(live, postgres, 8, at_once=8) == [503] * 8
        finally:
            start_again(postgres)
        assert statuses(live, postgres, 8, at_once=1) == [200] * 8
        printed = live.printed().splitlines()
    assert len([line for line in printed if "The database is unavailable" in line]) == 1
    assert len([line for line in printed if "The database is back" in line]) == 1
    assert len(printed) < 6, "a few lines, however many requests"


def test_a_server_that_stands_still_keeps_nobody_waiting_and_goes_on_where_it_was(postgres):
    """The kernel goes on confirming what a stopped process is sent: only the client can tell."""
    with live_web(**postgres.variables, DATABASE_STATEMENT_SECONDS="2") as live:
        assert statuses(live, postgres, 16, at_once=8) == [200] * 16
        with standing_still(postgres):
            for path in ("/api/v1/brands", "/"):
                status, headers, _ = ask(live.url + path, postgres.key)
                assert (status, headers["Retry-After"]) == (503, "5"), path
            assert statuses(live, postgres, 16, at_once=8) == [503] * 16
            assert ask(f"{live.url}/healthz")[0] == 200
        wait_for(lambda: statuses(live, postgres, 1, at_once=1) == [200], what="an answer")
        assert statuses(live, postgres, 40, at_once=8) == [200] * 40
        assert "no answer within" in live.printed()


def test_a_statement_that_waits_for_a_lock_is_ended_by_the_server(postgres):
    with (
        live_web(**postgres.variables, DATABASE_STATEMENT_SECONDS="2") as live,
        psycopg.connect(postgres.get_uri()) as session,
    ):
        session.execute("LOCK TABLE apikeys_apikey")
        assert ask(f"{live.url}/api/v1/brands", postgres.key)[0] == 503
        session.rollback()
        assert statuses(live, postgres, 8, at_once=8) == [200] * 8
        assert "lock timeout" in live.printed()


@contextmanager
def standing_still(server):
    """The server and all its processes are stopped, as on a machine that swaps or whose disk hangs."""
    main = psutil.Process(int(Path(server.pgdata, "postmaster.pid").read_text().split()[0]))
    processes = [main, *main.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()

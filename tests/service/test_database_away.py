"""A database that restarts, is away, hangs or takes no writes, under the running service."""

import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError

import pytest

from tests.live import DIRECT, environment, live_web, manage
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

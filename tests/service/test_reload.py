"""The web server takes new code over while it answers, and does not start where it could not serve."""

import subprocess
import sys

import pytest

from tests.bench.reload import PATIENCE, Stream, reloaded
from tests.live import ROOT, answers, free_port, live_process, wait_for

pytestmark = pytest.mark.server
GUNICORN = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"]


def test_a_reload_under_load_loses_no_request_and_brings_the_new_code(prepared, tmp_path):
    with reloaded(tmp_path, prepared, workers=1) as server:
        stream = Stream(server.live.url)
        with stream.running():
            before = server.workers()
            server.change("second@example.com")
            server.reload()
            wait_for(lambda: not before & server.workers(), seconds=PATIENCE, what="the end of the old worker")
        assert server.shows("second@example.com")
        assert stream.sent > 50
        assert (stream.lost, len(stream.answered_at)) == ([], stream.sent)


def test_code_that_does_not_start_leaves_the_earlier_workers_alone(prepared, tmp_path):
    with reloaded(tmp_path, prepared, workers=1) as server:
        before = server.workers()
        server.break_code()
        server.reload()
        wait_for(lambda: "A new worker cannot start" in server.live.printed(), what="the error")
        wait_for(lambda: server.workers() == before, seconds=PATIENCE, what="the end of the attempt")
        assert server.shows("first@example.com")
        server.change("mended@example.com")
        server.reload()
        wait_for(lambda: not before & server.workers(), seconds=PATIENCE, what="the end of the old worker")
        assert server.shows("mended@example.com")


def refused(env):
    """The last line of a web server that does not start."""
    process = subprocess.run(
        GUNICORN, cwd=ROOT, env={**env, "PORT": str(free_port())}, capture_output=True, text=True, timeout=300
    )
    assert process.returncode == 3
    assert "Traceback" not in process.stderr
    return process.stderr.splitlines()[-1]


def test_it_refuses_with_the_command_to_run(prepared, tmp_path):
    empty = {**prepared, "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    assert refused(empty).endswith("migrations are not applied to the database. Run: python manage.py migrate")
    bare = {**prepared, "VAR_DIR": str(tmp_path / "bare")}
    assert refused(bare).endswith("The static files are not collected. Run: python manage.py collectstatic --noinput")


def test_a_database_that_is_away_is_waited_for(prepared):
    port = free_port()
    away = {**prepared, "BIND": f"127.0.0.1:{port}", "DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/no"}
    with live_process(GUNICORN, away, f"http://127.0.0.1:{port}", "/healthz", 300) as live:
        assert not answers(f"{live.url}/readyz")

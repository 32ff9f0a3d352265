"""`manage.py serve`: the whole service starts, answers, heals and stops; what it cannot do it says."""

import signal
import socket
from contextlib import suppress

import psutil
import pytest

from tests.live import answers, free_port, live_service, manage, wait_for

pytestmark = pytest.mark.server


def refused(env, *arguments):
    """What `serve` says when it refuses to start: one sentence on stderr, no traceback."""
    result = manage(env, "serve", *arguments, check=False)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    return result.stderr


def below(pid):
    """The processes that a process has started, and those started by them."""
    return psutil.Process(pid).children(recursive=True)


def named(processes, word):
    """Those of the processes whose command line holds `word`; what has just ended has none."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            if word in " ".join(process.cmdline()):
                found.append(process)
    return found


def test_all_three_start_answer_and_stop_cleanly(prepared):
    with live_service(**prepared) as live:
        assert answers(f"{live.url}/healthz")
        family = below(live.process.pid)
        assert named(family, "gunicorn")
        assert named(family, "worker")
        assert named(family, "beat")
        live.process.send_signal(signal.SIGINT)
        assert live.process.wait(10) == 0
        _gone, left = psutil.wait_procs(family, timeout=2)
        assert not left
        assert "Traceback" not in live.printed()
        assert live.printed().rstrip().endswith("Stopped.")


def test_killing_it_leaves_no_process_and_frees_the_port(prepared):
    with live_service(**prepared) as live:
        family = below(live.process.pid)
        assert len(family) >= 4
        live.process.kill()
        live.process.wait()
        _gone, left = psutil.wait_procs(family, timeout=5)
        assert not left
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", int(live.url.rsplit(":", 1)[1])))


def test_it_starts_again_after_it_was_killed(prepared):
    with live_service(**prepared) as live:
        live.process.kill()
        live.process.wait()
    with live_service(**prepared) as live:
        assert answers(f"{live.url}/readyz")


def test_each_part_comes_back_when_it_is_killed(prepared):
    with live_service(**prepared) as live:
        for word in ("gunicorn", "worker", "beat"):
            [first] = named(psutil.Process(live.process.pid).children(), word)
            first.kill()
            wait_for(lambda word=word, old=first.pid: new_part(live, word, old), what=f"a new {word}")
            wait_for(lambda: answers(f"{live.url}/readyz"), what="readiness")


def new_part(live, word, old):
    """Whether the service runs the part anew, as another process than `old`."""
    return any(process.pid != old for process in named(psutil.Process(live.process.pid).children(), word))


def test_a_port_in_use_is_refused(prepared):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"Cannot listen on 127.0.0.1 port {port}: Address already in use." in refused(
            prepared, "--port", str(port)
        )


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_that_does_not_exist_is_refused(prepared, port):
    assert "does not exist: choose one from 1 to 65535" in refused(prepared, f"--port={port}")


def test_a_host_that_is_not_this_machine_is_refused(prepared):
    assert "Cannot listen on 192.0.2.1" in refused(prepared, "--host", "192.0.2.1", "--port", str(free_port()))


def test_a_second_service_in_the_same_folder_is_refused(prepared):
    with live_service(**prepared) as live:
        assert f"Another `serve` runs on {prepared['VAR_DIR']}." in refused(prepared, "--port", str(free_port()))
        assert answers(f"{live.url}/readyz")


def test_missing_migrations_are_refused_with_the_command_to_run(prepared, tmp_path):
    empty = {**prepared, "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    assert "Run: python manage.py migrate" in refused(empty, "--port", str(free_port()))


def test_a_database_that_does_not_answer_is_refused(prepared):
    nowhere = {**prepared, "DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/nothing"}
    assert "The database does not answer" in refused(nowhere, "--port", str(free_port()))


def test_missing_static_files_are_refused_with_the_command_to_run(prepared, tmp_path):
    bare = {**prepared, "VAR_DIR": str(tmp_path)}
    assert "Run: python manage.py collectstatic" in refused(bare, "--port", str(free_port()))


def test_a_folder_that_cannot_be_written_is_refused(prepared, tmp_path):
    # A folder in the place of the file: refused to everyone, root included.
    (tmp_path / "serve.lock").mkdir()
    said = refused({**prepared, "VAR_DIR": str(tmp_path)}, "--port", str(free_port()))
    assert f"Cannot write to {tmp_path}" in said
    assert "Make it writable or set VAR_DIR" in said

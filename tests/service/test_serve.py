"""`manage.py serve`: the whole service starts, answers, heals and stops."""

import signal
import socket
from contextlib import suppress

import psutil
import pytest

from tests.live import answers, free_port, live_service, wait_for
from tests.service.conftest import refused, service_environment

pytestmark = pytest.mark.server


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


@pytest.fixture(scope="module")
def service(django_db_setup, django_db_blocker, static_files, tmp_path_factory):
    """A running service and its environment, for tests that leave it running. The last of them may kill it."""
    with django_db_blocker.unblock():
        env = service_environment(static_files, tmp_path_factory)
        with live_service(**env) as live:
            yield live, env


def test_all_three_start_answer_and_stop_cleanly(prepared):
    with live_service(**prepared) as live:
        assert answers(f"{live.url}/healthz")
        family = below(live.process.pid)
        assert named(family, "gunicorn")
        assert named(family, "worker")
        assert named(family, "beat")
        live.process.send_signal(signal.SIGINT)
        assert live.process.wait(30) == 0
        _gone, left = psutil.wait_procs(family, timeout=20)
        assert not left
        assert "Traceback" not in live.printed()
        assert live.printed().rstrip().endswith("Stopped.")


def test_it_starts_again_after_it_was_killed(prepared):
    with live_service(**prepared) as live:
        live.process.kill()
        live.process.wait()
    with live_service(**prepared) as live:
        assert answers(f"{live.url}/readyz")


def test_each_part_comes_back_when_it_is_killed(transactional_db, django_db_serialized_rollback, service):
    live, _ = service
    for word in ("gunicorn", "worker", "beat"):
        [first] = named(psutil.Process(live.process.pid).children(), word)
        first.kill()
        wait_for(lambda word=word, old=first.pid: new_part(live, word, old), what=f"a new {word}")
        wait_for(lambda: answers(f"{live.url}/readyz"), what="readiness")


def new_part(live, word, old):
    """Whether the service runs the part anew, as another process than `old`."""
    return any(process.pid != old for process in named(psutil.Process(live.process.pid).children(), word))


def test_a_second_service_in_the_same_folder_is_refused(transactional_db, django_db_serialized_rollback, service):
    live, env = service
    assert f"Another `serve` runs on {env['VAR_DIR']}." in refused(env, "--port", str(free_port()))
    assert answers(f"{live.url}/readyz")


def test_killing_it_leaves_no_process_and_frees_the_port(transactional_db, django_db_serialized_rollback, service):
    live, _ = service
    family = below(live.process.pid)
    assert len(family) >= 4
    live.process.kill()
    live.process.wait()
    _gone, left = psutil.wait_procs(family, timeout=20)
    assert not left
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", int(live.url.rsplit(":", 1)[1])))

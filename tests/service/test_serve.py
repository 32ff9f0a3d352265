"""`manage.py serve`: the whole service starts, answers, heals and stops."""

import signal
import socket
from contextlib import suppress

import psutil
import pytest

from tests.live import answers, live_service, wait_for

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


def test_killing_it_leaves_no_process_and_frees_the_port(prepared):
    with live_service(**prepared) as live:
        family = below(live.process.pid)
        assert len(family) >= 4
        live.process.kill()
        live.process.wait()
        _gone, left = psutil.wait_procs(family, timeout=20)
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

"""The supervisor with small processes: restarts, backoff, stopping, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from config.local.supervisor import STOP_SECONDS
from tests.live import wait_for

pytestmark = pytest.mark.server

PROGRAM = """
import os, sys
from config.local import supervisor
from config.local.supervisor import Child, Supervisor, python
supervisor.STOP_SECONDS = float(sys.argv[1])
pairs = zip(sys.argv[2::2], sys.argv[3::2])
children = [Child(name, python("-c", code), once=name == "once", reloads=name == "reloads") for name, code in pairs]
check = python("-c", "import os, sys; sys.exit(os.path.exists(sys.argv[1]))", os.environ.get("BROKEN", ""))
sys.exit(Supervisor(children, os.environ, lambda line: print(line, flush=True), check=check).run())
"""
# Writes its process number to the named file, once for each start, and then waits.
WAITS = "import os, time; open({file!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(600)"
# Notes that it was asked to end, which one that is killed cannot.
POLITE = (
    "import signal, sys; "
    "signal.signal(signal.SIGTERM, lambda *_: (open({file!r} + '-asked', 'w').close(), sys.exit(0))); " + WAITS
)
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + WAITS
# Starts a process of its own, as the web server does, which also ignores a polite request.
FAMILY = (
    "import os, subprocess, sys, time; "
    "subprocess.Popen([sys.executable, '-c', {inner!r}]); "
    "open({file!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(600)"
)


@pytest.fixture
def supervise():
    """Start a supervisor over (name, code) pairs; whatever is left of it is killed after the test."""
    started = []

    def start(*pairs, patience=STOP_SECONDS):
        command = [sys.executable, "-u", "-c", PROGRAM, str(patience), *(item for pair in pairs for item in pair)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            family = psutil.Process(process.pid).children(recursive=True)
            for member in (process, *family):
                with suppress(psutil.NoSuchProcess):
                    member.kill()
        process.wait()
        process.stdout.close()


def starts(file: Path) -> list[int]:
    """The process numbers that wrote themselves into `file`, oldest first."""
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def alive(number: int) -> bool:
    """Whether a process runs (a dead one that nobody waited for does not)."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def family(tmp_path):
    """Code of a process with a stubborn child, and the files where both write themselves."""
    child, parent = tmp_path / "child", tmp_path / "parent"
    code = FAMILY.format(inner=STUBBORN.format(file=str(child)), file=str(parent))
    return code, parent, child


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_has_all_end_by_themselves(supervise, tmp_path, number):
    first, second = tmp_path / "a", tmp_path / "b"
    process = supervise(("a", POLITE.format(file=str(first))), ("b", POLITE.format(file=str(second))))
    wait_for(lambda: starts(first) and starts(second), what="both processes")
    process.send_signal(number)
    assert process.wait(30) == 0
    assert not any(alive(pid) for pid in starts(first) + starts(second))
    assert (tmp_path / "a-asked").exists() and (tmp_path / "b-asked").exists()


def test_a_process_that_ignores_the_request_is_killed_with_its_group(supervise, tmp_path):
    code, parent, child = family(tmp_path)
    process = supervise(("a", code))
    wait_for(lambda: starts(parent) and starts(child), what="the family")
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    wait_for(lambda: not any(map(alive, starts(parent) + starts(child))), what="the end of the family")


def test_a_second_signal_does_not_wait(supervise, tmp_path):
    file = tmp_path / "a"
    process = supervise(("a", STUBBORN.format(file=str(file))), patience=3_600)
    wait_for(lambda: starts(file), what="the process")
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert not alive(starts(file)[0])


def test_a_killed_process_is_started_again(supervise, tmp_path):
    file, steady = tmp_path / "a", tmp_path / "b"
    process = supervise(("a", WAITS.format(file=str(file))), ("b", WAITS.format(file=str(steady))))
    wait_for(lambda: starts(file) and starts(steady), what="the first start")
    os.kill(starts(file)[0], signal.SIGKILL)
    wait_for(lambda: len(starts(file)) == 2, what="the second start")
    assert alive(starts(file)[1])
    assert len(starts(steady)) == 1, "the other process is left alone"
    process.send_signal(signal.SIGTERM)
    assert "a ended (SIGKILL); it starts again in 0.5 s." in process.communicate(timeout=30)[0]


def test_the_rest_of_the_group_ends_before_the_restart(supervise, tmp_path):
    code, parent, child = family(tmp_path)
    supervise(("a", code))
    wait_for(lambda: starts(parent) and starts(child), what="the family")
    os.kill(starts(parent)[0], signal.SIGKILL)
    wait_for(lambda: len(starts(parent)) == 2, what="the second start")
    assert not alive(starts(child)[0])


def test_a_process_that_fails_at_once_is_tried_ever_more_rarely(supervise, tmp_path):
    file = tmp_path / "a"
    process = supervise(("a", f"open({str(file)!r}, 'a').write('1\\n'); raise SystemExit(3)"))
    wait_for(lambda: len(starts(file)) == 4, what="four starts")
    process.send_signal(signal.SIGTERM)
    printed = process.communicate(timeout=30)[0]
    assert "a ended (exit code 3); it starts again in 0.5 s." in printed
    assert "a ended (exit code 3); it starts again in 1 s." in printed
    assert "a ended (exit code 3); it starts again in 2 s." in printed


def test_killing_the_supervisor_takes_the_processes_along(supervise, tmp_path):
    file = tmp_path / "a"
    process = supervise(("a", STUBBORN.format(file=str(file))))
    wait_for(lambda: starts(file), what="the process")
    process.kill()
    process.wait()
    wait_for(lambda: not alive(starts(file)[0]), what="the end of the process")


def test_the_failure_of_a_task_that_runs_once_ends_the_service_with_its_code(supervise, tmp_path):
    file = tmp_path / "a"
    process = supervise(
        ("a", WAITS.format(file=str(file))), ("once", "import time; time.sleep(1); raise SystemExit(7)")
    )
    assert process.wait(30) == 7
    assert not any(map(alive, starts(file)))


def test_a_task_that_succeeds_is_not_run_again(supervise, tmp_path):
    file, once = tmp_path / "a", tmp_path / "once"
    process = supervise(("a", WAITS.format(file=str(file))), ("once", f"open({str(once)!r}, 'a').write('1\\n')"))
    wait_for(lambda: starts(file) and starts(once), what="both starts")
    time.sleep(1.5)
    assert process.poll() is None
    assert len(starts(once)) == 1


def test_a_reload_keeps_what_reloads_by_itself_and_starts_the_others_anew(supervise, tmp_path, monkeypatch):
    broken, kept, polite, stubborn = (tmp_path / name for name in ("broken", "kept", "polite", "stubborn"))
    monkeypatch.setenv("BROKEN", str(broken))
    reloads = f"import signal; signal.signal(signal.SIGHUP, lambda *_: open({str(kept)!r} + '-told', 'w').close()); "
    process = supervise(
        ("reloads", reloads + WAITS.format(file=str(kept))),
        ("polite", POLITE.format(file=str(polite))),
        ("stubborn", STUBBORN.format(file=str(stubborn))),
        patience=1,
    )
    wait_for(lambda: starts(kept) and starts(polite) and starts(stubborn), what="the first start")
    broken.touch()
    process.send_signal(signal.SIGHUP)
    assert process.stdout.readline().startswith("Nothing was reloaded")
    broken.unlink()
    process.send_signal(signal.SIGHUP)
    wait_for(lambda: len(starts(polite)) == 2 == len(starts(stubborn)), what="the second start")
    wait_for((tmp_path / "kept-told").exists, what="the signal")
    assert (tmp_path / "polite-asked").exists()
    assert len(starts(kept)) == 1
    assert not alive(starts(stubborn)[0])
    assert process.poll() is None

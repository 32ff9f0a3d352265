"""What `python -m tests.run` runs, and when it is content."""

import importlib
import os
import subprocess
import sys
from contextlib import nullcontext, suppress

import psutil
import pytest

from tests import amounts, run
from tests.run import Tally, judged
from tests.selection import left_out, proofs


@pytest.fixture
def started(monkeypatch, capsys):
    """Run the suite with these arguments; gives the arguments of each pytest by variant. No test is run."""

    def start(*arguments):
        calls = {"embedded": [], "distributed": []}

        def run_pytest(options, env):
            calls[env["TEST_VARIANT"]].append(options)
            return 0

        monkeypatch.setattr(run, "run_pytest", run_pytest)
        monkeypatch.setattr(run, "VARIANTS", dict.fromkeys(run.VARIANTS, nullcontext))
        monkeypatch.setenv("PROOFS", "")
        monkeypatch.setenv("TEST_ROWS_REVERSED", "")
        monkeypatch.setattr(sys, "argv", ["run", *arguments])
        run.main()
        return calls

    return start


@pytest.mark.parametrize("arguments", [(), ("-k", "ledger"), ("tests/scans", "-q")])
def test_each_variant_leaves_out_what_the_other_runs(started, arguments):
    for variant, calls in started(*arguments).items():
        for options in calls:
            assert set(left_out(variant)) <= set(options) and len(left_out(variant)) > 5
            assert options[-len(arguments) :] == list(arguments) or not arguments
            assert "--cov" not in options


def test_everything_leaves_out_nothing(started):
    options = [option for calls in started("--everything").values() for call in calls for option in call]
    assert len(options) > 0
    assert not [option for option in options if option.startswith(("--ignore", "--deselect"))]


def test_proofs_are_whole_and_stand_alone(started):
    for variant, calls in started("--proofs").items():
        [options] = calls
        assert set(proofs(variant)) <= set(options) and len(proofs(variant)) > 5
        assert not [option for option in options if option.startswith(("--ignore", "--deselect"))]
    assert os.environ["PROOFS"] == os.environ["TEST_ROWS_REVERSED"] == "1"


@pytest.mark.parametrize(("proofs", "sample"), [("", [0, 3, 6]), ("1", list(range(8)))])
def test_a_sample_is_the_whole_for_proofs(monkeypatch, proofs, sample):
    monkeypatch.setenv("PROOFS", proofs)
    try:
        assert importlib.reload(amounts).some(range(8), 3) == sample
    finally:
        monkeypatch.undo()
        importlib.reload(amounts)


def test_coverage_is_measured_where_it_is_asked_for(started, monkeypatch):
    monkeypatch.setattr(run, "coverage", lambda folder, report_only: True)
    measured = {variant: sum("--cov" in call for call in calls) for variant, calls in started("--coverage").items()}
    assert measured == {"embedded": 1, "distributed": 0}


@pytest.mark.parametrize(
    ("tallies", "whole", "chosen"),
    [
        ([Tally(passed=3), Tally(passed=2)], True, True),
        ([Tally(passed=3), Tally()], False, True),
        ([Tally(), Tally()], False, False),
        ([Tally(passed=3), Tally(passed=2, failed=1)], False, False),
        ([Tally(passed=3), Tally(passed=2, broken=["parallel ended with exit code 3"])], False, False),
    ],
)
def test_a_run_is_good_when_tests_passed_and_none_failed(tallies, whole, chosen):
    assert judged(tallies, chosen_tests=False) is whole
    assert judged(tallies, chosen_tests=True) is chosen


def test_the_tests_inherit_no_make_no_database_and_no_order_to_compile_anew(monkeypatch, tmp_path):
    """What they start would take itself for a part of `make test`, or compile every module each time."""
    given = {"MAKEFLAGS": "w", "MFLAGS": "-w", "MAKELEVEL": "1", "DATABASE_URL": "postgres://x", "OTHER": "kept"}
    for name, value in {**given, "PYTHONDONTWRITEBYTECODE": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    env = run.base_environment(tmp_path)
    assert [name for name in given if name in env] == ["OTHER"]
    assert "PYTHONDONTWRITEBYTECODE" not in env and env["PYTHONPYCACHEPREFIX"] == str(tmp_path / "compiled")
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    assert "PYTHONPYCACHEPREFIX" not in run.base_environment(tmp_path), "beside the code, where all find it"


STUBBORN = "import signal, time; signal.signal(2, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
FAMILY = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {STUBBORN!r}]).wait()"


def test_what_is_stopped_leaves_no_process_behind(monkeypatch):
    """Also where pytest and what it started do not listen."""
    monkeypatch.setattr(run, "STOP_SECONDS", 0.5)
    process = subprocess.Popen([sys.executable, "-c", FAMILY], stdout=subprocess.PIPE, process_group=0)
    assert process.stdout.readline() == b"up\n"
    [child] = psutil.Process(process.pid).children()
    try:
        run._stop(process)
        psutil.wait_procs([child], timeout=10)
        assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
    finally:
        with suppress(psutil.NoSuchProcess):
            child.kill()
        process.stdout.close()
    assert process.poll() is not None

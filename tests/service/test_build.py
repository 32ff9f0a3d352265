"""What a newcomer meets before any Python of ours runs, and what judges the tests: Makefile, CI, runner."""

import os
import re
import shutil
import subprocess

import pytest

from tests.live import ROOT
from tests.run import Tally
from tests.selection import LEFT_OUT, LONG, ONCE, PURE, SAMPLED, left_out, proofs

MAKE = shutil.which("make")
OLD_PYTHON = "#!/bin/sh\nexit 1\n"
# Knows its version, but not how to make environments: as Debian ships it without python3-venv.
BARE_PYTHON = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; *) exit 0;; esac\n'
REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><skipped message="no browser"/></testcase>
<testcase name="c"><failure/></testcase><testcase name="d"><error/></testcase>
<testcase name="e"><skipped message="no browser"/></testcase>
</testsuite></testsuites>"""


def make_environment(folder, programs):
    """`make .venv/bin/python` in an empty folder, where only these programs can be found."""
    found = folder / "bin"
    found.mkdir()
    for name, text in programs.items():
        (found / name).write_text(text)
        (found / name).chmod(0o755)
    for name in ("rm", "touch"):
        (found / name).symlink_to(shutil.which(name))
    return subprocess.run(
        [MAKE, "-f", str(ROOT / "Makefile"), ".venv/bin/python"],
        cwd=folder,
        env={"PATH": str(found)},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("programs", [{}, {"python3.11": OLD_PYTHON, "python3": OLD_PYTHON}])
def test_without_a_python_of_the_right_age_make_says_what_to_do(tmp_path, programs):
    result = make_environment(tmp_path, programs)
    assert result.returncode != 0
    assert "No Python 3.11 or newer was found. Install one, or name it: make PYTHON=" in result.stderr
    assert not (tmp_path / ".venv").exists()


def test_without_the_means_to_make_an_environment_make_says_what_to_install(tmp_path):
    result = make_environment(tmp_path, {"python3": BARE_PYTHON})
    assert result.returncode != 0
    assert "python3 cannot make virtual environments. On Debian or Ubuntu: sudo apt-get install python3-venv" in (
        result.stderr
    )


def test_half_an_environment_is_not_left_behind(tmp_path):
    broken = '#!/bin/sh\n[ "$2" = venv ] || exit 0\nmkdir -p .venv/bin; touch .venv/bin/python; exit 9\n'
    result = make_environment(tmp_path, {"python3": broken, "mkdir": '#!/bin/sh\nexec /bin/mkdir "$@"\n'})
    assert result.returncode != 0
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("code", [0, 3])
def test_continuous_integration_ends_as_the_tests_do(tmp_path, code):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    (tmp_path / "Makefile").write_text(f"test:\n\t@exit {code}\n")
    script = tmp_path / ".ci" / "run"
    assert os.access(script, os.X_OK)
    result = subprocess.run(
        [script], cwd="/", env={"PATH": os.environ["PATH"], "CI": "true"}, stdin=subprocess.DEVNULL
    )
    assert bool(result.returncode) == bool(code)


def test_the_runner_counts_every_outcome_and_every_reason(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    tally = Tally()
    tally.add(report)
    assert (tally.passed, tally.failed, tally.skipped) == (1, 2, {"no browser": 2})
    assert not tally.clean
    assert tally.line("embedded") == "embedded: 2 failed, 1 passed, 2 skipped in 0.0s"


def test_what_runs_once_is_there_and_is_left_out_of_one_variant_only():
    for path, _, name in (each.partition("::") for paths in LEFT_OUT.values() for each in paths):
        assert (ROOT / path).exists(), path
        word = name.split("::")[-1].partition("[")[0]
        assert not name or re.search(rf"^ *(def|class) {word}\b", (ROOT / path).read_text(), re.MULTILINE), name
    once, twice = (set(ONCE[variant]) for variant in ("embedded", "distributed"))
    assert not [(path, other) for path in once for other in twice if path.startswith(other) or other.startswith(path)]
    options = left_out("distributed")
    assert [option.partition("=")[2] for option in options] == list(LEFT_OUT["distributed"])
    assert {option.partition("=")[0] for option in options if "::" in option} == {"--deselect"}


def test_what_takes_long_runs_as_a_proof_on_some_variant():
    """And what takes samples runs in each test run, and as a proof, too."""
    every = {path.partition("[")[0] for path in (*LONG, *SAMPLED)}
    assert {path for variant in ONCE for path in proofs(variant)} == every
    assert all(set(LONG) <= set(paths) for paths in LEFT_OUT.values())
    assert not [path for path in SAMPLED if all(path in paths for paths in LEFT_OUT.values())]
    for path in SAMPLED:
        assert "tests.amounts import" in (ROOT / path).read_text(), path


def test_what_is_called_pure_touches_no_database():
    words = ("django_db", "cast", "Factory(", "transactional_db")
    found = [
        (file.name, word)
        for path in PURE
        for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("test_*.py"))
        for word in words
        if re.search(rf"\b{re.escape(word)}", file.read_text())
    ]
    assert not found

"""The whole test suite: `python -m tests.run [--variant NAME] [pytest arguments]`.

There are two variants of the service: `embedded` (SQLite, a queue in a folder, a cache on disk) and `distributed`
(PostgreSQL, Valkey for queue and cache; servers are started where the environment names none). Tests run on both,
but for those that know no variant or say most on one (see `LEFT_OUT`). With `--proofs` only the long proofs run, and
all of what tests otherwise take a sample of, and SQLite gives rows that nothing orders the other way round; with
`--everything` each test runs on each variant.
Three processes share the files of tests, on two cores: some tests wait, for processes to start and for leases to end,
and each process has to find all tests first.
With `--coverage`, which takes as much time again, those of the first variant that start no processes must reach 90 %
of the lines. Ends with a line for each variant and with every skipped test, counted by its reason.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.selection import LEFT_OUT, left_out, proofs
from tests.servers import distributed_environment
from tests.template import template_database

ROOT = Path(__file__).resolve().parent.parent
COVERAGE_AT_LEAST = 90
WITH_PROCESSES = "crash or server or browser"
SHARED = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
PHASES = {"all": SHARED}
WITH_COVERAGE = {
    "measured": [*SHARED, "-m", f"not ({WITH_PROCESSES})"],
    "with processes": [*SHARED, "-m", WITH_PROCESSES],
}
"""What is killed measures nothing, and what is measured takes twice as long."""
COVERED = ("embedded", "measured")
NO_TESTS = 5
OURS = ("DATABASE_URL", "BROKER_URL", "CACHE_URL", "VAR_DIR", "DJANGO_SETTINGS_MODULE", "SECRET_KEY", "PORT")
"""What a variant sets itself: a value from outside would blur what is tested."""
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
"""What `make test` hands down: a make that a test starts would take itself for a part of it, and say so."""
STOP_SECONDS = 20


@dataclass
class Tally:
    """What the tests of one variant came to."""

    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    broken: list[str] = field(default_factory=list)

    def add(self, report: Path) -> None:
        """Count the outcomes of one pytest run from its JUnit report."""
        for case in ElementTree.parse(report).iter("testcase"):
            skip = case.find("skipped")
            if skip is not None:
                self.skipped[skip.get("message") or "no reason"] += 1
            elif case.find("failure") is not None or case.find("error") is not None:
                self.failed += 1
            else:
                self.passed += 1

    @property
    def clean(self) -> bool:
        """Whether nothing failed, and pytest ended as it should."""
        return not self.failed and not self.broken

    def line(self, variant: str) -> str:
        """The closing line, in pytest's form."""
        parts = [f"{self.failed} failed"] if self.failed else []
        parts += [f"{self.passed} passed", f"{self.skipped.total()} skipped"]
        return f"{variant}: {', '.join(parts + self.broken)} in {self.seconds:.1f}s"


@contextmanager
def embedded(env: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Nothing to start but the tests: the service brings its own."""
    with (
        tempfile.TemporaryDirectory(prefix="tests-template-") as folder,
        template_database({**env, "VAR_DIR": folder}, Path(folder)) as template,
    ):
        yield {**env, **template}


@contextmanager
def distributed(env: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """PostgreSQL and Valkey, where the environment names none."""
    with (
        tempfile.TemporaryDirectory(prefix="tests-template-") as folder,
        distributed_environment() as named,
        template_database({**env, **named, "VAR_DIR": folder}, Path(folder)) as template,
    ):
        yield {**env, **named, **template}


VARIANTS = {"embedded": embedded, "distributed": distributed}


def run_variant(variant: str, folder: Path, arguments: list[str], with_coverage: bool) -> Tally:
    """Run every phase on one variant with these arguments of pytest. Reports and coverage go below `folder`."""
    tally, began = Tally(), time.monotonic()
    with VARIANTS[variant](base_environment(folder)) as named:
        for phase, options in (WITH_COVERAGE if with_coverage else PHASES).items():
            print(f"\n===== {variant}: {phase} =====", flush=True)
            report = folder / f"{variant}-{phase}.xml"
            state = folder / f"{variant}-{phase}"
            state.mkdir()
            measured = ["--cov", "--cov-report="] if with_coverage and (variant, phase) == COVERED else []
            code = run_pytest(
                [*options, *measured, f"--junitxml={report}", *arguments],
                {
                    **named,
                    "TEST_VARIANT": variant,
                    "VAR_DIR": str(state),
                    "COVERAGE_FILE": str(folder / f".coverage.{variant}.{phase}"),
                },
            )
            if code not in (0, 1, NO_TESTS):
                tally.broken.append(f"{phase} ended with exit code {code}")
            if report.exists():
                tally.add(report)
    tally.seconds = time.monotonic() - began
    return tally


def selected(variant: str, everything: bool, only_proofs: bool) -> list[str]:
    """The options that choose the tests of a variant."""
    if only_proofs:
        return proofs(variant)
    return [] if everything else left_out(variant)


def base_environment(folder: Path) -> dict[str, str]:
    """What the tests inherit: nothing that names a database or a make; compiled files are kept for the processes that
    they start by the hundred, in the folder where they are not wanted beside the code."""
    env = {name: value for name, value in os.environ.items() if name not in (*OURS, *OF_MAKE)}
    if env.pop("PYTHONDONTWRITEBYTECODE", ""):
        env.setdefault("PYTHONPYCACHEPREFIX", str(folder / "compiled"))
    return env


def judged(tallies: list[Tally], chosen_tests: bool) -> bool:
    """Whether the run is good: nothing failed, and tests passed on each variant, or, of chosen tests, on any."""
    ran = [tally.passed > 0 for tally in tallies]
    return all(tally.clean for tally in tallies) and (any(ran) if chosen_tests else all(ran))


def run_pytest(arguments: list[str], env: dict[str, str]) -> int:
    """Run pytest to its end and return its exit code; when this process is stopped, all of pytest is stopped too."""
    command = [sys.executable, "-m", "pytest", "--durations=8", "--durations-min=5"]
    process = subprocess.Popen([*command, *arguments], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, process_group=0)
    try:
        return process.wait()
    except BaseException:
        _stop(process)
        raise


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask pytest to end, which lets tests put away what they started, and kill what is left of its group."""
    process.send_signal(signal.SIGINT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def coverage(folder: Path, report_only: bool) -> bool:
    """Join the coverage of all processes, print the files below the aim, and say whether the total reaches it."""
    env = {**os.environ, "COVERAGE_FILE": str(ROOT / ".coverage")}
    run = [sys.executable, "-m", "coverage"]
    subprocess.run([*run, "combine", "-q", str(folder)], cwd=ROOT, env=env, check=False)
    aim = [] if report_only else [f"--fail-under={COVERAGE_AT_LEAST}"]
    return subprocess.run([*run, "report", "--skip-covered", *aim], cwd=ROOT, env=env, check=False).returncode == 0


def main() -> int:
    """Run the chosen variants and return 0 only when all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", choices=VARIANTS, help="only this one")
    parser.add_argument("--everything", action="store_true", help="each test on each variant; takes an hour")
    parser.add_argument("--coverage", action="store_true", help="measure which lines the first variant's tests reach")
    parser.add_argument("--proofs", action="store_true", help="only the long proofs, and samples as wholes")
    chosen, arguments = parser.parse_known_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    names = [chosen.variant] if chosen.variant else list(VARIANTS)
    if chosen.everything or chosen.proofs:
        os.environ["PROOFS"] = "1"
    if chosen.proofs:
        os.environ["TEST_ROWS_REVERSED"] = "1"
    with tempfile.TemporaryDirectory(prefix="brand-visibility-tests-", ignore_cleanup_errors=True) as folder:
        tallies = {
            name: run_variant(
                name, Path(folder), [*selected(name, chosen.everything, chosen.proofs), *arguments], chosen.coverage
            )
            for name in names
        }
        covered = not chosen.coverage or coverage(Path(folder), report_only=bool(arguments))
    for name, tally in tallies.items():
        for reason, count in sorted(tally.skipped.items()):
            print(f"SKIPPED on {name}: {count} × {reason}")
    print(f"Skipped in all: {sum(tally.skipped.total() for tally in tallies.values())}")
    if not (chosen.everything or chosen.proofs):
        for name in names:
            print(f"Left out on {name} (--everything runs them there, too): {', '.join(LEFT_OUT[name])}")
    if not covered:
        print(f"Line coverage is below {COVERAGE_AT_LEAST} %.")
    for name, tally in tallies.items():
        print(f"===== {tally.line(name)} =====", flush=True)
    return 0 if covered and judged(list(tallies.values()), chosen_tests=bool(arguments)) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Plants one fault at a time in a copy of the tree and runs the tests that should notice it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent.parent
NOT_COPIED = shutil.ignore_patterns(
    ".venv", ".git", "var", "__pycache__", ".*_cache", ".hypothesis", "htmlcov", ".coverage*"
)
AT_ONCE = 2
SECONDS = 300
PASSED, FAILED = 0, 1
"""Exit codes of pytest; every other one says that the tests could not be run."""


@dataclass(frozen=True)
class Fault:
    """A fault: the exact `text` of `file`, found there once, becomes `replacement`; one of `tests` must fail."""

    name: str
    file: str
    text: str
    replacement: str
    tests: tuple[str, ...]

    def planted(self, source: str) -> str:
        """The source with the fault in it. Raises LookupError when the text is not there exactly once."""
        found = source.count(self.text)
        if found != 1 or self.text == self.replacement:
            raise LookupError(f"{self.name}: its text is found {found} times in {self.file}, not once: {self.text!r}")
        return source.replace(self.text, self.replacement)


@contextmanager
def copies(number: int) -> Iterator[SimpleQueue[Path]]:
    """Copies of the tree to plant faults in; the working tree is never touched."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        queue: SimpleQueue[Path] = SimpleQueue()
        for index in range(number):
            copy = Path(folder, str(index))
            shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
            queue.put(copy)
        yield queue


def run_tests(copy: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run the named tests of a copy until the first failure."""
    kept = ("VAR_DIR", "PYTEST_XDIST_WORKER", "COVERAGE_PROCESS_CONFIG")
    env = {name: value for name, value in os.environ.items() if name not in kept}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=copy,
        # Compiled files are told apart by their time in seconds: too coarse for faults that follow at once.
        # Tests that take samples look at all there is.
        env={**env, "PYTHONDONTWRITEBYTECODE": "1", "PROOFS": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def verdict(fault: Fault, queue: SimpleQueue[Path]) -> str:
    """Plant the fault in a free copy, run its tests, take it out again. Empty when a test failed as it should."""
    copy = queue.get()
    try:
        file = copy / fault.file
        healthy = file.read_text()
        file.write_text(fault.planted(healthy))
        try:
            result = run_tests(copy, fault.tests)
        finally:
            file.write_text(healthy)
    except (LookupError, OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    finally:
        queue.put(copy)
    if result.returncode == FAILED:
        return ""
    if result.returncode == PASSED:
        return f"{fault.name}: no test of {', '.join(fault.tests)} noticed it"
    return f"{fault.name}: the tests could not be run:\n{result.stdout[-2000:]}{result.stderr[-2000:]}"


def try_faults(faults: Sequence[Fault]) -> list[str]:
    """Try every fault, print a line for each, and return what is wrong with the tests or with the list."""
    with copies(AT_ONCE) as queue:
        copy = queue.get()
        healthy = run_tests(copy, sorted({test for fault in faults for test in fault.tests}))
        queue.put(copy)
        if healthy.returncode != PASSED:
            return [f"The tests fail without any fault:\n{healthy.stdout[-4000:]}{healthy.stderr[-2000:]}"]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            problems = []
            for fault, problem in zip(faults, pool.map(lambda fault: verdict(fault, queue), faults), strict=True):
                print(f"{'MISSED' if problem else 'noticed':8} {fault.name}", flush=True)
                problems.extend([problem] if problem else [])
    return problems

"""The tests pass at every hour: those that read a clock are run again at moments at which clocks are awkward."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

READS_A_CLOCK = re.compile(r"timezone\.now\(|datetime\.now\(|date\.today\(|\btime\.time\(")
MOMENTS = [
    ("2026-12-31 23:59:50", "UTC"),
    ("2028-02-29 12:00:00", "UTC"),
    ("2026-11-29 08:30:00", "UTC"),  # when a provider's prices are double
    ("2027-03-28 01:59:50", "Europe/Berlin"),  # the clock is put forward
    ("2026-06-30 23:59:50", "Pacific/Auckland"),
]


def files_that_read_a_clock() -> list[str]:
    files = [file for file in ROOT.glob("tests/*/test_*.py") if READS_A_CLOCK.search(file.read_text())]
    return sorted({str(file) for file in files} | {str(ROOT / "tests" / room) for room in ("demo", "engines")})


@pytest.mark.proof
@pytest.mark.parametrize(("moment", "zone"), MOMENTS)
def test_what_reads_a_clock_passes_at_any_moment(moment, zone):
    if not (faketime := shutil.which("faketime")):
        pytest.skip("There is no faketime on this machine (Debian: apt-get install faketime).")
    inherited = {name: text for name, text in os.environ.items() if name not in ("DATABASE_URL", "VAR_DIR")}
    command = [faketime, moment, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *files_that_read_a_clock()],
        cwd=ROOT,
        env=inherited | {"TZ": zone},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3_000:]

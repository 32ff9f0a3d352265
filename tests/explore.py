"""Looks further than `make test`: the properties with random examples and ids, again and again for some minutes.

`python -m tests.explore [--minutes N] [pytest arguments]`. Each example that breaks a property is written into its
test as an `@example`, by the patch that hypothesis makes of it, so that `make test` tries it from then on. What
cannot be written so is told with the seeds that show it again. Returns 1 when anything was broken.
"""

import argparse
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATCHES = ROOT / ".hypothesis" / "patches"
FAILED = 1


def explore_once(arguments: list[str]) -> int:
    """Run the properties once with new seeds; the exit code of pytest."""
    seed, ids = secrets.randbits(32), secrets.token_hex(4)
    command = [sys.executable, "-m", "pytest", "-q", "-m", "hypothesis", "--hypothesis-profile=explore"]
    code = subprocess.run(
        [*command, f"--hypothesis-seed={seed}", *arguments],
        cwd=ROOT,
        env={**os.environ, "TEST_SEED": ids},
        check=False,
    ).returncode
    if code:
        again = " ".join([*command[1:], f"--hypothesis-seed={seed}", *arguments])
        print(f"Broken. To see it again: TEST_SEED={ids} python {again}", flush=True)
    return code


def keep(patch: Path) -> bool:
    """Write the examples of a patch into the tests; False where it does not fit."""
    done = subprocess.run(["git", "apply", "--whitespace=nowarn", str(patch)], cwd=ROOT, check=False)
    if done.returncode == 0:
        print(
            f"Kept as @example: {patch.name}. See `git diff`, import `example`, mend the fault.",
            flush=True,
        )
    return done.returncode == 0


def main() -> int:
    """Explore until the time is over, or until something breaks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="begin no further round after so many minutes")
    chosen, arguments = parser.parse_known_args()
    known = set(PATCHES.glob("*.patch"))
    deadline, rounds = time.monotonic() + 60 * chosen.minutes, 0
    while not rounds or time.monotonic() < deadline:
        rounds += 1
        code = explore_once(arguments)
        if code:
            for patch in sorted(set(PATCHES.glob("*.patch")) - known):
                keep(patch)
            return FAILED
    print(f"{rounds} rounds with random examples and ids: nothing was broken.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

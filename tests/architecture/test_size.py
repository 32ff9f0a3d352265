"""Functions stay small enough to be read at once."""

import subprocess
import sys

import pytest

from tests.architecture.sources import ROOT, sources

MAX_FUNCTION_LINES = 60
MAX_COMPLEXITY = 10


def test_functions_fit_on_a_screen():
    long = [
        f"{source.path}:{function.lineno} {function.name}(): {length}"
        for source in sources()
        for function in source.functions()
        if (length := (function.end_lineno or function.lineno) - function.lineno + 1) >= MAX_FUNCTION_LINES
    ]
    assert not long, "\n".join(long)


def branching(complexity):
    """A function of that complexity: one, and one more for each branch."""
    branches = "".join(f"    if number == {branch}:\n        number += 1\n" for branch in range(complexity - 1))
    return f"def count(number):\n{branches}    return number\n"


@pytest.mark.parametrize("file", ["visibility/services/planted.py", "tests/planted.py", "config/planted.py"])
def test_the_style_check_refuses_functions_of_more_ways_than_ten(file):
    for complexity, refused in ((MAX_COMPLEXITY, False), (MAX_COMPLEXITY + 1, True)):
        command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--quiet", "--stdin-filename", file, "-"]
        done = subprocess.run(
            command, cwd=ROOT, input=branching(complexity), capture_output=True, text=True, timeout=60
        )
        assert ("C901" in done.stdout) is refused, done.stdout + done.stderr

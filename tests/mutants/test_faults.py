"""The list of faults stays true to the code: each text is found once, each named test exists."""

import tomllib
from functools import cache

from tests.mutants.faults import FAULTS
from tests.mutants.harness import ROOT


@cache
def text_of(path):
    return (ROOT / path).read_text()


def problem_of(fault):
    """Why the fault cannot be planted; empty where it can."""
    try:
        faulty = fault.planted(text_of(fault.file))
        if fault.file.endswith(".toml"):
            tomllib.loads(faulty)
        else:
            compile(faulty, fault.file, "exec")
    except (LookupError, OSError, SyntaxError, tomllib.TOMLDecodeError) as error:
        return f"{fault.name}: {error}"
    return ""


def test_there_are_at_least_thirty_and_each_has_its_own_name():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 30


def test_each_fault_can_be_planted():
    assert [problem for fault in FAULTS if (problem := problem_of(fault))] == []


def test_the_tests_of_each_exist():
    named = {(fault.name, test) for fault in FAULTS for test in fault.tests}
    assert {name for name, _ in named} == {fault.name for fault in FAULTS}
    missing = []
    for name, test in sorted(named):
        path, _, function = test.partition("::")
        if not (ROOT / path).exists() or function not in (text_of(path) if function else ""):
            missing.append((name, test))
    assert missing == []

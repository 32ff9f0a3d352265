"""The list of faults stays true to the code: each text is found once, each named test exists."""

import tomllib

import pytest

from tests.mutants.faults import FAULTS
from tests.mutants.harness import ROOT


def test_there_are_at_least_thirty_and_each_has_its_own_name():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 30


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_fault_can_be_planted(fault):
    source = (ROOT / fault.file).read_text()
    faulty = fault.planted(source)
    if fault.file.endswith(".toml"):
        tomllib.loads(faulty)
    else:
        compile(faulty, fault.file, "exec")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_its_tests_exist(fault):
    assert fault.tests
    for test in fault.tests:
        path, _, name = test.partition("::")
        assert (ROOT / path).exists()
        assert not name or name in (ROOT / path).read_text()

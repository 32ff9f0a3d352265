"""Intervals cover the truth and alarms are true, on days drawn from known populations."""

from dataclasses import replace

import pytest

from tests.measurement.simulate import FULL, REDUCED, run


def test_a_sample_of_the_grid_keeps_every_promise():
    sample = replace(
        REDUCED,
        days=500,
        months=250,
        populations=REDUCED.populations[3::29],
        designs=REDUCED.designs[::11],
        proofs=REDUCED.proofs[::5],
        months_null=REDUCED.months_null[::7],
        months_step=REDUCED.months_step[:1],
    )
    assert run(sample) == []


@pytest.mark.proof
def test_the_full_grid_keeps_every_promise():
    assert run(FULL) == []

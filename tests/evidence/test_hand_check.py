"""The claims found over the saved pages are those that somebody judged, and enough of them are right."""

from tests.amounts import some
from tests.evidence.brands import NAMES, brands
from tests.evidence.hand_check import found, judged

MIN_PRECISION = 0.9
MIN_CLAIMS = 40
SAMPLE = 6
"""Each so-manieth brand is read, but for proofs."""


def test_every_claim_was_judged(reference_data):
    read = list(brands(reference_data, some(NAMES, SAMPLE)))
    files = {file for _, pages in read for file, _ in pages}
    of_these = {row for row in judged() if row.page in files}
    assert of_these
    assert set(found(read)) == of_these, (
        "run python -m tests.evidence.hand_check, read what is new, and write its verdict down"
    )


def test_enough_claims_are_right():
    verdicts = judged()
    assert len(verdicts) >= MIN_CLAIMS
    assert sum(verdict == "right" for verdict in verdicts.values()) >= MIN_PRECISION * len(verdicts)

"""The claims found over the saved pages are those that somebody judged, and enough of them are right."""

from tests.evidence.hand_check import found, judged

MIN_PRECISION = 0.9
MIN_CLAIMS = 40


def test_every_claim_was_judged_and_enough_are_right(reference_data):
    rows, verdicts = list(found(reference_data)), judged()
    assert len(rows) >= MIN_CLAIMS
    assert set(rows) == set(verdicts), (
        "run python -m tests.evidence.hand_check, read what is new, and write its verdict down"
    )
    assert sum(verdict == "right" for verdict in verdicts.values()) >= MIN_PRECISION * len(verdicts)

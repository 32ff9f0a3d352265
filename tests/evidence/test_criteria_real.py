"""Criteria of 408 real answers: every quote is where it says, and what a person judged by hand is what comes out."""

import re
from pathlib import Path

import pytest

from tests.evidence.answer_texts import real_answers, untrue
from visibility.evidence.criteria import find_criteria

JUDGED = Path(__file__).parents[2] / "docs/evidence-criteria.md"
_ROW = re.compile(r"\| (?P<topic>[a-z0-9-]+) \| (?P<label>[^|]+) \| (?P<k>\d+) of (?P<n>\d+) \| (?P<label_right>right|wrong) \| (?P<winner>[^|]*) \|(?: (?P<winner_right>right|wrong))? \|")
MAX_QUOTE = 400


@pytest.fixture(scope="module")
def answers(request):
    return real_answers(request.getfixturevalue("folder"))


@pytest.fixture(scope="module")
def folder():
    from tests.conftest import REFERENCE_DATA

    if not REFERENCE_DATA.is_dir():
        pytest.skip(f"no reference data at {REFERENCE_DATA} (set REFERENCE_DATA)")
    return REFERENCE_DATA

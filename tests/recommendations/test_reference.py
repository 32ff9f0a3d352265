"""The page of the kinds is that of the kinds."""

from tests.recommendations.reference import FILE, reference
from visibility.insights.recommendations.kinds import KINDS
from visibility.models import Recommendation


def test_the_page_of_the_kinds_says_what_they_do():
    assert FILE.read_text() == reference(KINDS), "python -m tests.recommendations.reference --write"


def test_each_kind_is_there_once_with_a_budget_and_a_reason():
    ids = [kind.id for kind in KINDS]
    assert len(ids) == len(set(ids)) and set(ids) <= set(Recommendation.Kind.values)
    assert all(kind.reason.endswith(".") and kind.max_open > 0 for kind in KINDS)

"""Whoever recomputes a figure from the answers alone gets the same."""

import pytest
from django.core.management import call_command

from tests.factories import UserFactory
from tests.reference import reference_file
from tests.scores.recompute import recompute
from visibility.models import DailyScore


@pytest.mark.django_db
@pytest.mark.parametrize(
    "names", [["Garmin", "Coros", "Polar"], pytest.param(["Sony", "LG", "Bose"], marks=pytest.mark.proof)]
)
def test_scores_and_intervals_of_real_answers_are_those_that_anybody_computes_from_the_file(names):
    """Of names that mean nothing else: what a name means is the detector's, and no part of this."""
    path = reference_file("real-answers/answers.jsonl")
    brand, *rivals = names
    competitors = [part for name in rivals for part in ("--competitor", name, f"{name.lower()}.com")]
    owner = UserFactory().email
    call_command("import_answers", path, "--new-brand", brand, f"{brand.lower()}.com", "--owner", owner, *competitors)
    days = DailyScore.objects.filter(competitor=None).exclude(date=None).values_list("date", flat=True)
    assert days
    for day in days:
        expected = recompute(path, str(day), names)
        scores = DailyScore.objects.filter(date=day).select_related("competitor")
        stored = {row.competitor.name if row.competitor else brand: (row.score, row.low, row.high) for row in scores}
        assert stored == {name: pytest.approx(figures, abs=0.011) for name, figures in expected.items()}

"""Reports over real answers: what is recommended first is worth doing, about what the brand sells, and traceable."""

from collections import Counter

import pytest

from apikeys.caller import Caller
from tests.amounts import PROOFS
from tests.factories import UserFactory
from tests.reports import report
from tests.reports.world import first_reported, reported
from visibility.models import Answer, Citation

MIN_WORTH = 0.8


def test_most_of_what_is_recommended_is_worth_doing():
    verdicts = Counter(row.verdict for rows in report.judgements().values() for row in rows.values())
    assert verdicts["act"] + verdicts["maybe"] >= MIN_WORTH * verdicts.total()
    assert verdicts.total() >= 30


@pytest.mark.django_db
def test_reports_are_those_of_today_and_every_line_is_traceable(reference_data):
    owner = UserFactory(email="you@example.com")
    judged = report.judgements()
    made = reported if PROOFS else first_reported
    for name, brand in made(reference_data / "real-answers" / "answers.jsonl", owner).items():
        rows = report.top_of(Caller.from_user(owner), brand)
        of_brand = judged.get(name, {})
        assert {row.title for row in rows} == of_brand.keys()
        assert (report.FOLDER / f"{name.casefold()}.md").read_text() == report.page(brand, rows, of_brand)
        for item in [item for row in rows for item in row.evidence]:
            assert_traceable(item)


def assert_traceable(item):
    """A quote stands in its answer; a page is one that the answer cites."""
    if item.kind == "answer":
        assert item.text.strip("… ") in Answer.objects.get(pk=item.answer_id).text
    if item.kind == "citation":
        assert Citation.objects.filter(answer=item.answer_id, url=item.url).exists()

"""Answers that are older than the operator keeps them."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from visibility import jobs
from visibility.models import Answer, Cell, DailyScore, Mention
from visibility.scores.recount import rescore
from visibility.scores.retention import delete_answers

THIRD = date(2026, 1, 3)


def scores(brand):
    days = DailyScore.objects.filter(brand=brand, competitor=None).exclude(date=None)
    return {row.date: row.score for row in days}


def test_answers_before_the_day_go_with_all_that_was_found_in_them(brand):
    assert delete_answers(THIRD) == 2
    assert {answer.run.day for answer in Answer.objects.select_related("run")} == {
        THIRD + timedelta(n) for n in (0, 1, 2)
    }
    assert not Cell.objects.filter(day__lt=THIRD).exists()
    assert not Mention.objects.exclude(answer__in=Answer.objects.all()).exists()


def test_scores_stay_also_when_history_is_written_again(brand):
    before = scores(brand)
    delete_answers(THIRD)
    rescore(brand.pk)
    assert scores(brand) == before


@pytest.mark.parametrize(("days", "left"), [(0, True), (7, False)])
def test_nothing_goes_unless_the_operator_says_after_how_many_days(brand, settings, days, left):
    assert timezone.now().date() > date(2026, 1, 20)
    settings.ANSWER_DAYS = days
    jobs.purge(0)
    assert Answer.objects.exists() is left

"""Askings for which no AI answer was shown: a result with a denominator of its own, and no failure."""

import pytest

from tests.counts.conftest import asked, measured
from visibility.answers.detect import BRAND
from visibility.counts.figures import figures_of, left_out_of
from visibility.counts.reader import select_now
from visibility.models import Answer, Cell, DailyScore, Run

pytestmark = pytest.mark.django_db
OVERVIEW = "google_ai_overview"


def overviews(shown, of=10, named=("Kryton", "Kryton"), day=1, topics=("locks",), **more):
    """Overviews of which the first so many of each topic's prompts are shown."""
    for topic in topics:
        for place, line in enumerate(asked(OVERVIEW, day, *named, of=of, topic=topic, **more)):
            yield line if place < shown else {**line, "text": "", "absent": True}


def figures(brand):
    return select_now(brand).figures[BRAND].by_engine[f"{OVERVIEW} imported"]


def test_four_of_ten_overviews_have_a_score_among_four_and_are_shown_in_four_of_ten():
    brand = measured(overviews(4))
    run = Run.objects.get()
    assert (run.status, run.total, run.done, run.failed) == ("succeeded", 10, 10, 0)
    found = figures(brand)
    assert (found.score.value, found.answers, found.mentioned) == (50, 4, 2)
    assert (found.prompts, found.asked, found.shown.value) == (4, 10, 40)
    assert left_out_of(select_now(brand)) == [], "the engine counts"
    assert DailyScore.objects.of_brand(brand).get(date="2026-01-01").figures["failed"] == 0


@pytest.mark.parametrize("shown", [0, 4, 7, 10])
def test_an_engine_counts_however_few_of_its_answers_are_shown(shown):
    brand = measured(overviews(shown))
    assert [key[0] for key in select_now(brand).engines] == [OVERVIEW]
    assert DailyScore.objects.of_brand(brand).filter(date="2026-01-01").exists()


def test_where_nothing_is_shown_there_is_no_score_and_never_0():
    brand = measured(overviews(0))
    found = figures(brand)
    assert (found.score.value, found.shown.value, found.prompts, found.asked) == (None, 0, 0, 10)
    assert figures_of(select_now(brand)).score is None


def test_answers_that_failed_still_keep_an_engine_from_counting():
    brand = measured(overviews(4))
    for pk in Answer.objects.absent().values_list("version", flat=True)[:3]:
        Cell.objects.filter(version=pk).update(absent=0, failed=1)
    assert not select_now(brand).engines


def test_the_mean_over_engines_takes_an_engine_that_shows_nothing_for_none():
    brand = measured(overviews(0), asked("chatgpt", 1, *("Kryton",) * 4))
    now = figures_of(select_now(brand))
    assert (now.score, now.answers) == (100, 4)


@pytest.mark.parametrize(("topics", "has_interval"), [(3, False), (4, True)])
def test_below_four_topics_shown_there_is_a_score_and_no_interval(topics, has_interval):
    names = [f"topic {number}" for number in range(6)]
    lines = [*overviews(2, 3, topics=names[:topics], samples=2), *overviews(0, 3, topics=names[topics:], samples=2)]
    found = figures(measured(lines))
    assert found.topics == topics and found.score.value is not None
    assert (found.score.topic is not None, found.score.panel is not None) == (has_interval, has_interval)
    assert found.shown.topic is not None, "six topics were asked"


def test_how_often_an_answer_is_shown_counts_askings_and_prompts():
    lines = [*overviews(1, 2, samples=3)]  # of one prompt one of three, of the other none
    found = figures(measured(lines))
    assert (found.prompts, found.asked) == (1, 2)
    assert found.shown.value == pytest.approx(100 / 6)
    assert found.shown.panel.low < found.shown.value < found.shown.panel.high


def test_an_engine_that_always_answers_has_no_such_figure():
    brand = measured(overviews(4), asked("chatgpt", 1, "Kryton"))
    others = select_now(brand).figures[BRAND].by_engine["chatgpt imported"]
    assert others.shown is None and others.asked == others.prompts == 4

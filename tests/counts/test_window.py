"""The window of now: which days of which engines, and which wordings, every figure counts."""

from datetime import date

import pytest

from tests.counts.conftest import SYSTEM, add, asked, measured
from tests.factories import ChangeRecordFactory
from visibility.counts.figures import figures_of, left_out_of
from visibility.counts.past import select_prompt
from visibility.counts.reader import select_between, select_days, select_now
from visibility.models import Cell, Prompt, RunEngine, Topic
from visibility.prompts.services import archive_prompt, reword_prompt

pytestmark = pytest.mark.django_db
YES = ("Kryton",) * 4


def base(brand):
    """How many answers of which days, by engine."""
    now = select_now(brand)
    answers = dict.fromkeys((key[0] for key in now.engines), 0)
    for each in now.sums:
        if each.subject is None:
            answers[each.engine] += each.answers
    return {name: (answers[name], first.day, last.day) for (name, _), (first, last) in now.engines.items()}


def test_each_engine_has_its_last_day_and_the_six_before_it():
    brand = measured(*(asked("chatgpt", day) for day in (1, 2, 8)), *(asked("gemini", day) for day in (1, 2)))
    assert base(brand) == {"chatgpt": (8, 2, 8), "gemini": (8, 1, 2)}


@pytest.mark.parametrize(
    ("cadence", "last", "is_in_use"),
    [("manual", 15, True), ("manual", 16, False), ("weekly", 16, False), ("monthly", 31, True)],
)
def test_an_engine_is_in_use_for_two_weeks_or_one_and_a_half_cadences(cadence, last, is_in_use):
    brand = measured(asked("gemini", 1), asked("chatgpt", last))
    type(brand).objects.filter(pk=brand.pk).update(cadence=cadence)
    brand.refresh_from_db()
    assert ("gemini" in base(brand)) is is_in_use
    assert [each.engine for each in left_out_of(select_now(brand))] == ([] if is_in_use else ["gemini"])


@pytest.mark.parametrize("field", ["served_models", "countries"])
def test_days_of_another_model_or_country_are_left_out(field):
    brand = measured(*(asked("chatgpt", day) for day in (1, 2, 3)))
    RunEngine.objects.filter(run__day__lt="2026-01-03").update(**{field: ["xx"]})
    assert base(brand) == {"chatgpt": (4, 3, 3)}
    RunEngine.objects.filter(run__day="2026-01-01").update(**{field: []})
    assert base(brand) == {"chatgpt": (8, 1, 3)}


@pytest.mark.parametrize(
    ("engine", "known_by", "state", "expected"),
    [
        ("", "confirmed", "holds", {"chatgpt": (8, 3, 4), "gemini": (8, 3, 4)}),
        ("", "monitor", "holds", {"chatgpt": (16, 1, 4), "gemini": (16, 1, 4)}),
        ("gemini imported", "confirmed", "holds", {"chatgpt": (16, 1, 4), "gemini": (8, 3, 4)}),
        ("", "confirmed", "recovered", {"chatgpt": (4, 4, 4), "gemini": (4, 4, 4)}),
    ],
)
def test_after_a_confirmed_change_only_the_days_since_count(engine, known_by, state, expected):
    brand = measured(*(asked(name, day) for day in (1, 2, 3, 4) for name in ("chatgpt", "gemini")))
    known_on = date(2026, 1, 4)
    ChangeRecordFactory(brand=brand, engine=engine, known_by=known_by, known_on=known_on, state=state)
    assert base(brand) == expected


def test_an_archived_prompt_leaves_and_a_reworded_one_stays_until_it_is_asked():
    brand = measured(asked("chatgpt", 1, *YES))
    first, second, *_ = Prompt.objects.order_by("text")
    archive_prompt(SYSTEM, brand_id=brand.pk, prompt_id=first.pk)
    reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=second.pk, text="Which of all locks?")
    assert base(brand) == {"chatgpt": (3, 1, 1)}
    add(brand, [{**next(asked("chatgpt", 2)), "prompt": "Which of all locks?"}])
    assert base(brand)["chatgpt"][0] == 3


def test_where_nothing_is_asked_any_more_all_stays():
    brand = measured(asked("chatgpt", 1, *YES))
    Prompt.objects.update(archived_at="2026-02-01T00:00:00Z")
    assert base(brand) == {"chatgpt": (4, 1, 1)}


def test_an_engine_counts_on_a_day_when_four_of_five_prompts_were_answered_over_all_runs_of_it():
    brand = measured(asked("chatgpt", 1, of=5), asked("chatgpt", 2, of=5))
    cells = Cell.objects.filter(day="2026-01-02", competitor=None).order_by("version")
    cells.filter(pk__in=cells[:1]).update(answers=0, failed=1)
    assert base(brand) == {"chatgpt": (9, 1, 2)}
    cells.filter(pk__in=cells[:2]).update(answers=0, failed=1)
    assert base(brand) == {"chatgpt": (5, 1, 1)}
    add(brand, asked("chatgpt", 2, *YES, of=2))
    assert base(brand) == {"chatgpt": (10, 1, 2)}, "a second run of the day answered what the first did not"


def test_stored_pages_count_only_where_they_are_alone():
    brand = measured(asked("chatgpt", 1, *YES), asked("gemini", 1))
    Cell.objects.filter(engine__name="gemini").update(surface="pages")
    assert [name for name, _ in select_now(brand).engines] == ["chatgpt"]
    Cell.objects.filter(engine__name="chatgpt").delete()
    assert [name for name, _ in select_now(brand).engines] == ["gemini"]


def test_of_several_surfaces_one_makes_the_figure_and_all_are_shown():
    brand = measured(asked("chatgpt", 1, *YES), asked("gemini", 1))
    Cell.objects.filter(engine__name="gemini").update(surface="api")
    now = select_now(brand)
    assert figures_of(now).score == 0.0 and len(now.engines) == 2
    assert {row.engine: row.score for row in now.rows("engine")} == {"chatgpt": 100.0, "gemini": 0.0}


def test_topics_that_are_not_own_leave_every_selection_and_undecided_ones_stay():
    brand = measured(asked("chatgpt", 1, *YES), asked("chatgpt", 1, topic="cars"))
    assert figures_of(select_now(brand)).answers == 8
    Topic.objects.filter(name="cars").update(own=False)
    selections = (
        select_now(brand),
        select_between(brand),
        select_days(brand, [select_now(brand).engines.popitem()[1][0]]),
    )
    assert {figures_of(each).answers for each in selections} == {4}
    assert {row.topic for row in select_now(brand, foreign=True).rows("topic")} == {"cars"}


def test_a_prompt_keeps_its_figures_when_it_is_asked_no_more():
    brand = measured(asked("chatgpt", 1, *YES), asked("chatgpt", 2, "Zentra"))
    prompt = Prompt.objects.order_by("text").first()
    assert [row.of for row in select_prompt(prompt).rows("prompt")] == [2]
    archive_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk)
    prompt.refresh_from_db()
    assert [(row.mentioned, row.of) for row in select_prompt(prompt).rows("prompt")] == [(1, 2)]


def test_a_prompt_that_is_asked_no_more_has_the_week_before_its_last_day():
    measured(asked("chatgpt", 1, *YES), asked("chatgpt", 8, *YES), asked("chatgpt", 9))
    Prompt.objects.update(archived_at="2026-02-01T00:00:00Z")
    prompt = Prompt.objects.order_by("text").first()
    assert [(row.mentioned, row.of) for row in select_prompt(prompt).rows("prompt")] == [(1, 2)]


def test_of_a_prompt_that_is_asked_no_more_each_engine_has_the_newest_wording_that_it_was_asked():
    brand = measured(asked("chatgpt", 1, *YES), asked("gemini", 1, *YES))
    prompt = Prompt.objects.order_by("text").first()
    reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk, text="Which lock, then?")
    newer = [{**next(asked("gemini", 2)), "prompt": "Which lock, then?"}]
    add(brand, newer)
    Prompt.objects.update(archived_at="2026-02-01T00:00:00Z")
    prompt.refresh_from_db()
    rows = select_prompt(prompt).rows("prompt", "engine")
    assert {row.engine: (row.mentioned, row.of, row.wording) for row in rows} == {
        "chatgpt": (1, 1, 1),
        "gemini": (0, 1, 2),
    }


def test_nothing_is_selected_of_a_brand_without_answers():
    brand = measured(asked("chatgpt", 1))
    Cell.objects.all().delete()
    now = select_now(brand)
    assert (now.sums, now.rows("subject"), figures_of(now), list(now.answers)) == ([], [], None, [])

"""The calendar: which days the window that ends on any day is made of."""

from datetime import date, timedelta

import pytest

from tests.counts.conftest import asked, measured
from visibility.counts.past import select_archived
from visibility.counts.reader import select_window
from visibility.counts.window import Calendar, calendar_of, last_day_of, own_cells
from visibility.models import Cell, Prompt

CHATGPT, GEMINI, PAGES = (1, "api"), (2, "api"), (3, "pages")


def january(*days):
    return [date(2026, 1, day) for day in days]


def window(day, days, *, served=None, changed=None, reach=14):
    """The days of January that the window of a day has, by engine."""
    served = {(place, date(2026, 1, each)): model for (place, each), model in (served or {}).items()}
    changed = {place: january(*each) for place, each in (changed or {}).items()}
    calendar = Calendar({place: january(*each) for place, each in days.items()}, served, changed, timedelta(reach))
    return {place: [each.day for each in found] for place, found in calendar.window(date(2026, 1, day)).items()}


@pytest.mark.parametrize(
    ("day", "expected"), [(20, [14, 20]), (19, [8, 14]), (14, [8, 14]), (13, [7, 8]), (7, [7]), (6, None)]
)
def test_it_has_the_last_day_that_was_measured_by_then_and_the_six_before_it(day, expected):
    assert window(day, {CHATGPT: [7, 8, 14, 20, 28]}) == ({CHATGPT: expected} if expected else {})


@pytest.mark.parametrize(("last", "is_in_use"), [(15, True), (16, False)])
def test_an_engine_leaves_when_another_was_measured_too_long_after_it(last, is_in_use):
    assert (GEMINI in window(31, {CHATGPT: [last], GEMINI: [1]})) is is_in_use


def test_what_comes_later_than_the_day_is_not_known_on_it():
    days = {CHATGPT: [1, 30], GEMINI: [1]}
    assert window(5, days) == {CHATGPT: [1], GEMINI: [1]}
    assert window(5, {CHATGPT: [1, 4]}, changed={CHATGPT: [6]}) == {CHATGPT: [1, 4]}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({CHATGPT: [3]}, {CHATGPT: [3, 4], GEMINI: [2, 3, 4]}),
        ({None: [3]}, {CHATGPT: [3, 4], GEMINI: [3, 4]}),
        ({CHATGPT: [3], None: [4]}, {CHATGPT: [4], GEMINI: [4]}),
        ({CHATGPT: [4], None: [3]}, {CHATGPT: [4], GEMINI: [3, 4]}),
    ],
)
def test_after_changes_only_the_days_since_the_last_one_count(changed, expected):
    assert window(4, {CHATGPT: [2, 3, 4], GEMINI: [2, 3, 4]}, changed=changed) == expected


def test_days_of_other_models_than_the_last_are_left_out():
    new, old = (frozenset({"new"}), frozenset[str]()), (frozenset({"old"}), frozenset[str]())
    served = {(CHATGPT, 1): new, (CHATGPT, 2): old, (CHATGPT, 3): new}
    assert window(3, {CHATGPT: [1, 2, 3]}, served=served) == {CHATGPT: [1, 3]}
    assert window(2, {CHATGPT: [1, 2, 3]}, served=served) == {CHATGPT: [2]}


def test_stored_pages_are_left_out_where_another_answers():
    assert window(3, {CHATGPT: [1], PAGES: [3]}) == {CHATGPT: [1]}
    assert window(3, {PAGES: [3]}) == {PAGES: [3]}


@pytest.mark.django_db
@pytest.mark.parametrize("cadence", ["manual", "monthly"])
def test_a_calendar_of_one_day_has_the_same_window_as_that_of_all_days(cadence):
    brand = measured(asked("chatgpt", 1), asked("gemini", 8), asked("gemini", 15), asked("gemini", 31))
    brand.cadence = cadence
    whole = calendar_of(brand, own_cells(brand))
    for day in january(1, 8, 15, 16, 31):
        assert calendar_of(brand, own_cells(brand), day, day).window(day) == whole.window(day)
    assert len(whole.window(date(2026, 1, 15))) == 2
    assert len(whole.window(date(2026, 1, 31))) == (2 if cadence == "monthly" else 1)


@pytest.mark.django_db
def test_the_window_of_an_earlier_day_has_the_wordings_that_were_asked_on_it():
    brand = measured(asked("chatgpt", 1, "Kryton", of=4), asked("chatgpt", 3, of=2), asked("chatgpt", 4, of=4))
    cells = own_cells(brand)
    calendar = calendar_of(brand, cells)
    rows = {day: select_window(brand, cells, calendar, date(2026, 1, day)).rows() for day in (1, 3, 4)}
    assert {day: [(row.mentioned, row.of) for row in found] for day, found in rows.items()} == {
        1: [(1, 4)],
        3: [(1, 4)],
        4: [(1, 10)],
    }


@pytest.mark.django_db
def test_of_prompts_that_are_asked_no_more_each_has_its_own_last_days():
    brand = measured(asked("chatgpt", 1, "Kryton", "Kryton"), asked("chatgpt", 2, of=1))
    first, second, *_ = Prompt.objects.order_by("text")
    Prompt.objects.filter(pk__in=[first.pk, second.pk]).update(archived_at="2026-02-01T00:00:00Z")
    rows = {row.prompt: (row.mentioned, row.of, row.period) for row in select_archived(brand).rows("prompt")}
    assert rows == {first: (1, 2, "2026-01-01/2026-01-02"), second: (1, 1, "2026-01-01")}


@pytest.mark.django_db
def test_the_last_day_is_the_latest_that_has_an_answer():
    brand = measured(asked("chatgpt", 1), asked("chatgpt", 2))
    cells = own_cells(brand)
    assert last_day_of(cells) == date(2026, 1, 2)
    Cell.objects.filter(day="2026-01-02").update(answers=0)
    assert last_day_of(cells) == date(2026, 1, 1)
    assert last_day_of(cells.none()) is None

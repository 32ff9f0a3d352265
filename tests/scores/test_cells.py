"""Cells: what is counted of each answer, for whom, and which answers are not."""

from datetime import UTC, date, datetime, timedelta
from math import log2
from uuid import uuid4

import pytest

from tests.factories import RunFactory
from tests.scores.conftest import answers, imported, world
from visibility.answers.detect import Reader
from visibility.answers.repeats import day_of, repeated_in
from visibility.models import Answer, Cell, Run, RunEngine
from visibility.scores import measure
from visibility.scores.cells import write_cells
from visibility.scores.measure import measure_runs, measure_waiting

pytestmark = pytest.mark.django_db
KRYTON_SECOND = "1. **Zentra**: fine.\n2. **Kryton**: light."
KRYTON_FIRST = "1. **Kryton**: fine.\n2. **Avola**: light.\n3. **Kryton Max**: strong."
KRYTON_ALONE = "Kryton."


def cell(brand, competitor=None, **where):
    return Cell.objects.get(brand=brand, competitor__name=competitor, **where)


def values(row, *names):
    return tuple(getattr(row, name) for name in names)


def count(brand):
    """Count all runs again from what was found in their answers."""
    reader = Reader(brand)
    for run in brand.runs.order_by("created_at"):
        write_cells(reader, run)


def test_an_answer_counts_once_by_its_first_place():
    own = cell(world(KRYTON_SECOND, KRYTON_FIRST, KRYTON_ALONE))
    assert values(own, "answers", "mentioned", "ranked", "first") == (3, 3, 2, 2)
    assert own.gain == pytest.approx(1 + 1 / log2(3))
    assert own.gain_squares == pytest.approx(1 + 1 / log2(3) ** 2)


def test_named_first_is_who_is_mentioned_before_a_list_too():
    brand = world("Zentra is loud. Better:\n1. **Kryton**\n2. **Velmora**", KRYTON_SECOND)
    assert [values(cell(brand, *name), "first") for name in ((), ("Zentra",))] == [(0,), (2,)]


def test_an_answer_says_who_is_mentioned_with_whom():
    brand = world(KRYTON_SECOND, KRYTON_ALONE, "Zentra.", "Nobody.")
    names = ("answers", "mentioned", "alone", "comentions", "without_brand")
    assert values(cell(brand), *names) == (4, 2, 1, 3, 0)
    assert values(cell(brand, "Zentra"), *names) == (4, 2, 1, 3, 1)


def test_a_competitor_that_no_answer_names_has_no_cell():
    brand = world(KRYTON_ALONE, "Nobody.")
    assert [row.competitor for row in Cell.objects.filter(brand=brand)] == [None]


def test_a_competitor_that_the_prompt_names_has_a_cell_that_says_so():
    brand = world("Nobody.", prompt="Is Zentra good?")
    assert values(cell(brand, "Zentra"), "named", "answers", "mentioned") == (True, 1, 0)
    assert not cell(brand).named


def test_who_is_cited_counts_once_an_answer_also_without_a_mention():
    cited = [
        "https://kryton.example/a",
        "https://kryton.example/b",
        "https://zentra.example/",
        "https://news.example/",
    ]
    brand = world("Nobody.", "Nobody else.", citations=cited)
    assert values(cell(brand), "cited", "mentioned") == (2, 0)
    assert values(cell(brand, "Zentra"), "cited", "mentioned") == (2, 0)


def test_how_answers_speak_of_a_brand_is_counted_once_an_answer():
    brand = world(KRYTON_ALONE, "Kryton, again.", "Kryton, once more.", "Kryton, at last.")
    stances = [["recommended", "recommended"], ["cautioned", "rejected"], ["rejected"], ["unknown"]]
    for answer, of_answer in zip(Answer.objects.order_by("sample"), stances, strict=True):
        mention = answer.mentions.get()
        for stance in of_answer:
            answer.mentions.filter(pk=mention.pk).update(stance=stance)
            if stance != of_answer[-1]:
                mention.pk, mention.start, mention.end = None, mention.start + 100, mention.end + 100
                mention.save(force_insert=True)
    count(brand)
    assert values(cell(brand), "mentioned", "recommended", "cautioned") == (4, 1, 2)


def test_failed_answers_are_counted_apart_and_pending_ones_not_at_all():
    brand = world(KRYTON_ALONE, "Kryton, again.", "Nobody.")
    first, second, _ = Answer.objects.order_by("sample")
    Answer.objects.filter(pk=first.pk).update(state="failed")
    count(brand)
    assert values(cell(brand), "answers", "mentioned", "failed") == (2, 1, 1)
    Answer.objects.filter(pk=second.pk).update(state="pending")
    count(brand)
    assert values(cell(brand), "answers", "mentioned", "failed") == (1, 0, 1)


def test_an_answer_lacks_its_sources_only_where_none_came():
    brand = world(KRYTON_ALONE, "Kryton, again.")
    Answer.objects.update(unknown_parts=["grounding:no chunks"])
    Answer.objects.filter(sample=1).update(sources=[{"url": "https://news.example/", "title": ""}])
    count(brand)
    assert cell(brand).unsourced == 1


def test_only_the_cells_of_the_given_wordings_are_replaced():
    brand = world(KRYTON_ALONE)
    run = brand.runs.get()
    Cell.objects.update(mentioned=77)
    write_cells(Reader(brand), run, [])
    assert cell(brand).mentioned == 77
    write_cells(Reader(brand), run, [cell(brand).version_id])
    assert cell(brand).mentioned == 1


def repeat(run, **fields):
    """A later run with the same answers."""
    again = Run.objects.get(pk=run.pk)
    again.pk, again.created_at = uuid4(), run.created_at + timedelta(hours=1)
    for name, value in fields.items():
        setattr(again, name, value)
    again.save(force_insert=True)
    copies = list(Answer.objects.filter(run=run))
    for answer in copies:
        answer.pk, answer.run, answer.import_key = None, again, None
    Answer.objects.bulk_create(copies)
    return again


@pytest.mark.parametrize(
    ("earlier", "later", "repeated"),
    [
        ({}, {}, 2),
        ({"status": "partial"}, {}, 2),
        ({"status": "running"}, {}, 2),
        ({"status": "failed"}, {}, 0),
        ({"status": "cancelled"}, {}, 0),
        ({"day": date(2026, 1, 4)}, {}, 0),
        ({}, {"created_at": datetime(2020, 1, 1, tzinfo=UTC)}, 0),
    ],
    ids=["succeeded", "partial", "running", "failed", "cancelled", "another day", "later"],
)
def test_a_text_repeats_one_of_an_earlier_run_of_the_day_that_counts(earlier, later, repeated):
    brand = world(KRYTON_ALONE, "Nobody.")
    run = brand.runs.get()
    again = repeat(run, **later)
    Run.objects.filter(pk=run.pk).update(**earlier)
    write_cells(Reader(brand), again)
    again.refresh_from_db()
    assert again.repeated == repeated
    assert cell(brand, run=again).answers == 2 - repeated


def test_a_run_counts_for_its_day_or_that_on_which_it_began():
    assert day_of(RunFactory.build(brand=None, day=date(2026, 1, 4))) == date(2026, 1, 4)
    assert day_of(RunFactory.build(brand=None, day=None)) == date(2026, 11, 1)


def test_waiting_runs_are_measured_together_and_answers_are_counted_as_they_are_read():
    brand = world(KRYTON_ALONE, "Nobody.")
    Run.objects.update(status="running")
    Answer.objects.update(names_version=0)
    calls = []
    measure_waiting(brand, lambda *numbers: calls.append(numbers))
    assert (sum(number for number, _ in calls), {total for _, total in calls}) == (2, {2})
    assert Run.objects.get().status == "succeeded"
    calls.clear()
    measure_waiting(brand, lambda *numbers: calls.append(numbers))
    assert calls == [], "nothing waits any more"


def test_however_many_runs_wait_all_are_measured(monkeypatch):
    brand = imported(answers(range(1, 6)))
    Run.objects.update(status="running")
    monkeypatch.setattr(measure, "RUNS_TOGETHER", 2)
    measure_waiting(brand)
    assert set(Run.objects.values_list("status", flat=True)) == {"succeeded"}


def test_a_run_that_is_over_is_not_measured_again():
    brand = world(KRYTON_ALONE)
    Cell.objects.update(mentioned=77)
    measure_runs(Reader(brand), [brand.runs.get().pk])
    assert cell(brand).mentioned == 77


def test_a_run_without_an_answer_writes_no_cells():
    brand = world(KRYTON_ALONE)
    Run.objects.update(status="running", done=0)
    Cell.objects.all().delete()
    measure_runs(Reader(brand), [brand.runs.get().pk])
    assert not Cell.objects.exists()


def test_models_and_countries_are_stated_once_each_and_never_empty():
    brand = world(KRYTON_ALONE, "Nobody.", "Nobody else.")
    for sample, model in ((1, "b"), (2, "b"), (3, "")):
        Answer.objects.filter(sample=sample).update(served_model=model, country="")
    Run.objects.update(status="running")
    measure_runs(Reader(brand), [brand.runs.get().pk])
    assert RunEngine.objects.values_list("served_models", "countries").get() == (["b"], [])


def test_the_repeats_of_many_runs_are_read_by_two_statements(django_assert_num_queries):
    brand = world(KRYTON_ALONE, "Nobody.")
    first = brand.runs.get()
    runs = [repeat(first, created_at=first.created_at + timedelta(hours=hour)) for hour in (1, 2, 3)]
    with django_assert_num_queries(2):
        repeated = repeated_in(runs)
    assert repeated == set(Answer.objects.filter(run__in=runs).values_list("pk", flat=True))

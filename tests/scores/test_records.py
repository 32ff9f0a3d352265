"""Change records: a lasting step becomes one record, noise none, and what has come back says so."""

import json
import random
from datetime import date, timedelta
from itertools import combinations

import pytest
from django.db import transaction

from brands.brands import update_brand
from tests.factories import BrandFactory, EngineFactory, RunEngineFactory, RunFactory
from tests.scores.conftest import SYSTEM, answers, imported
from visibility.models import Cell, ChangeRecord, PromptVersion, Run
from visibility.prompts.services import PromptDraft, add_prompts
from visibility.scores.history import write_history
from visibility.scores.records import forget_records
from visibility.scores.recount import recount

WITHOUT = ("Zentra is a solid bike.", "Ask a dealer.", "It depends on the road.", "Zentra, perhaps.")
TOPICS = [f"kind {number}" for number in range(12)]
pytestmark = pytest.mark.django_db


FIRST = date(2026, 11, 1)
ENGINES = ("chatgpt", "gemini")


def counted(days, *, seed=0, topics=12, wordings=2, samples=3, luck=0.0):
    """A brand with one measured day for each of these rates (0 to 1), counted as if so many answers named it."""
    chance = random.Random(seed)
    brand = BrandFactory()
    drafts = [PromptDraft(f"Best {t} {w}?", f"topic {t}") for t in range(topics) for w in range(wordings)]
    add_prompts(SYSTEM, brand_id=brand.pk, drafts=drafts)
    versions = list(PromptVersion.objects.filter(prompt__brand=brand).order_by("pk"))
    engines = [EngineFactory(name=name) for name in ENGINES]
    cells = []
    for number, rate in enumerate(days):
        day = FIRST + timedelta(number)
        run = RunFactory(brand=brand, kind=Run.Kind.VISIBILITY, status=Run.Status.SUCCEEDED, day=day)
        for engine in engines:
            RunEngineFactory(run=run, engine=engine, surface="api")
            usual = min(1.0, max(0.0, rate + chance.gauss(0, luck)))
            for version in versions:
                named = sum(chance.random() < usual for _ in range(samples))
                place = {"brand": brand, "day": day, "run": run, "engine": engine, "surface": "api"}
                cells.append(Cell(**place, version=version, answers=samples, failed=0, mentioned=named, named=False))
    Cell.objects.bulk_create(cells)
    with transaction.atomic():
        write_history(brand)
    return brand


def on(number):
    """The day of that number, of which the first is 1."""
    return FIRST + timedelta(number - 1)


def overall(brand):
    return list(ChangeRecord.objects.filter(brand=brand, engine="").order_by("began"))


def test_a_rise_is_a_record_as_a_fall_is():
    [record] = overall(counted([0.1] * 6 + [0.9] * 3, topics=6, wordings=1))
    assert (record.began, record.known_by, record.state) == (on(7), "confirmed", "holds")
    assert record.delta > 50 and 0 < record.low < record.delta < record.high
    assert record.reported_until - record.known_on == timedelta(28)
    assert (record.state_since, record.before_days) == (record.known_on, 6)


def test_of_many_topics_the_largest_ten_are_parts_and_the_others_one():
    [record] = overall(counted([0.9] * 5 + [0.1] * 3, topics=12, wordings=1))
    keys = [part["key"] for part in record.parts["topics"]]
    assert len(keys) == 11 and keys[-1] is None and None not in keys[:-1]
    sizes = [abs(part["after"] - part["before"]) for part in record.parts["topics"][:-1]]
    assert sizes == sorted(sizes, reverse=True)


def test_a_change_on_one_engine_is_a_record_of_that_engine():
    brand = counted([0.9] * 5 + [0.9] * 3, topics=6, wordings=1)
    fallen = Cell.objects.filter(brand=brand, engine__name="gemini", day__gte=on(6))
    fallen.update(mentioned=0)
    with transaction.atomic():
        write_history(brand)
    records = list(ChangeRecord.objects.filter(brand=brand).exclude(engine=""))
    assert [(each.engine, each.began, each.after) for each in records] == [("gemini api", on(6), 0.0)]
    assert {part["key"] for part in records[0].parts["engines"]} == {"gemini api"}


@pytest.mark.parametrize(
    ("first", "left", "again"),
    [(31, 3, 31), (20, 2, 12), (13, 2, 12), (12, 2, 12), (9, 1, 8), (5, 0, 4), (1, 0, 1)],
)
def test_records_that_a_day_had_a_part_in_are_forgotten_with_those_that_they_had_a_part_in(first, left, again):
    brand = BrandFactory()
    for known, after, state in ((4, 6, 6), (8, 10, 10), (12, 14, 20)):
        ChangeRecord.objects.create(
            brand=brand,
            began=on(known),
            known_by="confirmed",
            known_on=on(known),
            reported_until=on(30),
            state_since=on(state),
            before=50,
            before_days=2,
            after=20,
            after_day=on(after),
            delta=-30,
        )
    assert forget_records(brand, on(first)) == on(again)
    assert ChangeRecord.objects.count() == left


def test_days_that_only_vary_have_no_record():
    brand = imported([*answers(range(1, 15), TOPICS)])
    assert not ChangeRecord.objects.filter(brand=brand).exists()


def test_a_lasting_fall_is_one_record_with_what_it_is_made_of():
    brand = imported([*answers(range(1, 11), TOPICS), *answers(range(11, 16), TOPICS, texts=WITHOUT)])
    [record] = overall(brand)
    assert (str(record.began), record.known_by, record.state) == ("2026-01-11", "confirmed", "holds")
    assert (record.after, str(record.after_day), record.before_days) == (0.0, "2026-01-15", 7)
    assert record.low < record.delta < record.high < 0
    assert record.before == pytest.approx(-record.delta, abs=5)
    sums = {name: sum(part["points"] for part in parts) for name, parts in record.parts.items()}
    assert sums["topics"] == pytest.approx(sums["engines"], abs=0.05)
    assert sums["topics"] == pytest.approx(record.delta, abs=0.1)


def test_a_record_names_what_else_was_otherwise_over_its_days():
    cite = {"citations": ["https://news.example/a", "https://always.example/b"]}
    after = {"citations": ["https://always.example/b"]}
    lines = [json.dumps({**json.loads(line), **cite}) for line in answers(range(1, 11), TOPICS)]
    lines += [json.dumps({**json.loads(line), **after}) for line in answers(range(11, 16), TOPICS, texts=WITHOUT[:1])]
    brand = imported(lines)
    [record] = overall(brand)
    [competitor], [source] = record.context["competitors"], record.context["sources"]
    assert competitor["key"] == str(brand.competitors.get().pk)
    assert competitor["before"] < competitor["after"]
    assert competitor["low"] > 0 and competitor["delta"] == pytest.approx(competitor["after"] - competitor["before"])
    sizes = {"before": 504, "after": 0, "ofBefore": 504}
    assert {"domain": "news.example", **sizes}.items() <= source.items()
    [engine, *_] = ChangeRecord.objects.filter(brand=brand).exclude(engine="")
    assert engine.context["sources"][0]["ofBefore"] == 252


@pytest.mark.proof
def test_what_came_back_has_recovered_and_stays_so():
    fall = range(11, 16)
    brand = imported(
        [*answers(range(1, 11), TOPICS), *answers(fall, TOPICS, texts=WITHOUT), *answers(range(16, 24), TOPICS)]
    )
    first = overall(brand)[0]
    assert (str(first.began), first.state) == ("2026-01-11", "recovered")
    assert str(first.state_since) >= "2026-01-17"


@pytest.mark.proof
def test_records_are_the_same_whether_days_come_one_by_one_or_all_at_once():
    brand = imported([*answers(range(1, 11), TOPICS), *answers(range(11, 16), TOPICS, texts=WITHOUT)])
    before = list(ChangeRecord.objects.order_by("engine", "began").values_list("engine", "began", "delta", "state"))
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Nobody Says This"])
    recount(brand.pk)
    after = list(ChangeRecord.objects.order_by("engine", "began").values_list("engine", "began", "delta", "state"))
    assert before == after != []


def test_a_step_is_one_record_of_its_day_whose_values_give_its_size():
    [record] = overall(counted([1.0] * 13 + [0.11] * 5, topics=6, wordings=1))
    assert (record.began, record.known_by, record.before) == (on(14), "confirmed", 100.0)
    assert on(14) <= record.known_on <= on(15)
    assert record.delta == round(record.after - record.before, 2)
    assert record.low < record.delta < record.high < 0


@pytest.mark.proof
def test_a_slow_fall_is_a_record_of_the_monitor_alone():
    days = [0.7] * 12 + [0.7 - 0.02 * step for step in range(24)]
    [record] = overall(counted(days, seed=3, luck=0.02))
    assert (record.known_by, record.delta < 0) == ("monitor", True)
    assert record.delta == round(record.after - record.before, 2)


@pytest.mark.proof
def test_a_fall_that_recovers_stays_as_large_as_it_was():
    first, *_ = overall(counted([0.9] * 12 + [0.2] * 6 + [0.9] * 8))
    assert (first.began, first.state) == (on(13), "recovered")
    assert first.delta < -50


@pytest.mark.proof
def test_two_separate_falls_are_two_records():
    first, second = overall(counted([0.95] * 10 + [0.55] * 20 + [0.1] * 5))
    assert (first.began, second.began) == (on(11), on(31))
    assert first.after_day < second.began and first.state == "holds"
    assert first.after == pytest.approx(second.before, abs=15)


@pytest.mark.proof
def test_a_fall_that_goes_further_within_its_days_went_on():
    [record] = overall(counted([0.95] * 12 + [0.6] * 4 + [0.1] * 6))
    assert (record.began, record.state) == (on(13), "went_on")
    assert record.after < 20


@pytest.mark.proof
def test_a_day_measured_again_leaves_the_records_of_later_days_as_they_were():
    brand = counted([0.9] * 12 + [0.3] * 9)
    columns = [field.name for field in ChangeRecord._meta.fields if field.name != "id"]
    before = list(ChangeRecord.objects.order_by("engine", "began").values(*columns))
    with transaction.atomic():
        write_history(brand, {on(16)})
    assert list(ChangeRecord.objects.order_by("engine", "began").values(*columns)) == before != []


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_days_each_record_adds_up_and_no_two_tell_one_event(seed):
    chance = random.Random(seed)
    rate, days = chance.random(), []
    for _ in range(40):
        rate = chance.random() if chance.random() < 0.08 else min(1.0, max(0.0, rate + chance.gauss(0, 0.02)))
        days.append(rate)
    brand = counted(days, seed=seed, topics=chance.choice([6, 8]), luck=0.02)
    records = list(ChangeRecord.objects.filter(brand=brand).order_by("began"))
    for record in records:
        assert record.delta == pytest.approx(record.after - record.before, abs=0.011)
        for parts in record.parts.values():
            assert sum(part["points"] for part in parts) == pytest.approx(record.delta, abs=0.001)
        assert record.low is None or record.low <= record.delta <= record.high
    for one, other in combinations(records, 2):
        if one.engine == other.engine:
            assert one.known_on <= other.began, (one, other)

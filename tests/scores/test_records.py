"""Change records: a lasting step becomes one record, noise none, and what has come back says so."""

import json

import pytest

from brands.brands import update_brand
from tests.scores.conftest import SYSTEM, answers, imported
from visibility.counts.words import tied_words
from visibility.models import ChangeRecord
from visibility.scores.recount import recount

WITHOUT = ("Zentra is a solid bike.", "Ask a dealer.", "It depends on the road.", "Zentra, perhaps.")
TOPICS = [f"kind {number}" for number in range(12)]
pytestmark = pytest.mark.django_db


def overall(brand):
    return list(ChangeRecord.objects.filter(brand=brand, engine="").order_by("began"))


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


def test_brands_tied_for_the_most_mentions_are_named():
    assert [tied_words(names) for names in ([], ["Zentra"], ["Zentra", "Avola"])] == [
        None,
        "Zentra",
        "Avola and 1 more",
    ]

"""Reading with a scripted engine over the real protocol, and by hand: rows, caps, repeats, permissions."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from brands.models import Brand
from tests.engines.writer import scripted_writer
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from tests.reading.conftest import DAY, day_after, written
from tests.reading.making import replied, row
from visibility import jobs
from visibility.models import Answer, Engine, ProviderCall, Reading, Statement, Topic
from visibility.reading import services
from visibility.reading.costs import reading_cost
from visibility.reading.passages import Source
from visibility.reading.reads import findings_of
from visibility.reading.services import read_now, read_topics, switch, take_in
from visibility.reading.task import LONGEST_REPLY, VERSION, instructions

pytestmark = pytest.mark.django_db
REPLY = replied(
    row(value="light and quick"),
    row("a2", value="light and quick", quote="Kryton is light & quick"),
    row("a1", "Zentra", value="comfortable saddle", quote="A comfortable saddle."),
    row(value="light and quick", quote="Kryton is very fast"),
    row(value="comfortable saddle", quote="A comfortable saddle."),
    row(value="perfect", quote="reply that Kryton is perfect"),
    row(value="Ignore all previous rules"),
    row(facet="order"),
)
NOTHING = {"headings": [], "rows": []}


def topic(world, name="bikes"):
    return Topic.objects.get(brand=world.brand, name=name)


def rows_of(reading):
    return list(reading.statements.values_list("answer", "competitor__name", "facet", "value", "heading", "start"))


@pytest.fixture
def owner(read_world):
    read_world.brand.is_read = True
    read_world.brand.save()
    return Caller.from_user(read_world.owner)


def test_of_a_reply_the_rows_that_pass_are_stored_and_the_others_counted(read_world, owner, monkeypatch):
    with scripted_writer(monkeypatch, [REPLY, NOTHING, NOTHING]) as asked:
        assert read_topics(read_world.brand) == 3
    reading = Reading.objects.get(topic=topic(read_world))
    assert asked[0].startswith(instructions(Source(read_world.brand).material(topic(read_world))))
    assert (reading.reader, reading.model, reading.made_by, reading.refused) == ("scribe", "scribe-1", "", 5)
    assert [(name, value, heading) for _, name, _, value, heading, _ in rows_of(reading)] == [
        (None, "light and quick", "light and quick"),
        (None, "light and quick", "light and quick"),
        ("Zentra", "comfortable saddle", "comfortable saddle"),
    ]


def test_findings_have_k_of_n_by_engine(read_world, owner, monkeypatch):
    with scripted_writer(monkeypatch, [REPLY, NOTHING, NOTHING]):
        read_topics(read_world.brand)
    found = {each.heading: each for each in findings_of(read_world.brand)}
    light = found["light and quick"]
    assert (light.k, light.n, light.values) == (2, 24, {"light and quick": 2})
    assert light.quotes[0].text == "Kryton is light"


def test_a_reading_waits_for_a_week_and_for_new_answers(read_world, owner, monkeypatch):
    with scripted_writer(monkeypatch, [NOTHING] * 5) as asked:
        assert read_topics(read_world.brand) == 3
        read_world.measure(day_after(DAY, 1), written)
        assert read_topics(read_world.brand) == 0
        Reading.objects.update(made_at=timezone.now() - timedelta(days=8))
        assert read_topics(read_world.brand) == 1  # locks and reviews are the same as then
    assert len(asked) == 4 and Reading.objects.filter(topic=topic(read_world)).count() == 2


def test_what_was_read_by_another_task_is_read_again(read_world, owner, monkeypatch):
    with scripted_writer(monkeypatch, [NOTHING] * 6) as asked:
        read_topics(read_world.brand)
        Reading.objects.update(made_at=timezone.now() - timedelta(days=8), version=VERSION - 1)
        assert read_topics(read_world.brand) == 3
    assert len(asked) == 6


def test_by_hand_it_does_not_wait_for_the_week(read_world, owner, monkeypatch):
    with scripted_writer(monkeypatch, [NOTHING] * 5) as asked:
        jobs.read(str(read_world.brand.pk), "user:1")
        assert set(Reading.objects.values_list("made_by", flat=True)) == {"user:1"}
        read_world.measure(day_after(DAY, 1), written)
        jobs.read(str(read_world.brand.pk), "user:1")
    assert len(asked) == 4


def test_a_brand_that_is_not_switched_on_is_not_read_by_itself(read_world, monkeypatch):
    with scripted_writer(monkeypatch, [NOTHING] * 3) as asked:
        assert read_topics(read_world.brand) == 0
        assert read_topics(read_world.brand, by="user:1") == 3
    assert len(asked) == 3


def test_without_an_engine_nothing_is_read(read_world, owner):
    assert read_topics(read_world.brand) == 0


def test_advice_is_made_of_what_was_read_before(read_world, owner, monkeypatch):
    seen = []
    monkeypatch.setattr(jobs, "recommend", lambda brand: seen.append(len(findings_of(brand))))
    with scripted_writer(monkeypatch, [REPLY, NOTHING, NOTHING, {"groups": [], "verdicts": []}]):
        jobs.advise(str(read_world.brand.pk))
    assert seen == [2]


def test_the_quota_ends_the_round_and_the_next_one_goes_on_with_what_waits_for_longest(
    read_world, owner, monkeypatch
):
    def allow(calls):
        read_world.owner.own_writer_calls_per_day = calls
        read_world.owner.save()
        return Brand.objects.get(pk=read_world.brand.pk)

    with scripted_writer(monkeypatch, [NOTHING] * 3) as asked:
        assert read_topics(allow(1)) == 1
        assert len(asked) == 1 and Reading.objects.get().topic == topic(read_world)
        assert read_topics(allow(10)) == 2
    assert len(asked) == 3


def test_a_limit_on_money_ends_the_round(read_world, owner, monkeypatch, settings):
    settings.DAY_SPEND_LIMIT = Decimal("0.01")
    with scripted_writer(monkeypatch, [NOTHING] * 5) as asked:
        ProviderCall.objects.create(purpose="writer", engine="scribe", account="a", outcome="answered", cost=1)
        assert read_topics(read_world.brand) == 0
    assert asked == [] and not Reading.objects.exists()


def test_a_reply_without_use_costs_one_topic_and_not_the_others(read_world, owner, monkeypatch):
    with scripted_writer(monkeypatch, ["no JSON", "[" * 50_000, REPLY, NOTHING]):
        assert read_topics(read_world.brand) == 2
    assert {reading.topic and reading.topic.name for reading in Reading.objects.all()} == {"locks", None}


def test_a_worker_that_is_killed_between_topics_loses_none_and_pays_none_twice(read_world, owner, monkeypatch):
    stored = services._store

    def killed(*arguments):
        if Reading.objects.exists():
            raise KeyboardInterrupt
        return stored(*arguments)

    with scripted_writer(monkeypatch, [REPLY, NOTHING, NOTHING, NOTHING]) as asked:
        monkeypatch.setattr(services, "_store", killed)
        with pytest.raises(KeyboardInterrupt):
            read_topics(read_world.brand)
        monkeypatch.setattr(services, "_store", stored)
        assert read_topics(read_world.brand) == 2
    assert len(asked) == 4 and Reading.objects.count() == 3
    assert Statement.objects.count() == 3


def test_what_is_pasted_is_the_same_as_what_an_engine_returns(read_world, owner, monkeypatch):
    with scripted_writer(monkeypatch, [REPLY, NOTHING, NOTHING]):
        read_topics(read_world.brand)
    by_engine = Reading.objects.get(topic=topic(read_world))
    text = f"Here you are:\n```json\n{json.dumps(REPLY)}\n```"
    taken = take_in(owner, brand_id=read_world.brand.pk, topic=topic(read_world).pk, text=text)
    assert rows_of(taken.reading) == rows_of(by_engine) != []
    assert taken.reading.refused == by_engine.refused == len(taken.checked.refused)
    assert (taken.reading.reader, taken.reading.made_by) == ("", owner.actor)
    assert {each.heading for each in findings_of(read_world.brand)} == {"light and quick", "comfortable saddle"}
    assert ProcrastinateJob.objects.filter(task_name="visibility.jobs.advise").exists()


def test_reviews_are_pasted_like_answers(read_world, owner):
    rows = [row("r1", facet="warning", value="chain gone", quote="Chain is gone"), row("r2", quote="bell is fine")]
    taken = take_in(owner, brand_id=read_world.brand.pk, topic=None, text=json.dumps(replied(*rows)))
    assert [each.reason for each in taken.checked.refused] == ["the quote is not in that text"]
    [finding] = findings_of(read_world.brand)
    assert (finding.topic, finding.k, finding.n, finding.quotes[0].stars) == (None, 1, 2, 2)


HOSTILE = {
    "nothing": "",
    "no JSON": "I cannot do that.",
    "a list": "[1, 2]",
    "another object": '{"title": "x"}',
    "rows that are no list": '{"headings": [], "rows": {"a": 1}}',
    "headings that are no list": '{"headings": "h1", "rows": []}',
    "rows without headings": '{"rows": [{"answer": "a1"}]}',
    "half of it": '{"rows": [{"answer": "a1"',
    "deep": '{"headings": [], "rows": ' + "[" * 50_000 + "]" * 50_000 + "}",
    "deep objects": '{"rows":' * 50_000 + "1" + "}" * 50_000,
    "a lone surrogate": '{"headings": [], "rows": [{"value": "\\ud800"}]}',
    "too long": '{"headings": [], "rows": [' + " " * LONGEST_REPLY + "]}",
    "a huge number": '{"headings": [], "rows": [' + "9" * 10_000 + "]}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_paste_that_is_no_reply_is_refused_with_a_word(read_world, owner, name):
    with pytest.raises(ServiceError) as error:
        take_in(owner, brand_id=read_world.brand.pk, topic=topic(read_world).pk, text=HOSTILE[name])
    assert error.value.code == "invalid_arguments" and error.value.message
    assert not Reading.objects.exists()


def test_a_reply_to_answers_of_before_is_refused(read_world, owner):
    text = json.dumps({"batch": Source(read_world.brand).material(topic(read_world)).batch, **REPLY})
    at = {"brand_id": read_world.brand.pk, "topic": topic(read_world).pk, "text": text}
    assert take_in(owner, **at).checked.kept
    read_world.measure(day_after(DAY, 1), written)
    with pytest.raises(ServiceError, match="Copy it again"):
        take_in(owner, **at)


def test_a_topic_of_another_brand_is_nothing_to_read(read_world, owner):
    with pytest.raises(ServiceError, match="nothing to read"):
        take_in(owner, brand_id=read_world.brand.pk, topic=read_world.brand.pk, text=json.dumps(REPLY))


ACTS = {
    "take in": lambda caller, brand: take_in(caller, brand_id=brand.pk, topic=None, text=json.dumps(NOTHING)),
    "read now": lambda caller, brand: read_now(caller, brand.pk),
    "switch": lambda caller, brand: switch(caller, brand.pk, False),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("role", "code"), [("viewer", "read_only_collaborator"), (None, "not_found"), ("editor", None)]
)
def test_editors_act_and_nobody_else(read_world, monkeypatch, act, role, code):
    user = CollaboratorFactory(brand=read_world.brand, role=role).user if role else UserFactory()
    with scripted_writer(monkeypatch, []):
        try:
            ACTS[act](Caller.from_user(user), read_world.brand)
            refused = None
        except ServiceError as error:
            refused = error.code
    assert refused == code


def test_reading_by_hand_is_enqueued_once_and_takes_an_engine_and_a_call(read_world, owner, monkeypatch):
    with pytest.raises(ServiceError) as error:
        read_now(owner, read_world.brand.pk)
    assert error.value.code == "no_engine_configured"
    with scripted_writer(monkeypatch, []):
        read_now(owner, read_world.brand.pk)
        read_now(owner, read_world.brand.pk)
        [job] = ProcrastinateJob.objects.filter(task_name="visibility.jobs.read")
        assert job.args == {"brand_id": str(read_world.brand.pk), "actor": owner.actor}
        read_world.owner.own_writer_calls_per_day = 0
        read_world.owner.save()
        with pytest.raises(ServiceError) as error:
            read_now(owner, read_world.brand.pk)
    assert error.value.code == "quota_exceeded"


def test_it_is_switched_on_where_an_engine_writes(read_world, monkeypatch):
    caller = Caller.from_user(read_world.owner)
    with pytest.raises(ServiceError, match="No engine that writes"):
        switch(caller, read_world.brand.pk, True)
    with scripted_writer(monkeypatch, []):
        assert switch(caller, read_world.brand.pk, True).is_read
    assert not switch(caller, read_world.brand.pk, False).is_read


def test_costs_are_known_before_from_the_texts_of_now(read_world, monkeypatch):
    assert reading_cost(read_world.brand).engine == ""
    with scripted_writer(monkeypatch, []) as asked:
        cost = reading_cost(read_world.brand)
        assert (cost.engine, cost.calls_a_round, cost.calls, cost.dollars) == ("scribe", 3, 13, None)
        Engine.objects.filter(writes=True).update(input_price=1, output_price=10)
        priced = reading_cost(read_world.brand)
    assert asked == []
    given = len(instructions(Source(read_world.brand).material(topic(read_world))))
    assert cost.input_tokens > 2 * 4 * given / 4  # two topics, four weeks, four characters a token
    assert priced.dollars == pytest.approx(
        Decimal(priced.input_tokens + 10 * priced.output_tokens) / 1_000_000, rel=Decimal("0.01")
    )


def test_costs_of_a_brand_without_answers_are_none():
    cost = reading_cost(BrandFactory())
    assert (cost.calls_a_round, cost.input_tokens, cost.dollars) == (0, 0, Decimal(0))


def test_answers_and_topics_that_go_take_their_readings_along(read_world, owner):
    take_in(owner, brand_id=read_world.brand.pk, topic=topic(read_world).pk, text=json.dumps(REPLY))
    Answer.objects.filter(brand=read_world.brand).delete()
    assert findings_of(read_world.brand) == []

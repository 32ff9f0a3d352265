"""Whoever reads while history is measured again sees all of it as before or all of it as after."""

import contextlib
import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.operators import system_caller
from brands.services.competitors import add_competitor
from brands.services.names import replace_aliases
from tests.amounts import some
from tests.factories import PromptFactory
from tests.scans import readers
from tests.scans.history import ended_run, rescored, scores
from visibility.models import Generation, TopicChoice
from visibility.pipeline.detect import detecting
from visibility.pipeline.generations.planning import plan_outdated

DAYS = 12


@pytest.fixture
def brand(cast, wordings):
    for day in range(DAYS):
        ended_run(cast.brand, wordings, day=day)
    return cast.brand


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.parametrize("read", some(readers.OF_ALL_DAYS, 3), ids=lambda read: read.__name__)
def test_readers_see_all_as_before_or_all_as_after(brand, cast, monkeypatch, read):
    monkeypatch.setattr(detecting, "CHUNK", 2)
    caller, system = Caller.from_user(cast.owner), system_caller("test")
    add_competitor(system, brand=brand, name="Rival", domain="shop.example")
    replace_aliases(system, brand=brand, aliases=["Anvil Company"])
    with readers.watching(lambda: read(caller, brand)) as seen:
        rescored(brand)
    assert len(seen) == 2, "once, from all before to all after"
    assert scores(brand) == [60.0] * DAYS


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_readers_see_the_queue_as_before_or_as_after(cast, monkeypatch):
    monkeypatch.setattr(detecting, "CHUNK", 2)
    caller, system = Caller.from_user(cast.owner), system_caller("test")
    prompts = PromptFactory.create_batch(12, brand=cast.brand, topic="bikes")
    TopicChoice.objects.create(brand=cast.brand, topic="bikes", is_own=True)
    for day in range(2):
        ended_run(cast.brand, prompts, day=day, texts=["Rival is good."] * 12, cited=[[]] * 12)
    add_competitor(system, brand=cast.brand, name="Rival", domain="shop.example")
    with readers.watching(lambda: readers.recommendations(caller, cast.brand)) as seen:
        rescored(cast.brand)
    assert [[row[0] for row in rows] for rows in seen] == [[], ["topic_gap"]]


@pytest.mark.django_db
def test_a_read_takes_as_many_statements_while_history_is_measured_again(brand, cast):
    caller, system = Caller.from_user(cast.owner), system_caller("test")

    def statements():
        with CaptureQueriesContext(connection) as queries:
            readers.trend(caller, brand)
            readers.runs(caller, brand)
        return len(queries)

    few = statements()
    replace_aliases(system, brand=brand, aliases=["Anvil Company"])
    plan_outdated()
    assert Generation.objects.filter(state="building").exists()
    assert statements() == few


@pytest.mark.django_db
def test_the_page_tells_how_far_it_is(brand, cast):
    caller = Caller.from_user(cast.owner)
    assert "measured again" not in readers.page(caller, brand)
    replace_aliases(system_caller("test"), brand=brand, aliases=["Anvil Company"])
    plan_outdated()
    assert "0 % of 60 answers are analysed" in readers.page(caller, brand)
    Generation.objects.filter(state="building").update(error_message="The last attempt failed with OSError.")
    assert "The last attempt failed with OSError. It goes on at" in readers.page(caller, brand)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_snapshot_shows_one_moment(brand, at_once):
    first, second = threading.Barrier(2), threading.Barrier(2)

    def act(index):
        if index == 0:
            first.wait(10)
            Generation.objects.update(error_message="changed")
            second.wait(10)
            return None
        with snapshot():
            before = Generation.objects.get().error_message
            first.wait(10)
            second.wait(10)
            return before, Generation.objects.get().error_message

    assert at_once(2, act)[1] == ("", "")
    with snapshot():
        assert Generation.objects.get().error_message == "changed"


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_snapshot_leaves_the_connection_as_it_was(brand):
    with contextlib.suppress(ZeroDivisionError), snapshot():
        Generation.objects.count()
        raise ZeroDivisionError
    Generation.objects.update(error_message="written")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            assert cursor.fetchone() == ("read committed",)

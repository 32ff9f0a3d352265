"""Whoever reads while history is measured again sees all of it as before or all of it as after."""

import threading
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apikeys.caller import Caller
from apikeys.snapshot import snapshot
from brands.services.competitors import add_competitor
from brands.services.names import add_alias
from tests.scans.history import ended_run, rescored, scores
from visibility.models import Citation, DailyScore, Generation, Mention
from visibility.scans import detecting
from visibility.scans.generations import plan_outdated
from visibility.services import reading

DAYS = 12
WINDOW = {"first": date(2026, 1, 1), "last": date(2026, 12, 31)}


@pytest.fixture
def brand(cast, wordings):
    for day in range(DAYS):
        ended_run(cast.brand, wordings, day=day)
    return cast.brand


def trend(caller, brand):
    items = reading.trend(caller, brand_id=brand.pk, **WINDOW).trend
    return tuple((item.date, item.score, item.share_of_voice, item.citation_rate) for item in items)


def runs(caller, brand):
    return tuple((run.id, run.score, run.low, run.high) for run in reading.runs(caller, brand_id=brand.pk).runs)


def mentions(caller, brand):
    return tuple(
        Mention.objects.filter(answer__brand=brand).order_by("answer", "start").values_list("answer", "text")
    )


def citations(caller, brand):
    rows = Citation.objects.filter(answer__brand=brand).order_by("answer", "position")
    return tuple(rows.values_list("answer", "owner"))


def rivals(caller, brand):
    return DailyScore.objects.filter(brand=brand, competitor__isnull=False).count()


def page(caller, brand):
    """The page as a whole: its trend, recommendations and runs come from several statements."""
    client = Client()
    client.force_login(caller.user)
    return client.get(reverse("brand-page", args=[brand.pk])).content.decode()


def page_figures(html):
    """What the page says of the measurement; not how far the next one is."""
    lines = (line.strip() for line in html.splitlines())
    return tuple(line for line in lines if line and "measured again" not in line and "csrf" not in line)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.parametrize("read", [trend, runs, mentions, citations, rivals, page], ids=lambda read: read.__name__)
def test_readers_see_all_as_before_or_all_as_after(brand, cast, monkeypatch, read):
    monkeypatch.setattr(detecting, "CHUNK", 2)
    caller, system = Caller.from_user(cast.owner), Caller.system("test")
    add_competitor(system, brand=brand, name="Rival", domain="shop.example")
    add_alias(system, brand=brand, text="Anvil Company")
    shape = page_figures if read is page else (lambda seen: seen)
    seen, errors, ended = [shape(read(caller, brand))], [], threading.Event()

    def poll():
        try:
            last = False
            while not last:
                last = ended.is_set()
                now = shape(read(caller, brand))
                if now != seen[-1]:
                    seen.append(now)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    readers = [threading.Thread(target=poll) for _ in range(1)]
    for reader in readers:
        reader.start()
    try:
        rescored(brand)
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    assert not errors
    assert len(seen) == 2, "once, from all before to all after"
    assert seen[-1] == shape(read(caller, brand))
    assert scores(brand) == [60.0] * DAYS


@pytest.mark.django_db
def test_a_read_takes_as_many_statements_while_history_is_measured_again(brand, cast):
    caller, system = Caller.from_user(cast.owner), Caller.system("test")

    def statements():
        with CaptureQueriesContext(connection) as queries:
            trend(caller, brand)
            runs(caller, brand)
        return len(queries)

    few = statements()
    add_alias(system, brand=brand, text="Anvil Company")
    plan_outdated()
    assert Generation.objects.filter(state="building").exists()
    assert statements() == few == 2


@pytest.mark.django_db
def test_the_page_tells_how_far_it_is(brand, cast):
    caller = Caller.from_user(cast.owner)
    assert "measured again" not in page(caller, brand)
    add_alias(Caller.system("test"), brand=brand, text="Anvil Company")
    plan_outdated()
    assert "0 % of 60 answers are looked through" in page(caller, brand)
    Generation.objects.filter(state="building").update(error_message="The last attempt broke off with OSError.")
    assert "The last attempt broke off with OSError. It goes on at" in page(caller, brand)


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

"""What is counted for now is kept for the next reader, and never longer than what it is counted from."""

import pytest
from django.core.cache import cache

from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import ended_run, rescored
from visibility.measured import kept
from visibility.measured.now import read_now
from visibility.models import DailyScore, Prompt
from visibility.services.overview.portfolio import nows_of
from visibility.services.prompts.editing import archive_prompt

pytestmark = pytest.mark.django_db

IGNORED = {"_state", "runs", "id", "pk"}


@pytest.fixture
def rival(cast):
    return CompetitorFactory(brand=cast.brand, name="Rival")


@pytest.fixture
def mixed(cast, rival):
    """Two engines whose last days differ."""
    prompts = [PromptFactory(brand=cast.brand, topic=f"need {number % 4}") for number in range(8)]
    texts = ["Acme is good."] * 3 + ["Rival is good."] * 3 + ["Acme and Rival."] * 2
    ended_run(cast.brand, prompts, engine="chat", texts=texts)
    ended_run(cast.brand, prompts, engine="sonar", day=1, texts=texts[::-1])
    return cast.brand


def told(brand):
    """All that is measured now, in plain values."""
    now = read_now(brand)
    rows = [
        {name: str(value) for name, value in vars(row).items() if name not in IGNORED} | {"runs": sorted(row.runs)}
        for row in now.rows
    ]
    return rows, dict(now.aside), dict(now.thin)


def test_the_next_reader_finds_what_was_counted(mixed, owner, statements):
    counted = told(mixed)
    assert told(mixed) == counted
    cold = (cache.clear(), statements(read_now, mixed))[1]
    assert statements(read_now, mixed) <= cold - 2
    assert nows_of(owner, [mixed.pk])[mixed.pk].own.score == read_now(mixed).own.score


def archive(brand, owner):
    archive_prompt(owner, prompt=Prompt.objects.filter(brand=brand).first())


def ask_more(brand, owner):
    PromptFactory.create_batch(9, brand=brand)


def sort_otherwise(brand, owner):
    Prompt.objects.filter(brand=brand).update(topic="all one need")


def watch_no_more(brand, owner):
    brand.competitors.all().delete()


def answer_again(brand, owner):
    ended_run(brand, Prompt.objects.filter(brand=brand), engine="sonar", day=1, texts=["Nobody."] * 8)


def call_otherwise(brand, owner):
    brand.competitors.update(name="Other")
    type(brand).objects.filter(pk=brand.pk).update(name="Rival", names_version=brand.names_version + 1)
    rescored(brand)


CHANGES = [archive, sort_otherwise, watch_no_more, answer_again, call_otherwise]


def test_prompts_that_are_added_change_no_figure(mixed, owner):
    before = told(mixed)
    ask_more(mixed, owner)
    assert told(mixed) == before


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_kept_beyond_what_it_was_counted_from(mixed, owner, change):
    before = told(mixed)
    change(mixed, owner)
    mixed.refresh_from_db()
    now = told(mixed)
    assert now != before
    cache.clear()
    assert told(mixed) == now


def test_a_silent_cache_costs_time_alone(mixed, monkeypatch):
    counted = told(mixed)

    class Silent:
        def __getattr__(self, name):
            raise ConnectionError

    monkeypatch.setattr(kept, "cache", Silent())
    assert told(mixed) == counted


def test_a_name_that_changed_meanwhile_is_shown(mixed, rival):
    read_now(mixed)
    type(rival).objects.filter(pk=rival.pk).update(name="Renamed")
    assert [row.competitor.name for row in read_now(mixed).rows if row.competitor] == ["Renamed"]
    assert DailyScore.objects.filter(competitor=rival).exists()

"""Markets: answers for one country and language are never pooled with those for another, nor compared with them."""

from datetime import date
from importlib import import_module

import pytest
from django.apps import apps

from tests.counts.conftest import add, asked, measured
from visibility.answers.detect import Reader
from visibility.counts.past import past_days, select_on
from visibility.counts.reader import select_between, select_now
from visibility.models import Answer, Cell, ChangeRecord, DailyScore, Run, RunEngine
from visibility.models.prompts import country_of, language_of, market_of
from visibility.scores.cells import write_cells
from visibility.scores.history import METHOD
from visibility.scores.recount import rescore

pytestmark = pytest.mark.django_db
YES = ("Kryton",) * 4
TOPICS = ("locks", "bells", "lamps", "pumps", "racks", "seats")
MIGRATION = import_module("visibility.migrations.0012_markets_of_stored_answers")


@pytest.mark.parametrize(
    ("locale", "region", "market", "language", "country"),
    [
        ("de-AT", "DE", "de-AT", "de", "AT"),
        ("de", "CH", "de-CH", "de", "CH"),
        ("", "CH", "und-CH", "", "CH"),
        ("und-US", "CH", "und-US", "", "US"),
        ("zh-Hant-TW", "", "zh-Hant-TW", "zh-Hant", "TW"),
        ("de", "", "de", "de", ""),
        ("", "", "", "", ""),
    ],
)
def test_a_market_is_the_language_and_country_that_are_asked_for(locale, region, market, language, country):
    made = market_of(locale, region)
    assert (made, language_of(made), country_of(made)) == (market, language, country)


def move(brand, market, **where):
    """Have the brand's answers of these days asked for a market, and count them again."""
    Answer.objects.filter(brand=brand, **where).update(market=market)
    reader = Reader(brand)
    for run in Run.objects.filter(brand=brand):
        write_cells(reader, run)
    rescore(brand.pk)


def fallen(*days, until):
    """Answers that name the brand until a day, and nobody after it."""
    return [asked("chatgpt", day, *(YES if day <= until else ()), topic=topic) for day in days for topic in TOPICS]


def marked_days(brand):
    days = DailyScore.objects.of_brand(brand).exclude(date=None).order_by("date")
    return {day.date.day: day.change["causes"] for day in days if day.change and day.change["causes"]}


@pytest.fixture
def moved():
    """A brand whose region was changed before the fourth of six days, from which on nobody names it."""
    brand = measured(*fallen(1, 2, 3, 4, 5, 6, until=3))
    assert ChangeRecord.objects.filter(brand=brand, engine="", began="2026-01-04").exists()
    move(brand, "und-AT", day__lte="2026-01-03")
    move(brand, "und-DE", day__gt="2026-01-03")
    return brand


def test_a_changed_region_makes_days_incomparable_and_is_no_change_of_the_brand(moved):
    assert marked_days(moved) == {4: ["market"]}
    assert not ChangeRecord.objects.filter(brand=moved).exists()


def test_after_a_changed_region_now_counts_only_the_answers_for_the_new_one(moved):
    now = select_now(moved)
    assert [(row.mentioned, row.of, row.period) for row in now.rows()] == [(0, 72, "2026-01-04/2026-01-06")]
    assert now.answers.count() == 72 and {each.market for each in now.sums} == {"und-DE"}


def test_windows_of_earlier_days_have_the_market_of_their_own_last_day(moved):
    third, fourth = date(2026, 1, 3), date(2026, 1, 4)
    assert select_on(moved, third).rows()[0].of == 72
    assert select_on(moved, fourth).rows()[0].of == 24
    days = {each.day: each.window.rows()[0].of for each in past_days(select_now(moved), third, fourth)}
    assert days == {third: 72, fourth: 24}


def test_a_prompt_for_another_market_is_added_without_making_days_incomparable():
    brand = measured(*(asked("chatgpt", day, locale="de-AT") for day in (1, 2)))
    add(brand, *(asked("chatgpt", 2, topic=topic, locale="en-US") for topic in ("bells", "lamps")))
    assert marked_days(brand) == {}
    assert select_now(brand).narrow(markets=["de-AT"]).rows()[0].of == 8


def test_the_same_wordings_for_two_markets_are_told_apart_by_name():
    brand = measured(asked("chatgpt", 1, *YES, locale="de-AT"), asked("chatgpt", 1, locale="en-US"))
    counts = {
        name: [(row.mentioned, row.of) for row in select_now(brand).narrow(markets=markets).rows()]
        for name, markets in (("all", []), ("at", ["de-AT"]), ("us", ["en-US"]))
    }
    assert counts == {"all": [(4, 8)], "at": [(4, 4)], "us": [(0, 4)]}
    assert select_between(brand).narrow(markets=["en-US"]).answers.count() == 4


def test_two_markets_of_one_wording_on_one_day_are_two_prompts_of_a_table():
    brand = measured(asked("chatgpt", 1, of=1, samples=2))
    move(brand, "und-AT", sample=1)
    move(brand, "und-DE", sample=2)
    [first, second] = select_now(brand).table.prompts
    assert (first.split()[1], second.split()[1]) == ("und-AT", "und-DE")
    assert first.split()[0] == second.split()[0]


def test_an_answer_for_another_country_than_was_asked_for_counts_for_neither():
    brand = measured(asked("chatgpt", 1, *YES, of=5))
    first, second = Answer.objects.order_by("pk")[:2]
    Answer.objects.filter(pk=first.pk).update(country="DE")
    Answer.objects.filter(pk=second.pk).update(country="AT")
    move(brand, "und-AT")
    now = select_now(brand)
    assert [(row.mentioned, row.of) for row in now.rows()] == [(3, 4)]
    assert now.answers.count() == 4 and first.pk not in now.answers.values_list("pk", flat=True)
    assert Answer.objects.get(pk=first.pk).is_elsewhere and not Answer.objects.get(pk=second.pk).is_elsewhere


def test_an_engine_that_mostly_answers_for_another_country_does_not_count():
    brand = measured(asked("chatgpt", 1, *YES))
    Answer.objects.update(country="DE")
    move(brand, "und-AT")
    assert not select_now(brand).engines


@pytest.mark.parametrize("country", ["US", ""])
def test_what_an_engine_assumes_where_no_country_was_asked_for_counts(country):
    brand = measured(asked("chatgpt", 1, *YES))
    Answer.objects.update(country=country)
    move(brand, "")
    assert [(row.mentioned, row.of) for row in select_now(brand).rows()] == [(4, 4)]


def migrate(brand, region):
    type(brand).objects.filter(pk=brand.pk).update(region=region)
    Answer.objects.update(market="")
    MIGRATION.write_markets(apps, None)
    brand.refresh_from_db()
    return sorted(set(Answer.objects.values_list("market", flat=True)))


@pytest.mark.parametrize(
    ("locale", "region", "stored", "market"),
    [
        ("de-AT", "CH", {}, "de-AT"),
        ("", "CH", {"country": "CH"}, "und-CH"),
        ("de", "CH", {"country": "CH"}, "de-CH"),
        ("de", "CH", {"country": "AT"}, ""),
        ("de", "CH", {}, ""),
        ("de", "CH", {"state": "pending"}, "de-CH"),
        ("de", "", {"country": "US"}, "de"),
        ("", "", {"country": "US"}, ""),
    ],
)
def test_answers_of_before_have_the_market_that_what_is_stored_shows(locale, region, stored, market):
    brand = measured(asked("chatgpt", 1, of=1, **({"locale": locale} if locale else {})))
    Run.objects.update(trigger="agent")
    Answer.objects.update(**{"country": "", **stored})
    assert migrate(brand, region) == [market]


def test_runs_of_before_have_their_markets_and_lose_the_countries_that_were_asked_for():
    brand = measured(asked("chatgpt", 1, locale="de-AT"), asked("gemini", 1))
    Answer.objects.filter(engine__name="gemini").update(country="US")
    RunEngine.objects.filter(run__brand=brand).update(markets=[], countries=["AT", "US"])
    MIGRATION.write_markets_of_runs(apps, None)
    rows = RunEngine.objects.order_by("engine__name").values_list("markets", "countries")
    assert list(rows) == [(["de-AT"], []), ([], ["US"])]


def test_imported_answers_of_before_take_no_region_and_history_is_counted_again():
    brand = measured(asked("chatgpt", 1, *YES, locale="de"))
    Cell.objects.update(market="")
    RunEngine.objects.update(markets=[])
    type(brand).objects.update(method_version=METHOD - 1)
    assert migrate(brand, "CH") == ["de"]
    rescore(brand.pk)
    assert list(RunEngine.objects.values_list("markets", flat=True)) == [["de"]]
    assert set(Cell.objects.values_list("market", flat=True)) == {"de"}

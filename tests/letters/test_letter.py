"""What a letter says is what the pages say, and what the rows say."""

from datetime import date

import pytest

from apikeys.accounts.caller import Caller
from brands.models import Brand
from tests.factories import BrandFactory, ChangeRecordFactory, RecommendationFactory
from tests.letters.conftest import TODAY
from tests.once import made_once
from tests.pages.test_pages import client_of
from tests.scores.conftest import answers, imported
from visibility.letters.letter import read_letter
from visibility.models import ChangeRecord, Mention, Recommendation
from visibility.recommendations.advise import recommend

pytestmark = pytest.mark.django_db
CITY, TRAIL = ("Kryton is fine.",), ("Zentra is fine.",)


def letter_of(brand, today=TODAY):
    return read_letter(Caller.from_user(brand.owner), brand.pk, today)


def texts(letter):
    return {each.slot: each.text for each in letter.sentences}


@pytest.fixture(scope="module")
def fallen_key(django_db_setup, django_db_blocker):
    """Named in all answers for four days, then in none: the fall is known within the week."""
    with made_once(django_db_blocker):
        brand = imported([*answers((1, 2, 3, 4), texts=CITY), *answers((6, 7, 8), texts=TRAIL)])
        recommend(brand)
        yield brand.pk


@pytest.fixture
def fallen(fallen_key, settings):
    settings.CITED_PAGES_PER_WEEK = 0
    return Brand.objects.get(pk=fallen_key)


def test_a_quiet_week_is_one_sentence(brand):
    letter = letter_of(brand)
    assert letter.is_quiet and letter.chart
    assert texts(letter) == {
        "quiet": "Nothing happened, 5 to 11 Jan 2026: AI answers mention you in 51 % (± 11, on these prompts), "
        "no clear change."
    }


def test_days_measured_after_the_week_are_not_in_its_letter(fallen):
    words = texts(letter_of(fallen, date(2026, 1, 5)))["quiet"]
    assert "AI answers mention you in 100 %" in words and words.endswith("no clear change.")


def test_a_week_with_a_fall_has_five_sentences_with_pages_behind_them(fallen):
    letter = letter_of(fallen)
    assert [each.slot for each in letter.sentences] == ["score", "change", "rivals", "split", "next"]
    assert letter.subject == "Kryton: 100 points lost, 5 to 11 Jan 2026"
    said = texts(letter)
    assert said["change"].startswith("You lost 100 points on 6 January (100 → 0 %), largest parts: ")
    assert said["rivals"] == "On these 12 questions Zentra is always there, you never."
    reader = client_of(fallen.owner)
    assert {reader.get(each.path).status_code for each in letter.sentences} == {200}


def test_figures_are_those_of_the_rows(fallen):
    record = ChangeRecord.objects.get(brand=fallen, engine="")
    now = fallen.answers.filter(day__gte=record.began)
    named = Mention.objects.filter(answer__in=now, competitor=None).values("answer").distinct().count()
    assert texts(letter_of(fallen))["score"].endswith(f": {named} of {now.count()} answers.")


def test_the_overview_says_the_same(fallen):
    said = texts(letter_of(fallen))
    page = client_of(fallen.owner).get(f"/brands/{fallen.pk}").content.decode()
    for part in ("You lost 100 points on 6 January (100 → 0 %)", said["split"], "0 of 72 answers"):
        assert part in page


def test_a_change_of_an_earlier_week_is_no_news(fallen):
    ChangeRecord.objects.update(known_on=date(2026, 1, 4))
    RecommendationFactory(brand=fallen)
    Recommendation.objects.update(created_at="2026-01-07T10:00:00Z")
    assert texts(letter_of(fallen))["change"] == "No new change; on 6 January you lost 100 points."
    Recommendation.objects.update(created_at="2026-01-01T10:00:00Z", status_changed_at="2026-01-01T10:00:00Z")
    assert "no new change since you lost 100 points on 6 January" in texts(letter_of(fallen))["quiet"]


def test_a_change_that_is_over_is_said(brand):
    ChangeRecordFactory(
        brand=brand,
        began=date(2026, 1, 2),
        state="recovered",
        state_since=date(2026, 1, 7),
        known_on=date(2026, 1, 2),
    )
    assert texts(letter_of(brand))["change"] == "The change of 2 January is over: it shows no more."


def test_a_change_of_one_engine_alone_is_none_of_the_score(brand):
    ChangeRecordFactory(brand=brand, engine="chatgpt (imported)", known_on=date(2026, 1, 7))
    assert letter_of(brand).is_quiet


@pytest.mark.parametrize(("kind", "is_quiet"), [("gap", False), ("hygiene", True)])
def test_housekeeping_makes_no_news(brand, kind, is_quiet):
    row = RecommendationFactory(brand=brand, kind=kind)
    type(row).objects.update(created_at="2026-01-06T10:00:00Z", status_changed_at="2026-01-06T10:00:00Z")
    letter = letter_of(brand)
    assert letter.is_quiet is is_quiet
    assert ("1 new thing to do." in texts(letter).get("next", "")) is not is_quiet


def test_the_first_measured_week_says_that_nothing_can_be_compared():
    letter = letter_of(imported(answers((6,))))
    assert texts(letter)["change"] == "No comparison yet: that takes a second measured day."
    assert not letter.chart and not letter.picture()


def test_a_brand_without_answers_has_nothing_but_that_to_say():
    letter = letter_of(BrandFactory())
    assert list(texts(letter)) == ["silence"] and letter.last_day is None

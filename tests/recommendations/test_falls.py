"""Cards on falls: there as long as a fall is not over."""

from datetime import date

import pytest

from tests.counts.conftest import asked, measured
from tests.factories import ChangeRecordFactory
from tests.recommendations.conftest import words
from visibility.models import ChangeRecord, Recommendation
from visibility.recommendations.advise import recommend
from visibility.recommendations.facts import gather
from visibility.recommendations.kinds.fall import fallen_topics
from visibility.scores.change_reads import changes_of
from visibility.scores.words import change_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    return measured(*(asked("chatgpt", day, "Kryton") for day in (1, 2, 3)))


def record(brand, state):
    topic = {"key": str(brand.topics.get().pk), "points": -50, "before": 90, "after": 20}
    return ChangeRecordFactory(brand=brand, state=state, parts={"topics": [topic]})


@pytest.mark.parametrize(("state", "cards"), [("holds", 1), ("went_on", 1), ("recovered", 0)])
def test_a_fall_that_has_not_recovered_has_a_card_and_its_topics_have_fallen(brand, state, cards):
    record(brand, state)
    recommend(brand)
    assert Recommendation.objects.filter(brand=brand, kind="fall", status="open").count() == cards
    assert len(fallen_topics(gather(brand))) == cards


def test_a_fall_that_went_further_keeps_its_card(brand):
    row = record(brand, "holds")
    recommend(brand)
    ChangeRecord.objects.filter(pk=row.pk).update(state="went_on", after=10, delta=-65)
    recommend(brand)
    card = words(Recommendation.objects.get(brand=brand, kind="fall", status="open"))
    assert "from 75 to 10 %" in card.fact


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("holds", "fell by 50 points"),
        ("went_on", "fell by 50 points"),
        ("recovered", "No change of Kryton's score is confirmed"),
    ],
)
def test_a_change_is_reported_until_it_has_recovered(brand, state, words):
    record(brand, state)
    first = date(2026, 1, 1)
    changes = changes_of(brand, first, date(2026, 1, 3), full=False)
    assert words in change_words("Kryton", changes, 3)

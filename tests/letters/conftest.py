"""A brand with measured days, a reader of its letters, and a server of mail."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from apikeys.models import MailPreference
from tests.mail.conftest import kill, letterbox, server
from tests.once import made_once
from tests.scores.conftest import answers, imported
from visibility.letters.schedule import subscribe

__all__ = ["kill", "letterbox", "server"]
MONDAY = datetime(2026, 1, 12, 6, 30, tzinfo=UTC)
"""Half an hour after letters on the week from 5 to 11 January come."""
NEXT_MONDAY = datetime(2026, 1, 19, 6, tzinfo=UTC)
TODAY = MONDAY.date()
WEEK = date(2026, 1, 5)
DAYS = (1, 2, 6, 7)


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    """Measured on two days before the week and on two of it, always alike."""
    with made_once(django_db_blocker):
        yield imported(answers(DAYS)).pk


@pytest.fixture
def monday(monkeypatch):
    """The hour has come."""
    monkeypatch.setattr(timezone, "now", lambda: MONDAY)


def subscribed(person, *brands, **chosen) -> MailPreference:
    """A person whose letters on these brands are due."""
    keys = [brand.pk for brand in brands]
    values = {"weekday": 0, "hour": 6, "zone": "UTC", "language": "en", **chosen}
    subscribe(person, offered=keys, wanted=keys, **values)
    MailPreference.objects.filter(person=person).update(next_letter_at=datetime(2026, 1, 12, 6, tzinfo=UTC))
    return MailPreference.objects.get(person=person)

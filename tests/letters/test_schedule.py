"""When letters come, and to whom."""

from datetime import UTC, datetime

import pytest

from apikeys.mail.choices import choose
from apikeys.models import MailPreference
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from tests.letters.conftest import subscribed
from visibility.letters.schedule import brands_of, last_slot, mailing_of, next_slot, preference_of, subscribe

SUNDAY = datetime(2026, 1, 11, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, "2026-01-12 06:00"),
        ({"weekday": 6, "hour": 12}, "2026-01-18 12:00"),
        ({"weekday": 6, "hour": 13}, "2026-01-11 13:00"),
        ({"zone": "Europe/Berlin"}, "2026-01-12 05:00"),
        ({"zone": "Pacific/Auckland"}, "2026-01-11 17:00"),
        ({"zone": "America/Los_Angeles", "weekday": 6, "hour": 23}, "2026-01-12 07:00"),
    ],
)
def test_the_next_hour_is_that_of_the_zone(chosen, expected):
    slot = next_slot(MailPreference(**chosen), SUNDAY)
    assert f"{slot.astimezone(UTC):%Y-%m-%d %H:%M}" == expected


def test_summer_time_moves_the_hour_and_not_the_clock():
    preference = MailPreference(zone="Europe/Berlin", weekday=0, hour=6)
    slots = [next_slot(preference, datetime(2026, 3, day, tzinfo=UTC)) for day in (21, 28)]
    assert [slot.astimezone(UTC).hour for slot in slots] == [5, 4]


def test_the_last_hour_is_the_newest_one_however_long_nobody_looked():
    slot = last_slot(MailPreference(zone="Europe/Berlin"), datetime(2026, 1, 30, tzinfo=UTC))
    assert f"{slot:%Y-%m-%d %H:%M %Z}" == "2026-01-26 06:00 CET"


@pytest.mark.django_db
def test_nobody_gets_letters_unasked():
    assert not brands_of(BrandFactory().owner).exists()


@pytest.mark.django_db
def test_a_viewer_may_subscribe():
    viewer = CollaboratorFactory(role="viewer")
    subscribed(viewer.user, viewer.brand)
    assert list(brands_of(viewer.user)) == [viewer.brand]


@pytest.mark.django_db
def test_who_loses_access_gets_none():
    viewer = CollaboratorFactory(role="viewer")
    subscribed(viewer.user, viewer.brand)
    viewer.delete()
    assert not brands_of(viewer.user).exists()


@pytest.mark.django_db
def test_a_click_in_a_letter_ends_those_on_its_brand_alone():
    reader = UserFactory()
    one, other = (BrandFactory(owner=reader) for _ in range(2))
    subscribed(reader, one, other)
    choose(reader, mailing_of(one.pk), is_wanted=False)
    assert list(brands_of(reader)) == [other]


@pytest.mark.django_db
def test_without_a_brand_no_hour_waits():
    brand = BrandFactory()
    subscribed(brand.owner, brand)
    values = {"weekday": 2, "hour": 7, "zone": "UTC", "language": "de"}
    subscribe(brand.owner, offered=[brand.pk], wanted=[], **values)
    preference = preference_of(brand.owner)
    assert (preference.next_letter_at, preference.weekday, preference.language) == (None, 2, "de")

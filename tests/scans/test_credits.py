"""Credits are settled once, against the month in which they were reserved."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from apikeys.models import Usage
from apikeys.services.usage import period_of
from tests.factories import RunFactory
from visibility.pipeline.credits import settle

MONTH = date(2026, 3, 1)


@pytest.fixture
def reserved(cast):
    """A run of March that reserved 10 credits of 25 used and got 7 answers."""
    Usage.objects.create(user=cast.owner, kind=Usage.Kind.CREDITS, period=MONTH, used=25)
    return RunFactory(
        brand=cast.brand,
        created_at=datetime(2026, 3, 31, 23, 50, tzinfo=UTC),
        total=10,
        done=7,
        failed=3,
        credits_reserved=10,
        credits_month=MONTH,
        credits_account=cast.owner,
    )


def used(user, period):
    row = Usage.objects.filter(user=user, kind=Usage.Kind.CREDITS, period=period).first()
    return row.used if row else None


def test_answers_are_paid_and_the_rest_is_given_back_to_its_month(reserved):
    settle(reserved)
    assert (reserved.credits_spent, used(reserved.credits_account, MONTH)) == (7, 22)
    assert used(reserved.credits_account, period_of(Usage.Kind.CREDITS, timezone.now())) is None


def test_settling_again_changes_nothing(reserved):
    settle(reserved)
    settled_at = reserved.settled_at
    reserved.done = 0
    reserved.save(update_fields=["done"])
    settle(reserved)
    reserved.refresh_from_db()
    assert (reserved.credits_spent, reserved.settled_at) == (7, settled_at)
    assert used(reserved.credits_account, MONTH) == 22


def test_more_answers_than_credits_cost_no_more_than_was_reserved(reserved):
    reserved.total = reserved.done = 12
    reserved.save(update_fields=["total", "done"])
    settle(reserved)
    assert (reserved.credits_spent, used(reserved.credits_account, MONTH)) == (10, 25)

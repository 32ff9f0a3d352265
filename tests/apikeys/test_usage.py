"""Quotas and credits: no number of callers passes a limit, and what is given back goes to its own month."""

from datetime import UTC, date, datetime

import pytest

from apikeys.accounts import usage
from apikeys.errors import ServiceError
from apikeys.models import Usage, User
from tests.factories import UserFactory, plan
from tests.threads import at_once

CREDITS, WRITER_CALLS = Usage.Kind.CREDITS, Usage.Kind.WRITER_CALLS


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_hundred_callers_spend_the_limit_exactly():
    user = UserFactory(own_writer_calls_per_day=7)
    results = at_once([lambda: usage.spend(user, WRITER_CALLS, 1)] * 100)
    refusals = [result for result in results if isinstance(result, ServiceError)]
    assert len(refusals) == 93
    assert {refusal.code for refusal in refusals} == {"quota_exceeded"}
    assert Usage.objects.get().used == 7


@pytest.mark.django_db
def test_a_refusal_says_how_much_there_is_and_when_it_starts_again():
    user = UserFactory(plan=plan("free"))
    usage.spend(user, CREDITS, 150)
    with pytest.raises(ServiceError) as refusal:
        usage.spend(user, CREDITS, 51)
    assert {name: refusal.value.details[name] for name in ("limit", "used")} == {"limit": 200, "used": 150}
    assert refusal.value.details["resetsAt"].endswith("-01T00:00:00.000Z")
    usage.spend(user, CREDITS, 50)


@pytest.mark.django_db
def test_an_accounts_own_limit_holds_instead_of_the_plans():
    user = UserFactory(plan=plan("free"), own_credits_per_month=0)
    with pytest.raises(ServiceError):
        usage.spend(user, CREDITS, 1)
    assert usage.quotas(user)[CREDITS].limit == 0
    assert usage.quotas(user)[Usage.Kind.DRAFTS].limit == 1


@pytest.mark.django_db
def test_a_deactivated_account_pays_for_nothing_whatever_was_read_before():
    user = UserFactory()
    User.objects.filter(pk=user.pk).update(is_active=False)
    with pytest.raises(ServiceError) as refusal:
        usage.spend(user, CREDITS, 1)
    assert refusal.value.code == "conflict"
    assert not Usage.objects.filter(used__gt=0).exists()


@pytest.mark.django_db
def test_what_is_given_back_goes_to_the_month_it_came_from_and_never_below_zero():
    user = UserFactory()
    past = Usage.objects.create(user=user, kind=CREDITS, period=date(2026, 1, 1), used=30)
    period = usage.spend(user, CREDITS, 10)
    usage.give_back(user.pk, CREDITS, date(2026, 1, 1), 40)
    past.refresh_from_db()
    assert past.used == 0
    assert Usage.objects.get(period=period).used == 10


def test_months_and_days_begin_at_midnight_utc():
    last = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert usage.period_of(CREDITS, last) == date(2026, 12, 1)
    assert usage.resets_at(CREDITS, date(2026, 12, 1)) == datetime(2027, 1, 1, tzinfo=UTC)
    assert usage.period_of(WRITER_CALLS, last) == date(2026, 12, 31)
    assert usage.resets_at(WRITER_CALLS, date(2026, 12, 31)) == datetime(2027, 1, 1, tzinfo=UTC)

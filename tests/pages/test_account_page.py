"""The account: what the plan allows, what is used, and the keys, of which nothing secret is shown."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apikeys.models import ApiKey, Usage
from apikeys.services.usage import period_of
from tests.factories import ApiKeyFactory, UserFactory
from tests.people.browser import text_of

pytestmark = pytest.mark.django_db


def test_the_plan_and_what_is_used_of_it(visit, cast):
    Usage.objects.create(user=cast.owner, kind=Usage.Kind.CREDITS, period=period_of(Usage.Kind.CREDITS), used=1_234)
    page = text_of(visit(cast.owner, "account-page"))
    assert f"Credits this month 1,234 {cast.owner.plan.credits_per_month:,}" in page
    assert f"Brands 1 {cast.owner.plan.max_sites}" in page
    assert "No scans are planned" in page


def test_keys_are_seen_with_their_state_and_never_the_key(visit, cast):
    now = timezone.now()
    ApiKeyFactory(owner=cast.owner, name="Dashboard", last_used_at=now)
    ApiKeyFactory(owner=cast.owner, name="Old", expires_at=now - timedelta(days=1))
    ApiKeyFactory(owner=cast.owner, name="Gone", revoked_at=now)
    ApiKeyFactory(owner=cast.stranger, name="Of a stranger")
    answer = visit(cast.owner, "account-page")
    page = text_of(answer)
    for name, state in (("Dashboard", "active"), ("Old", "expired"), ("Gone", "revoked")):
        key = ApiKey.objects.get(name=name)
        assert f"{name} {key.prefix}…{key.last_four} {state}" in page
        assert key.digest not in answer.content.decode()
    assert "Of a stranger" not in page


def test_without_a_plan_or_a_key_the_page_says_who_gives_one(visit):
    page = text_of(visit(UserFactory(plan=None), "account-page"))
    assert "Your account has no plan" in page and "You have no key yet" in page


def test_it_asks_to_sign_in_and_costs_few_statements(client, cast, django_assert_max_num_queries):
    assert client.get(reverse("account-page")).status_code == 302
    client.force_login(cast.owner)
    client.get(reverse("account-page"))
    with django_assert_max_num_queries(12):
        client.get(reverse("account-page"))

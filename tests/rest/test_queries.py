"""How many statements a call costs: at most five, whatever the amount of data."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.models import ApiKey
from tests.factories import BrandFactory, DailyScoreFactory, RecommendationFactory, RunFactory
from visibility.models import DailyScore

PARTS = ("", "/visibility?from=0", "/recommendations?status=all", "/runs")


def statements(api, path, key):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert api.get(path, key).status_code == 200
    return [query["sql"] for query in captured.captured_queries]


@pytest.mark.parametrize("brands", [1, 50])
def test_the_brand_list(api, cast, key, brands):
    for n in range(brands - 1):
        RunFactory(brand=BrandFactory(owner=cast.owner, domain=f"{n}.example"))
    assert len(statements(api, "/api/v1/brands", key)) == 4  # key, its last use, brands with runs, call log
    assert len(statements(api, "/api/v1/brands", key)) == 3


@pytest.mark.parametrize("days", [1, 1_800])
def test_the_trend(api, cast, key, days):
    last = timezone.now().date()
    prepared = [DailyScoreFactory.build(brand=cast.brand, date=last - timedelta(days=n)) for n in range(days)]
    DailyScore.objects.bulk_create(prepared)
    assert len(statements(api, api.brand + "/visibility?from=0", key)) == 5  # key, its last use, days, changes, log
    assert len(statements(api, api.brand + "/visibility?from=0", key)) == 4


@pytest.mark.parametrize("part", PARTS)
def test_nothing_to_show_costs_one_more_to_know_the_brand(api, key, part):
    statements(api, api.brand, key)
    assert len(statements(api, api.brand + part, key)) == (4 if part else 3)


def test_runs_and_recommendations(api, cast, key):
    for _ in range(30):
        RunFactory(brand=cast.brand)
        RecommendationFactory(brand=cast.brand)
    statements(api, api.brand, key)
    for part in PARTS[2:]:
        assert len(statements(api, api.brand + part, key)) == 3


def test_the_last_use_is_written_once_a_minute(api, key):
    api.get(api.brand, key)
    first = ApiKey.objects.get(pk=key.pk).last_used_at
    assert timezone.now() - first < timedelta(seconds=10)
    assert not [sql for sql in statements(api, api.brand, key) if sql.startswith("UPDATE")]
    ApiKey.objects.filter(pk=key.pk).update(last_used_at=first - timedelta(seconds=61))
    assert [sql for sql in statements(api, api.brand, key) if sql.startswith("UPDATE")]
    assert ApiKey.objects.get(pk=key.pk).last_used_at > first


def test_a_refused_key_is_not_used(api, callers):
    for name in ("revoked", "expired", "inactive owner"):
        api.get(api.brand, callers[name])
        assert ApiKey.objects.get(pk=callers[name].pk).last_used_at is None

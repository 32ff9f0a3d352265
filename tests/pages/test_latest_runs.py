"""Pages show the latest scan, audit and comparison apart."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from tests.factories import RunFactory
from visibility.models import Run

pytestmark = pytest.mark.django_db


def at(day):
    return datetime(2026, 3, day, 9, 30, tzinfo=UTC)


@pytest.fixture
def runs(cast):
    RunFactory(brand=cast.brand, kind="visibility", status="failed", created_at=at(1))
    RunFactory(brand=cast.brand, kind="visibility", status="succeeded", created_at=at(2))
    RunFactory(brand=cast.brand, kind="audit", status="partial", created_at=at(3))
    RunFactory(brand=cast.brand, kind="comparison", status="failed", created_at=at(4))
    RunFactory(brand=cast.brand, kind="comparison", status="cancelled", error_code="quota_exceeded", created_at=at(5))
    RunFactory(kind="audit", status="succeeded", created_at=at(6))


@pytest.mark.parametrize("name", ["brand-page", "scan-page", "brand-list"])
def test_each_kind_stands_with_its_own_state_and_day(client, cast, runs, name):
    client.force_login(cast.owner)
    where = {} if name == "brand-list" else {"brand_id": cast.brand.pk}
    page = " ".join(client.get(reverse(name, kwargs=where)).content.decode().split())
    for kind, state, day in (("scan", "succeeded", 2), ("audit", "partial", 3), ("comparison", "failed", 4)):
        assert f'{kind}: <span class="state {state}">{state}</span> {day} Mar 2026 09:30 UTC' in page
    assert "6 Mar 2026" not in page, "of another brand"


def test_a_brand_without_a_run_says_so(client, cast):
    client.force_login(cast.owner)
    assert "not scanned yet" in client.get(reverse("brand-list")).content.decode()
    assert not Run.objects.exists()

"""The five endpoints: what they answer to a key that may ask."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import (
    BrandFactory,
    DailyScoreFactory,
    DiagnosisFactory,
    RecommendationFactory,
    RunEngineFactory,
    RunFactory,
    make_key,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    return BrandFactory(name="Acme", domain="acme.example")


@pytest.fixture
def key(brand):
    return make_key(owner=brand.owner)[1]


def test_the_brands_are_listed_by_name_with_the_most_recent_run(rest, brand, key):
    BrandFactory(owner=brand.owner, name="Aaa")
    RunFactory(brand=brand)
    latest = RunFactory(brand=brand, kind="comparison", score=None)
    RunFactory(brand=brand, status="cancelled", error_code="quota_exceeded")
    answer = rest.get("/brands", key)
    assert answer.status_code == 200
    first, second = answer.json()["brands"]
    assert (first["name"], first["latestRun"]) == ("Aaa", None)
    assert set(second) == {"id", "name", "domain", "cadence", "latestRun"}
    assert second["latestRun"]["id"] == str(latest.pk)
    assert set(second["latestRun"]) == {"id", "kind", "status", "createdAt", "finishedAt", "score"}


def test_a_brand_has_exactly_the_fields_of_the_contract(rest, brand, key):
    answer = rest.get(f"/brands/{brand.pk}", key)
    assert answer.json() == {
        "brand": {"id": str(brand.pk), "name": "Acme", "domain": "acme.example", "cadence": "manual"},
        "latestRun": None,
    }


def test_the_trend_has_the_measured_days_of_the_last_thirty(rest, brand, key):
    today = timezone.now().date()
    for days in (0, 29, 30):
        DailyScoreFactory(brand=brand, date=today - timedelta(days=days))
    DailyScoreFactory(brand=brand, date=None, change=None, comparable=None)
    answer = rest.get(f"/brands/{brand.pk}/visibility", key).json()
    assert set(answer) == {"brand", "trend"}
    assert [item["date"] for item in answer["trend"]] == [str(today - timedelta(days=29)), str(today)]
    assert answer["trend"][0]["change"]["from"] == str(today - timedelta(days=30))


def test_unmeasured_is_null_and_never_zero(rest, brand, key):
    DailyScoreFactory(
        brand=brand, date=timezone.now().date(), score=None, low=None, high=None, figures={}, change=None
    )
    [item] = rest.get(f"/brands/{brand.pk}/visibility", key).json()["trend"]
    assert item["score"] is item["shareOfVoice"] is item["citationRate"] is item["change"] is None


def test_recommendations_are_open_ones_the_most_urgent_first(rest, brand, key):
    RecommendationFactory(brand=brand, priority=10)
    RecommendationFactory(brand=brand, priority=90)
    RecommendationFactory(brand=brand, status="done")
    listed = rest.get(f"/brands/{brand.pk}/recommendations", key).json()["recommendations"]
    assert [row["priority"] for row in listed] == [90, 10]
    assert listed[0]["payload"]["fixPrompt"]
    every = rest.get(f"/brands/{brand.pk}/recommendations?status=all", key).json()["recommendations"]
    assert len(every) == 3


def test_the_diagnosis_comes_with_the_recommendations_for_who_may_see_scores_and_competitors(rest, brand, key):
    DiagnosisFactory(brand=brand)
    address = f"/brands/{brand.pk}/recommendations"
    [first, *_] = rest.get(address, key).json()["diagnosis"]
    assert first["sentence"].startswith("You are mentioned in 1 of 24 answers, place 2 of 2: Rival 20")
    few = make_key(owner=brand.owner, scopes=["read:sites", "read:recommendations"])[1]
    assert rest.get(address, few).json()["diagnosis"] is None


def test_the_newest_sixty_runs_are_listed(rest, brand, key):
    runs = RunFactory.create_batch(61, brand=brand)
    RunEngineFactory(run=runs[-1])
    listed = rest.get(f"/brands/{brand.pk}/runs", key).json()["runs"]
    assert len(listed) == 60
    assert listed[0]["id"] == str(runs[-1].pk)
    assert listed[0]["engines"] == ["local-search"]
    assert listed[0]["progress"] == {"total": 150, "done": 150, "failed": 0, "percent": 100.0}


def test_the_score_of_an_audit_needs_the_scope_of_audits(rest, brand, key):
    RunFactory(brand=brand, kind="audit", score=80.0)
    without = make_key(owner=brand.owner, scopes=["read:sites"])[1]
    assert rest.get(f"/brands/{brand.pk}", key).json()["latestRun"]["score"] == 80.0
    assert rest.get(f"/brands/{brand.pk}", without).json()["latestRun"]["score"] is None

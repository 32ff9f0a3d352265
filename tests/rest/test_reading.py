"""What the five endpoints answer: fields, order, defaults, caps, windows."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.resources import rfc3339
from tests.factories import BrandFactory, CompetitorFactory, DailyScoreFactory, RecommendationFactory, RunFactory
from visibility.models import Recommendation, Run
from visibility.services.reading import reporting as reading
from visibility.services.reading.scores import visibility_scores
from visibility.services.recommendations.deciding import set_status

DAY_MS = 86_400_000
NOW = datetime(2026, 11, 20, 15, 30, tzinfo=UTC)


def ms(moment):
    return int(moment.timestamp() * 1000)


@pytest.fixture
def now(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


def dates(response):
    return [item["date"] for item in response.json()["trend"]]


def test_a_brand_has_exactly_its_fields(api, cast, key):
    run = RunFactory(brand=cast.brand, score=41.25, created_at=NOW, finished_at=NOW + timedelta(microseconds=1_999))
    body = api.get(api.brand, key).json()
    assert body == {
        "brand": {"id": str(cast.brand.pk), "name": "Acme", "domain": "acme.example", "cadence": "manual"},
        "latestRun": {
            "id": str(run.pk),
            "kind": "visibility",
            "status": "succeeded",
            "createdAt": "2026-11-20T15:30:00.000Z",
            "finishedAt": "2026-11-20T15:30:00.001Z",
            "score": 41.25,
        },
    }
    listed = api.get("/api/v1/brands", key).json()
    assert listed == {"brands": [{**body["brand"], "latestRun": body["latestRun"]}]}


def test_a_brand_without_runs_has_a_null(api, key):
    assert api.get(api.brand, key).json()["latestRun"] is None
    assert api.get("/api/v1/brands", key).json()["brands"][0]["latestRun"] is None


def test_the_latest_run_is_of_any_kind_and_passes_over_want_of_credits(api, cast, key):
    def latest():
        detail = api.get(api.brand, key).json()["latestRun"]["id"]
        assert api.get("/api/v1/brands", key).json()["brands"][0]["latestRun"]["id"] == detail
        return detail

    at = [NOW + timedelta(minutes=n) for n in range(6)]
    RunFactory(brand=cast.brand, created_at=at[0])
    audit = RunFactory(brand=cast.brand, created_at=at[1], kind="audit")
    RunFactory(brand=cast.brand, created_at=at[2], status="cancelled", error_code="quota_exceeded")
    RunFactory(created_at=at[5])
    assert latest() == str(audit.pk)
    cancelled = RunFactory(brand=cast.brand, created_at=at[3], status="cancelled", error_code="operator")
    assert latest() == str(cancelled.pk)
    failed = RunFactory(brand=cast.brand, created_at=at[4], status="failed", error_code="quota_exceeded")
    assert latest() == str(failed.pk)
    twin = RunFactory(brand=cast.brand, created_at=at[4], kind="comparison")
    assert latest() == max(str(failed.pk), str(twin.pk))


def test_brands_are_ordered_by_name_then_id(api, cast, key):
    for n, name in enumerate(("Zeta", "Beta", "Beta", "Beta")):
        BrandFactory(owner=cast.owner, name=name, domain=f"{n}.example")
    found = [(brand["name"], brand["id"]) for brand in api.get("/api/v1/brands", key).json()["brands"]]
    assert found == sorted(found)
    assert len(found) == 5


def test_runs_are_newest_first_sixty_at_most(api, cast, key):
    for n in range(63):
        RunFactory(brand=cast.brand, created_at=NOW + timedelta(minutes=n % 62), kind=list(Run.Kind)[n % 3])
    RunFactory(created_at=NOW + timedelta(days=1))
    body = api.get(api.brand + "/runs", key).json()
    assert body["brand"] == str(cast.brand.pk)
    found = [(run["createdAt"], run["id"]) for run in body["runs"]]
    expected = [
        (run.created_at, str(run.pk))
        for run in sorted(cast.brand.runs.all(), key=lambda run: (run.created_at, run.pk), reverse=True)
    ]
    assert [id for _, id in found] == [id for _, id in expected][:60]


def test_a_run_tells_its_progress_and_error(api, cast, key):
    RunFactory(
        brand=cast.brand, status="partial", trigger="schedule", total=8, done=5, failed=1, started_at=NOW,
        created_at=NOW, finished_at=None, engines=["a", "b"], score=1.5, low=0.0, high=3.0,
        error_code="engine_down", error_message="b did not answer.",
    )  # fmt: skip
    (run,) = api.get(api.brand + "/runs", key).json()["runs"]
    del run["id"]
    assert run == {
        "kind": "visibility",
        "status": "partial",
        "trigger": "schedule",
        "createdAt": "2026-11-20T15:30:00.000Z",
        "startedAt": "2026-11-20T15:30:00.000Z",
        "finishedAt": None,
        "progress": {"total": 8, "done": 5, "failed": 1, "percent": 75.0},
        "score": 1.5,
        "low": 0.0,
        "high": 3.0,
        "interval": None,
        "engines": ["a", "b"],
        "error": {"code": "engine_down", "message": "b did not answer."},
    }


def test_the_default_window_is_thirty_days_with_today(api, cast, key, now):
    for days in range(-1, 33):
        DailyScoreFactory(brand=cast.brand, date=(NOW - timedelta(days=days)).date())
    expected = [str((NOW - timedelta(days=days)).date()) for days in range(29, -1, -1)]
    assert dates(api.get(api.brand + "/visibility", key)) == expected


def test_one_end_leaves_the_other_at_its_default(api, cast, key, now):
    for days in range(80):
        DailyScoreFactory(brand=cast.brand, date=(NOW - timedelta(days=days)).date())
    begin, end = NOW - timedelta(days=40), NOW - timedelta(days=35)
    assert dates(api.get(f"{api.brand}/visibility?from={ms(begin)}", key)) == [
        str((NOW - timedelta(days=days)).date()) for days in range(40, -1, -1)
    ]
    assert dates(api.get(f"{api.brand}/visibility?to={ms(end)}", key)) == [
        str((NOW - timedelta(days=days)).date()) for days in range(64, 34, -1)
    ]


def test_both_ends_include_their_utc_day(api, cast, key):
    for day in range(10, 15):
        DailyScoreFactory(brand=cast.brand, date=f"2026-11-{day}")
    noon = datetime(2026, 11, 11, 12, tzinfo=UTC)
    path = f"{api.brand}/visibility"
    last_ms, first_ms = ms(datetime(2026, 11, 13, tzinfo=UTC)) - 1, ms(datetime(2026, 11, 11, tzinfo=UTC))
    assert dates(api.get(f"{path}?from={ms(noon)}&to={ms(noon)}", key)) == ["2026-11-11"]
    assert dates(api.get(f"{path}?from={first_ms}&to={last_ms}", key)) == ["2026-11-11", "2026-11-12"]
    assert dates(api.get(f"{path}?from={first_ms - 1}&to={last_ms + 1}", key)) == [
        "2026-11-10",
        "2026-11-11",
        "2026-11-12",
        "2026-11-13",
    ]


def test_the_whole_range_of_times_is_accepted(api, cast, key):
    DailyScoreFactory(brand=cast.brand, date="1970-01-01")
    DailyScoreFactory(brand=cast.brand, date="2100-12-31")
    found = api.get(f"{api.brand}/visibility?from=0&to=4133980799999", key)
    assert dates(found) == ["1970-01-01", "2100-12-31"]
    assert dates(api.get(f"{api.brand}/visibility?from=0000&to=00", key)) == ["1970-01-01"]


def test_no_day_is_invented_and_rivals_are_left_out(api, cast, key, now):
    rival = CompetitorFactory(brand=cast.brand)
    DailyScoreFactory(brand=cast.brand, date=NOW.date(), score=None, low=None, high=None)
    DailyScoreFactory(brand=cast.brand, competitor=rival, date=NOW.date(), score=99.0)
    DailyScoreFactory(brand=cast.brand, competitor=rival, date=(NOW - timedelta(days=1)).date())
    DailyScoreFactory(date=NOW.date())
    (item,) = api.get(api.brand + "/visibility", key).json()["trend"]
    assert (item["date"], item["score"], item["low"]) == (str(NOW.date()), None, None)


def test_a_trend_item_has_the_form_of_its_resource(api, cast, key, now):
    run = RunFactory(brand=cast.brand)
    figures = {"delta": 3.5, "low": -1.2, "high": 8.2, "interval": "questions", "verdict": "within_noise"}
    stored = {"since": "2026-11-13", **figures, "minimum_detectable": None, "causes": [], "common": None}
    change = {
        "from": "2026-11-13",
        **figures,
        "minimumDetectable": None,
        "causes": [],
        "common": None,
        "byEngine": [],
    }
    DailyScoreFactory(brand=cast.brand, date=NOW.date(), change=stored, runs=[str(run.pk)], citation_rate=12.34)
    body = api.get(api.brand + "/visibility", key).content
    checked = reading.trend(Caller.from_user(cast.owner), brand_id=cast.brand.pk, first=NOW.date(), last=NOW.date())
    assert json.loads(body) == json.loads(checked.model_dump_json())
    assert json.loads(body)["trend"][0]["change"] == change
    assert json.loads(body)["trend"][0]["citationRate"] == 12.34
    assert list(json.loads(body)["trend"][0]) == list(json.loads(checked.model_dump_json())["trend"][0])


def test_recommendations_of_one_priority_are_ordered_by_their_evidence(api, cast, key):
    for title, gaps in (("few", [2]), ("many", [3, 2]), ("one engine", [5, 0]), ("unknown", [])):
        engines = [
            {"engine": f"engine-{number}", "gaps": count, "answers": 6, "as_of": "2026-11-01"}
            for number, count in enumerate(gaps)
        ]
        RecommendationFactory(brand=cast.brand, title=title, payload={"fix_prompt": "Do it.", "engines": engines})
    found = api.get(api.brand + "/recommendations", key).json()["recommendations"]
    assert [item["title"] for item in found] == ["many", "one engine", "few", "unknown"]
    assert found[0]["payload"]["engines"][0]["asOf"] == "2026-11-01"


def test_the_body_of_a_trend_has_the_brand_and_the_days_of_the_window_alone(api, cast, key):
    DailyScoreFactory(brand=cast.brand, date="2026-11-02")
    noon = ms(datetime(2026, 11, 20, 12, tzinfo=UTC))
    window = f"{api.brand}/visibility?from={noon}&to={noon}"
    assert api.get(window, key).json() == {"brand": str(cast.brand.pk), "trend": []}
    DailyScoreFactory(brand=cast.brand, date="2026-11-20")
    body = api.get(window, key)
    assert (body.json().keys(), dates(body)) == ({"brand", "trend"}, ["2026-11-20"])


@pytest.mark.parametrize(
    ("first", "last"), [(None, None), ("2026-11-02", "2026-11-02"), ("2026-10-30", "2026-11-09")]
)
def test_agents_learn_since_when_and_until_when_a_site_was_measured(cast, first, last):
    rival = CompetitorFactory(brand=cast.brand)
    for day in {first, last} - {None}:
        DailyScoreFactory(brand=cast.brand, date=day)
    DailyScoreFactory(brand=cast.brand, competitor=rival, date="2026-01-01")
    DailyScoreFactory(date="2026-12-31")
    window = {"first": date(2026, 11, 20), "last": date(2026, 11, 20)}
    scores = visibility_scores(Caller.from_user(cast.owner), brand_id=cast.brand.pk, **window)
    assert [day and f"{day}" for day in (scores.first_day, scores.as_of)] == [first, last]


def test_a_recommendation_says_since_when_it_has_its_status(api, cast, key):
    row = RecommendationFactory(brand=cast.brand, created_at=NOW, updated_at=NOW, status_changed_at=NOW)
    set_status(Caller.from_user(cast.owner), recommendation=row, status="done")
    row.refresh_from_db()
    (found,) = api.get(api.brand + "/recommendations?status=done", key).json()["recommendations"]
    assert found["statusChangedAt"] == found["updatedAt"] == rfc3339(row.status_changed_at) > rfc3339(NOW)
    set_status(Caller.from_user(cast.owner), recommendation=row, status="done")
    assert api.get(api.brand + "/recommendations?status=done", key).json()["recommendations"] == [found]


def test_recommendations_are_ordered_by_priority_then_newest(api, cast, key):
    for n, priority in enumerate((10, 90, 50, 90, 50)):
        RecommendationFactory(brand=cast.brand, priority=priority, created_at=NOW + timedelta(hours=n), title=str(n))
    RecommendationFactory(priority=100)
    found = api.get(api.brand + "/recommendations", key).json()["recommendations"]
    assert [item["title"] for item in found] == ["3", "1", "4", "2", "0"]
    assert found[0]["payload"]["fixPrompt"] == "Write a page that answers this question."
    assert found[0]["evidence"][0]["engine"] == "local-search"


def test_recommendations_are_filtered_by_status(api, cast, key):
    for status in Recommendation.Status:
        RecommendationFactory(brand=cast.brand, status=status)

    def statuses(query):
        found = api.get(f"{api.brand}/recommendations{query}", key).json()["recommendations"]
        return sorted(item["status"] for item in found)

    assert statuses("") == ["open"]
    for status in Recommendation.Status.values:
        assert statuses(f"?status={status}") == [status]
    assert statuses("?status=all") == sorted(Recommendation.Status.values)


def test_a_recommendation_names_the_runs_that_saw_it(api, cast, key):
    first, last = RunFactory(brand=cast.brand), RunFactory(brand=cast.brand)
    RecommendationFactory(brand=cast.brand, first_seen_run=first, last_seen_run=last)
    RecommendationFactory(brand=cast.brand, priority=1)
    seen, unseen = api.get(api.brand + "/recommendations", key).json()["recommendations"]
    assert (seen["firstSeenRun"], seen["lastSeenRun"]) == (str(first.pk), str(last.pk))
    assert (unseen["firstSeenRun"], unseen["lastSeenRun"]) == (None, None)


def test_ids_are_read_in_either_case(api, cast, key):
    response = api.get(f"/api/v1/brands/{str(cast.brand.pk).upper()}/runs", key)
    assert response.json()["brand"] == str(cast.brand.pk)


def test_a_recommendation_can_be_read_back_from_its_json(cast):
    run = RunFactory(brand=cast.brand)
    RecommendationFactory(brand=cast.brand, first_seen_run=run, last_seen_run=run)
    listed = reading.recommendations(Caller.from_user(cast.owner), brand_id=cast.brand.pk, status=None)
    assert listed.recommendations[0].first_seen_run == listed.recommendations[0].last_seen_run == run.pk
    body = listed.model_dump_json()
    assert type(listed).model_validate_json(body).model_dump_json() == body


def test_a_row_of_a_kind_that_is_not_known_here_is_shown(api, key, cast):
    RecommendationFactory(brand=cast.brand, kind="of_tomorrow", evidence=[{"kind": "dream", "text": "Seen."}])
    answer = api.get(f"{api.brand}/recommendations", key)
    assert answer.status_code == 200
    [row] = answer.json()["recommendations"]
    assert (row["kind"], row["evidence"][0]["kind"]) == ("of_tomorrow", "dream")

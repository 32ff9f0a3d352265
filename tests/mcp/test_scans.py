"""Scans through the agent door."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from apikeys.models import Usage
from tests.factories import AnswerFactory, BrandFactory, PromptFactory, RunFactory, plan
from tests.mcp.conftest import FULL, MODES, data_of, error_of
from visibility.models import Run


@pytest.fixture
def site(cast):
    return {"siteId": str(cast.brand.pk)}


@pytest.fixture
def scannable(cast, settings):
    """The site has two prompts and an engine; a scan takes six answers."""
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    return [PromptFactory(brand=cast.brand) for _ in range(2)]


@pytest.mark.parametrize("mode", MODES)
def test_the_latest_scan_is_the_run_that_rest_shows(agent, api, cast, key, site, mode):
    site = {**site, **FULL}
    assert data_of(agent.call(key, "get_latest_scan", site, mode=mode))["run"] is None
    now = timezone.now()
    RunFactory(brand=cast.brand, created_at=now - timedelta(hours=2), score=12.5)
    RunFactory(brand=cast.brand, created_at=now, kind="comparison")
    RunFactory(
        brand=cast.brand, created_at=now + timedelta(seconds=1), status="cancelled", error_code="quota_exceeded"
    )
    _, comparison, scan = api.get(api.brand + "/runs", key).json()["runs"]
    assert data_of(agent.call(key, "get_latest_scan", site, mode=mode))["run"] == comparison
    of_kind = data_of(agent.call(key, "get_latest_scan", {**site, "kind": "visibility"}, mode=mode))
    assert of_kind["run"] == scan
    assert data_of(agent.call(key, "get_latest_scan", {**site, "kind": "audit"}))["run"] is None


def test_a_status_counts_each_engine_and_says_when_to_look_again(agent, cast, key, site):
    began = timezone.now() - timedelta(seconds=100)
    run = RunFactory(
        brand=cast.brand, status="running", started_at=began, finished_at=None, total=6, done=2, failed=1
    )
    prompt = PromptFactory(brand=cast.brand)
    for sample, (engine, state) in enumerate(
        [("a", "answered"), ("a", "answered"), ("a", "failed"), ("b", "pending"), ("b", "pending"), ("b", "pending")]
    ):
        AnswerFactory(run=run, prompt=prompt, engine=engine, sample=sample + 1, state=state, answered_at=began)
    status = data_of(agent.call(key, "get_scan_status", {**site, "runId": str(run.pk)}))
    assert (status["percent"], status["run"]["status"]) == (50.0, "running")
    assert 95 <= status["etaSeconds"] <= 120
    assert status["pollAfterSeconds"] == -(-status["etaSeconds"] // 4)
    assert status["engines"] == [
        {"engine": "a", "total": 3, "done": 2, "failed": 1},
        {"engine": "b", "total": 3, "done": 0, "failed": 0},
    ]


@pytest.mark.parametrize(
    ("status", "started", "done", "poll"),
    [("queued", None, 0, 10), ("running", 1, 0, 10), ("running", 1, 5, 5), ("running", 100_000, 1, 60)],
)
def test_waiting_is_neither_hasty_nor_endless(agent, cast, key, site, status, started, done, poll):
    started_at = started and timezone.now() - timedelta(seconds=started)
    run = RunFactory(brand=cast.brand, status=status, started_at=started_at, finished_at=None, total=6, done=done)
    found = data_of(agent.call(key, "get_scan_status", {**site, "runId": str(run.pk)}))
    assert found["pollAfterSeconds"] == poll
    assert (found["etaSeconds"] is None) == (done == 0)


def test_a_run_that_has_ended_is_not_to_be_polled(agent, cast, key, site):
    run = RunFactory(brand=cast.brand, total=3, done=3)
    found = data_of(agent.call(key, "get_scan_status", {**site, "runId": str(run.pk)}))
    assert (found["percent"], found["etaSeconds"], found["pollAfterSeconds"]) == (100.0, None, None)


def test_runs_of_other_brands_are_not_found(agent, cast, key, site):
    own_other = RunFactory(brand=BrandFactory(owner=cast.owner))
    foreign = RunFactory()
    for run_id in (own_other.pk, foreign.pk, uuid4()):
        assert error_of(agent.call(key, "get_scan_status", {**site, "runId": str(run_id)})).code == "not_found"


def test_a_scan_is_started_once_an_hour(agent, cast, key, site, scannable):
    first = data_of(agent.call(key, "run_visibility_scan", site))
    assert (first["started"], first["reason"], first["creditsSpent"]) == (True, "started", 6)
    assert (first["run"]["trigger"], first["run"]["status"]) == ("agent", "queued")
    assert Run.objects.get().actor == f"key:{key.pk}"
    active = data_of(agent.call(key, "run_visibility_scan", site))
    assert (active["started"], active["reason"], active["creditsSpent"]) == (False, "already_active", 0)
    Run.objects.update(status="succeeded", finished_at=timezone.now())
    cooling = data_of(agent.call(key, "run_visibility_scan", {**site, "idempotencyKey": "new"}))
    assert (cooling["started"], cooling["reason"]) == (False, "cooldown")
    assert {active["run"]["id"], cooling["run"]["id"]} == {first["run"]["id"]}
    assert cooling["nextAllowedAt"] == first["nextAllowedAt"]
    assert Usage.objects.get(kind="credits").used == 6


def test_what_stands_in_the_way_of_a_scan_is_told(agent, cast, key, site, settings):
    assert error_of(agent.call(key, "run_visibility_scan", site)).code == "no_engine_configured"
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    assert error_of(agent.call(key, "run_visibility_scan", site)).code == "no_prompts"
    PromptFactory(brand=cast.brand)
    scale = plan()
    scale.credits_per_month = 2
    scale.save()
    error = error_of(agent.call(key, "run_visibility_scan", site))
    assert (error.code, error.details["limit"], error.details["used"]) == ("quota_exceeded", 2, 0)
    assert error.details["resetsAt"].endswith("T00:00:00.000Z")
    assert not Run.objects.exists()


class TestRunAudit:
    @pytest.fixture(autouse=True)
    def _reachable(self, cast, settings):
        settings.AUDIT_LOCAL_HOSTS = {cast.brand.domain: ("127.0.0.1", 9)}

    def run(self, agent, key, site, **more):
        return agent.call(key, "run_audit_scan", {**site, "maxPages": 5, **more})

    def test_it_is_started_once_and_then_returned(self, agent, key, site):
        first = data_of(self.run(agent, key, site))
        assert (first["started"], first["reason"], first["creditsSpent"]) == (True, None, 5)
        assert (first["run"]["kind"], first["run"]["status"], first["run"]["score"]) == ("audit", "queued", None)
        assert (first["run"]["progress"]["total"], first["run"]["engines"]) == (5, [])
        again = data_of(self.run(agent, key, site, maxPages=50))
        assert (again["started"], again["reason"], again["creditsSpent"]) == (False, "already_active", 0)
        assert again["run"]["id"] == first["run"]["id"]
        assert Run.objects.count() == 1

    def test_a_repeat_is_answered_as_the_first_was(self, agent, key, site):
        first = data_of(self.run(agent, key, site, idempotencyKey="one"))
        assert data_of(self.run(agent, key, site, idempotencyKey="one")) == first
        assert error_of(self.run(agent, key, site, maxPages=6, idempotencyKey="one")).code == "idempotency_conflict"

    def test_it_needs_credits(self, agent, key, site):
        scale = plan()
        scale.credits_per_month = 4
        scale.save()
        error = error_of(self.run(agent, key, site))
        assert (error.code, error.details["limit"], error.details["used"]) == ("quota_exceeded", 4, 0)
        assert not Run.objects.exists()

    @pytest.mark.parametrize("pages", [0, 51, "all"])
    def test_pages_have_bounds(self, agent, key, site, pages):
        assert error_of(self.run(agent, key, site, maxPages=pages)).code == "invalid_arguments"

    def test_a_domain_that_is_not_public_is_told(self, agent, key, site, settings):
        settings.AUDIT_LOCAL_HOSTS = {}
        error = error_of(self.run(agent, key, site))
        assert error.code == "conflict"
        assert "acme.example" in error.message
        assert "Change the domain" in error.message

    def test_its_status_is_told_in_pages(self, agent, key, site):
        run = data_of(self.run(agent, key, site))["run"]
        status = data_of(agent.call(key, "get_scan_status", {**site, "runId": run["id"]}))
        assert (status["run"]["kind"], status["percent"], status["engines"]) == ("audit", 0, [])
        assert status["pollAfterSeconds"] == 10


@pytest.mark.parametrize(
    ("tool", "empty"),
    [
        ("get_voice_profile", {"hasProfile": False, "profile": None}),
        ("get_review_themes", {"themes": []}),
        ("get_buyer_criteria", {"criteria": []}),
        ("get_positioning_claims", {"claims": []}),
    ],
)
def test_nothing_is_made_up_where_nothing_was_read(agent, key, site, tool, empty):
    found = data_of(agent.call(key, tool, site))
    assert {name: found[name] for name in empty} == empty
    assert found.get("howToGetOne") or found.get("howToGetData")

"""The page that says what a scan takes, and starts it."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.operators import system_caller
from tests.factories import AnswerFactory, BrandFactory, PromptFactory, RunFactory, UserFactory
from tests.ledger import answered_call
from visibility.models import Page, Run
from visibility.services.engines.configuring import add_engine

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def brand(cast, monkeypatch):
    """Two prompts, asked three times of an engine with prices of its own and of one that nobody has a price for."""
    monkeypatch.setenv("SOME_API_KEY", "key-of-nobody")
    for number in range(2):
        PromptFactory(brand=cast.brand, text=f"which shoe number {number}?")
    common = {"key_variable": "SOME_API_KEY", "enabled": True, "provider": "vllm", "concurrency": 2}
    add_engine(system_caller("test"), name="own", model="m", output_price=Decimal(10), **common)
    return cast.brand


@pytest.fixture
def visit(client, brand):
    def go(user, name="scan-page", post=False, **where):
        client.force_login(user)
        address = reverse(name, kwargs={"brand_id": brand.pk, **where})
        response = client.post(address, follow=True) if post else client.get(address)
        return response, " ".join(response.content.decode().split())

    return go


def test_calls_credits_money_with_its_source_and_time(visit, cast, brand):
    _, page = visit(cast.owner)
    assert 'own</th><td class="number">6</td><td>about $0.06</td><td>tokens assumed</td>' in page
    # three rounds of two at once, six seconds each
    assert "about 20 seconds" in page
    assert f"6 of the {brand.owner.plan.credits_per_month:,} credits" in page
    run = RunFactory(brand=brand, engines=["own"])
    AnswerFactory(run=run, prompt=brand.prompts.first(), engine="own", latency_ms=100_000)
    answered_call(run, engine="own", cost="0.5")
    _, page = visit(cast.owner)
    assert "<td>about $3.00</td><td>mean of recent answers</td><td>about 5 minutes</td>" in page


def test_looking_starts_and_spends_nothing(visit, cast):
    visit(cast.owner)
    assert not Run.objects.exists() and not Usage.objects.exists()


def test_too_few_credits_are_told_before_and_refused_after(visit, cast, brand):
    brand.owner.plan.credits_per_month = 5
    brand.owner.plan.save()
    assert "which is too few" in visit(cast.owner)[1]
    assert "credits" in visit(cast.owner, "start-scan", post=True)[1]
    assert not Run.objects.exists()


def test_the_button_starts_one_scan(visit, cast):
    _, page = visit(cast.editor, "start-scan", post=True)
    assert "The scan has started: 6 questions" in page
    _, page = visit(cast.owner, "start-scan", post=True)
    assert "No new scan: one is under way." in page
    run = Run.objects.get()
    assert (run.trigger, run.total, run.actor) == ("web", 6, Caller.from_user(cast.editor).actor)


def test_viewers_see_what_it_takes_and_no_button(visit, cast):
    assert "Start a scan" in visit(cast.editor)[1]
    assert "Start a scan" not in visit(cast.viewer)[1]
    assert "editor" in visit(cast.viewer, "start-scan", post=True)[1]
    assert not Run.objects.exists()


def test_strangers_find_nothing_and_staff_start_nothing(visit, cast):
    staff = UserFactory(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename="view_brand"))
    assert visit(cast.stranger)[0].status_code == visit(cast.stranger, "start-scan", post=True)[0].status_code == 404
    assert visit(staff)[0].status_code == 200
    assert visit(staff, "start-scan", post=True)[0].status_code == 404
    assert not Run.objects.exists()


def test_where_nothing_can_be_asked_it_says_why(visit, cast, brand):
    brand.prompts.all().delete()
    assert "no active prompt" in visit(cast.owner)[1]
    assert "no active prompt" in visit(cast.owner, "start-scan", post=True)[1]


def test_an_engine_without_a_price_or_a_past_is_told_as_unknown(visit, cast, brand, settings):
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    Page.objects.create(brand=brand, url="https://acme.example/", title="Acme", text="Acme makes shoes.")
    _, page = visit(cast.owner)
    assert 'steady</th><td class="number">6</td><td>cost unknown</td><td>unknown</td><td>time unknown</td>' in page
    assert "<td>about $0.00</td><td>free</td><td>about 10 seconds</td>" in page


class TestInTheWay:
    """What stands in the way of a scan is told as such, with a time in place of a button that fails."""

    def test_a_scan_under_way_is_led_to(self, visit, cast, brand):
        run = RunFactory(brand=brand, status="running", finished_at=None, created_at=NOON)
        _, page = visit(cast.owner)
        assert "one is under way." in page and ">Watch it</a>" in page and "<button>Start" not in page
        assert reverse("run-page", args=[brand.pk, run.pk]) in page
        assert "A scan is under way" in visit(cast.owner, "runs-page")[1]

    def test_in_its_cooldown_the_time_of_the_next_stands_there(self, visit, cast, brand, settings, monkeypatch):
        monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(minutes=10))
        RunFactory(brand=brand, created_at=NOON)
        _, page = visit(cast.owner)
        assert "the last one began on 10 Mar 2026 12:00 UTC. The next can start on 10 Mar 2026 13:00 UTC." in page
        assert "<button>Start" not in page and "What it takes" in page
        assert "The next scan can start on 10 Mar 2026 13:00 UTC." in visit(cast.owner, "runs-page")[1]

    @pytest.mark.parametrize(
        "past",
        [{"trigger": "import"}, {"status": "failed", "done": 0}, {"kind": "comparison"}, {"brand": None},
         {"status": "cancelled", "error_code": "quota_exceeded"}, {"created_at": NOON - timedelta(hours=1)}],
    )  # fmt: skip
    def test_what_does_not_count_is_in_nobodys_way(self, visit, cast, brand, monkeypatch, past):
        monkeypatch.setattr(timezone, "now", lambda: NOON)
        RunFactory(**{"created_at": NOON, **past, "brand": brand if "brand" not in past else BrandFactory()})
        assert "<button>Start a scan" in visit(cast.owner)[1]


class TestUnderWay:
    @pytest.fixture
    def run(self, brand):
        """A run with a worker: two of four answered in ten seconds."""
        now = timezone.now()
        run = RunFactory(
            brand=brand, status="running", finished_at=None, trigger="web", total=4, done=2, credits_reserved=4,
            started_at=now - timedelta(seconds=10), worker="w", lease_until=now + timedelta(seconds=30),
        )  # fmt: skip
        for number, state in enumerate(["answered", "answered", "pending", "pending"], start=1):
            AnswerFactory(run=run, prompt=brand.prompts.first(), engine="own", sample=number, state=state)
        return run

    def test_how_far_it_is_and_how_long_it_takes(self, visit, cast, run):
        _, page = visit(cast.viewer, "run-page", run_id=run.pk)
        assert 'value="50.0"' in page and "<strong>50 %</strong>, about 10 seconds left" in page
        assert 'own</th><td class="number">2</td><td class="number">0</td><td class="number">4</td>' in page
        assert "cancel" not in page, "a viewer may not"
        assert 'http-equiv="refresh"' in page and 'hx-trigger="every 2s"' in page, "it shows by itself how it goes on"

    def test_a_scan_that_was_interrupted_is_measured_by_its_last_minute(self, visit, cast, run):
        now = timezone.now()
        Run.objects.update(started_at=now - timedelta(hours=5), total=302)
        run.answers.filter(state="answered").update(answered_at=now - timedelta(seconds=1))
        assert "about 2.5 hours left" in visit(cast.viewer, "run-page", run_id=run.pk)[1]
        run.answers.filter(state="answered").update(answered_at=now - timedelta(hours=4))
        assert "about 750.0 hours left" in visit(cast.viewer, "run-page", run_id=run.pk)[1]

    @pytest.mark.parametrize("who", ["owner", "editor"])
    def test_it_is_cancelled_by_who_may_edit(self, visit, client, cast, run, who):
        address = reverse("cancel-scan", kwargs={"brand_id": run.brand_id, "run_id": run.pk})
        assert f'action="{address}"' in visit(getattr(cast, who), "run-page", run_id=run.pk)[1]
        page = client.post(address, follow=True).content.decode()
        assert "The scan is cancelled." in page and "<progress" not in page and "hx-get" not in page
        assert Run.objects.get().status == "cancelled"

    @pytest.mark.parametrize(("who", "status"), [("viewer", 302), ("stranger", 404)])
    def test_by_nobody_else(self, client, cast, run, who, status):
        client.force_login(getattr(cast, who))
        address = reverse("cancel-scan", kwargs={"brand_id": run.brand_id, "run_id": run.pk})
        assert client.post(address).status_code == status
        assert client.get(address).status_code == 405
        assert Run.objects.get().status == "running"

    def test_a_run_of_another_brand_is_not_found_below_this_one(self, client, cast, brand, run):
        other = RunFactory(status="queued", finished_at=None)
        client.force_login(cast.owner)
        address = reverse("cancel-scan", kwargs={"brand_id": brand.pk, "run_id": other.pk})
        assert client.post(address).status_code == 404
        other.refresh_from_db()
        assert other.status == "queued"

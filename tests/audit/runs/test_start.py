"""Starting an audit: one at a time of each site, paid for when it starts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import Usage
from brands.models import Brand
from tests.factories import RunFactory
from visibility.models import Audit, AuditPage, Run
from visibility.pipeline.finishing import end_cancelled
from visibility.pipeline.runner import execute
from visibility.services.audits.starting import start_audit
from visibility.services.scans.starting import cancel_scan
from visibility.services.scans.status import scan_status


@pytest.fixture(autouse=True)
def _reachable(settings):
    settings.AUDIT_LOCAL_HOSTS = {"acme.example": ("127.0.0.1", 9)}


@pytest.fixture
def begin(cast, owner):
    def one(**more):
        return start_audit(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, **more)

    return one


def used(user):
    return Usage.objects.get(user=user, kind="credits").used


@pytest.mark.django_db
class TestStart:
    def test_it_reserves_a_credit_for_each_page(self, begin, cast):
        started = begin(max_pages=20)
        run = started.run
        assert (started.started, started.credits_spent, used(cast.owner)) == (True, 20, 20)
        assert (run.kind, run.status, run.total, run.engines) == ("audit", "queued", 20, [])
        audit = Audit.objects.get(run=run)
        assert (audit.home_url, audit.max_pages) == ("https://acme.example/", 20)
        assert audit.user_agent.startswith("BrandVisibilityBot/")

    def test_one_that_is_active_is_returned_and_another_can_start_as_soon_as_it_ended(self, begin, cast):
        first = begin().run
        again = begin(max_pages=3)
        assert (again.run, again.started, again.credits_spent, used(cast.owner)) == (first, False, 0, 50)
        Run.objects.update(status="succeeded", finished_at=timezone.now())
        assert begin().started

    def test_a_scan_under_way_does_not_stand_in_its_way(self, begin, cast):
        RunFactory(brand=cast.brand, status="running", finished_at=None)
        assert begin().started

    def test_too_few_credits_start_nothing(self, begin, cast, refused):
        cast.owner.plan.credits_per_month = 19
        cast.owner.plan.save()
        error = refused("quota_exceeded", begin, max_pages=20)
        assert (error.details["limit"], error.details["used"]) == (19, 0)
        assert not Run.objects.exists()
        assert begin(max_pages=19).started

    @pytest.mark.parametrize("pages", [0, 51, -1])
    def test_pages_have_bounds(self, begin, refused, pages):
        refused("invalid_arguments", begin, max_pages=pages)

    @pytest.mark.parametrize("domain", ["localhost", "10.0.0.1", "printer.local", "acme.example:8080", "x"])
    def test_a_domain_that_is_not_public_is_refused_with_advice(self, begin, refused, domain):
        Brand.objects.update(domain=domain)
        error = refused("conflict", begin)
        assert domain in error.message
        assert "Change the domain" in error.message
        assert not Run.objects.exists()

    def test_the_service_does_not_audit_itself(self, begin, refused, settings):
        settings.ALLOWED_HOSTS = [".service.com"]
        Brand.objects.update(domain="app.service.com")
        assert "this service itself" in refused("conflict", begin).message

    def test_who_may_only_look_starts_none(self, cast, refused):
        viewer = Caller.from_user(cast.viewer)
        refused("read_only_collaborator", start_audit, viewer, brand_id=cast.brand.pk, trigger=Run.Trigger.WEB)
        stranger = Caller.from_user(cast.stranger)
        refused("not_found", start_audit, stranger, brand_id=cast.brand.pk, trigger=Run.Trigger.WEB)

    def test_credits_go_back_to_the_month_of_the_reservation(self, begin, cast, owner):
        run = begin(max_pages=20).run
        month = run.credits_month.replace(day=1) - timedelta(days=1)
        Usage.objects.create(user=cast.owner, kind="credits", period=month.replace(day=1), used=20)
        Run.objects.update(credits_month=month.replace(day=1))
        cancel_scan(owner, run=run)
        assert Usage.objects.get(user=cast.owner, period=month.replace(day=1)).used == 0
        assert Usage.objects.get(user=cast.owner, period=run.credits_month).used == 20


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_hundred_starts_at_once_are_one_audit_and_one_charge(begin, cast, at_once):
    started = at_once(100, lambda index: begin(max_pages=7))
    assert [each for each in started if isinstance(each, Exception)] == []
    assert sum(each.started for each in started) == 1
    assert {each.run.pk for each in started} == {Run.objects.get().pk}
    assert used(cast.owner) == 7


@pytest.mark.django_db
class TestLeftOver:
    """Audits that break off: what is told, kept and paid."""

    def pages(self, run, *states):
        for position, state in enumerate(states):
            AuditPage.objects.create(run=run, url=f"http://acme.example/{position}", position=position, state=state)
        done, failed = states.count("fetched"), states.count("failed")
        Run.objects.filter(pk=run.pk).update(done=done, failed=failed, total=len(states) - states.count("aside"))

    def test_one_that_breaks_off_again_and_again_is_given_up_in_words_of_pages(self, begin, cast):
        run = begin(max_pages=20).run
        self.pages(run, "fetched", "fetched", "aside", "waiting", "waiting")
        Run.objects.update(attempt=99)
        execute(run.pk, "w")
        run.refresh_from_db()
        assert (run.status, run.error_code, run.done, run.failed) == ("failed", "attempts_exhausted", 2, 2)
        assert run.error_message.startswith("The audit was interrupted again and again and was stopped.")
        assert run.credits_spent == used(cast.owner) == 2
        stopped = AuditPage.objects.filter(state="failed").values_list("error_code", flat=True)
        assert set(stopped) == {"attempts_exhausted"}

    def test_a_cancelled_one_is_settled_by_its_worker(self, begin, cast, owner):
        run = begin(max_pages=20).run
        self.pages(run, "fetched", "waiting")
        Run.objects.update(worker="w", lease_until=timezone.now() + timedelta(minutes=1), status="running")
        cancel_scan(owner, run=run)
        assert used(cast.owner) == 20
        end_cancelled(run.pk, "w")
        assert used(cast.owner) == 1

    def test_what_is_left_is_told_by_the_speed_of_its_pages(self, begin, cast, owner):
        run = begin(max_pages=20).run
        now = timezone.now()
        Run.objects.update(status="running", started_at=now - timedelta(seconds=10))
        self.pages(run, *["fetched"] * 4, "failed", "aside", *["waiting"] * 5)
        AuditPage.objects.exclude(state="waiting").update(fetched_at=now)
        status = scan_status(owner, brand_id=cast.brand.pk, run_id=run.pk)
        assert status.percent == 50.0
        assert status.eta_seconds in (10, 11)

"""How long what pages of audited sites say is kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import BrandFactory, RunFactory
from visibility.models import Audit, AuditPage, CheckResult, PageContent, Run
from visibility.pipeline.retention import purge_audit_batch, purge_daily

pytestmark = pytest.mark.django_db


@pytest.fixture
def audit(cast):
    """An audit that ended so many days ago, of one page with this content."""

    def make(days, content, *, checked=True, brand=cast.brand):
        at = timezone.now() - timedelta(days=days)
        run = RunFactory(brand=brand, kind="audit", created_at=at, finished_at=at, score=70.0)
        Audit.objects.create(
            run=run, home_url="https://a.example/", max_pages=1, user_agent="x", checked_at=at if checked else None
        )
        page, _ = PageContent.objects.get_or_create(brand=brand, key=content, defaults={"parsed": True, "facts": b""})
        PageContent.objects.filter(pk=page.pk).update(created_at=at)
        AuditPage.objects.create(run=run, url="https://a.example/", position=0, state="fetched", content=page)
        CheckResult.objects.create(run=run, check_id="ACC-01", verdict="passed")
        return run

    return make


def kept():
    return set(PageContent.objects.values_list("key", flat=True))


def test_pages_of_old_audits_go_and_scores_and_results_stay(audit, settings):
    settings.AUDIT_PAGES_DAYS = 90
    old, later = audit(100, "old"), audit(10, "new")
    assert purge_audit_batch() == 2
    assert (kept(), AuditPage.objects.get().run) == ({"new"}, later)
    assert Run.objects.get(pk=old.pk).score == 70.0
    assert CheckResult.objects.filter(run=old).exists()
    assert purge_audit_batch() == 0


def test_the_latest_that_was_checked_is_kept_however_old(audit):
    audit(200, "older")
    audit(190, "latest")
    audit(5, "refused", checked=False)
    audit(300, "of another brand", brand=BrandFactory())
    purge_audit_batch()
    assert kept() == {"latest", "refused", "of another brand"}


def test_what_a_later_audit_found_unchanged_is_kept(audit):
    audit(200, "same")
    audit(5, "same")
    PageContent.objects.update(created_at=timezone.now() - timedelta(days=200))
    assert purge_audit_batch() == 1
    assert kept() == {"same"}


def test_what_was_stored_just_now_is_kept_before_a_page_refers_to_it(cast):
    PageContent.objects.create(brand=cast.brand, key="now", parsed=True, facts=b"")
    assert purge_audit_batch() == 0
    PageContent.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert purge_audit_batch() == 1


def test_it_is_done_once_a_day(audit):
    audit(200, "old")
    audit(5, "new")
    assert purge_daily() == 2
    assert kept() == {"new"}

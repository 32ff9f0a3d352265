"""Workers that are killed, stopped and told to cancel in the middle of an audit: nothing is lost, nothing is asked
twice that is stored, and credits are exact."""

import signal

import pytest

from apikeys.models import Usage
from tests.audit.runs.sites import HOST
from tests.factories import PromptFactory
from tests.scans.workers import kill, worker
from visibility.models import Audit, AuditPage, CheckResult, Run
from visibility.services.scans.starting import cancel_scan, start_scan

pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]

PAGES = 24


@pytest.fixture
def slow_site(site):
    """Pages that link each other, and answer after a while."""
    paths = [f"/page-{letter}" for letter in "abcdefghijklmnopqrstuvw"]
    site.page("/", *paths[:12])
    for index, path in enumerate(paths):
        site.page(path, *paths[index : index + 4], "/")
    site.sitemap(*paths[15:])
    site.seconds = 0.15
    return site


def fetched():
    return set(AuditPage.objects.filter(state="fetched").values_list("url", flat=True))


def ended(run):
    return lambda: not Run.objects.get(pk=run.pk).is_active


def found(run):
    """What an audit found, without what differs from run to run."""
    pages = AuditPage.objects.filter(run=run).order_by("position").values_list("position", "url", "state", "found_by")
    results = CheckResult.objects.filter(run=run).order_by("check_id")
    return [
        list(pages.values_list("position", "url", "state", "found_by", "content__key")),
        list(results.values_list("check_id", "verdict", "share", "urls")),
        Audit.objects.get(run=run).categories,
        Run.objects.get(pk=run.pk).score,
    ]


@pytest.mark.parametrize("kill_at", [[8], [3, 12, 20]], ids=["once", "again and again"])
def test_a_killed_worker_loses_nothing_and_asks_nothing_twice(slow_site, cast, start, celery, wait_until, kill_at):
    run = start()
    stored = {}
    for count in kill_at:
        process = worker(celery)
        wait_until(lambda count=count: len(fetched()) >= count, f"{count} pages")
        kill(process)
        asked = slow_site.times()
        stored |= {url: asked[url.removeprefix(f"http://{HOST}")] for url in fetched() if url not in stored}
        assert count <= len(stored) < PAGES
    worker(celery)
    wait_until(ended(run), "the end of the audit")
    asked = slow_site.times()
    again = {url: asked[url.removeprefix(f"http://{HOST}")] for url in stored if not url.endswith("example/")}
    assert again == {url: stored[url] for url in again}, "nothing that is stored is asked again"
    run.refresh_from_db()
    assert (run.status, run.total, run.done, run.failed) == ("succeeded", PAGES, PAGES, 0)
    assert run.credits_spent == Usage.objects.get(user=cast.owner, kind="credits").used == PAGES
    undisturbed = start()
    wait_until(ended(undisturbed), "the end of another audit")
    assert found(undisturbed) == found(run), "the same as of an audit that nobody disturbed"


def test_a_cancelled_audit_keeps_what_it_fetched_and_gives_the_rest_back(
    slow_site, cast, owner, start, celery, wait_until
):
    run = start(50)
    worker(celery)
    wait_until(lambda: len(fetched()) >= 4, "some pages")
    cancel_scan(owner, run=run)
    wait_until(lambda: Run.objects.get(pk=run.pk).settled_at, "the credits")
    run.refresh_from_db()
    kept = len(fetched())
    assert (run.status, run.done, run.score) == ("cancelled", kept, None)
    assert 4 <= kept < PAGES
    assert run.credits_spent == Usage.objects.get(user=cast.owner, kind="credits").used == kept
    assert not CheckResult.objects.exists()


def test_a_worker_that_is_asked_to_end_leaves_the_audit_to_another(slow_site, start, celery, wait_until):
    run = start()
    first = worker(celery)
    wait_until(lambda: len(fetched()) >= 4, "some pages")
    first.send_signal(signal.SIGTERM)
    first.wait(60)
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("queued", 0)
    worker(celery)
    wait_until(ended(run), "the end of the audit")
    run.refresh_from_db()
    assert (run.status, run.done) == ("succeeded", PAGES)
    pages = {path: number for path, number in slow_site.times().items() if path.startswith("/page-")}
    assert max(pages.values()) <= 2


def test_scans_and_audits_run_beside_each_other(slow_site, engines, cast, owner, start, celery, wait_until):
    """With as many scans waiting as there are places for them an audit ends, and the other way round."""
    engines("Slow")
    for number in range(30):
        PromptFactory(brand=cast.brand, text=f"which product number {number}?")
    audit = start()
    scan = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=2).run
    worker(celery)
    wait_until(lambda: Run.objects.filter(status="running").count() == 2, "both at work")
    wait_until(lambda: ended(audit)() and ended(scan)(), "the end of both")
    assert set(Run.objects.values_list("status", flat=True)) == {"succeeded"}

"""What breaks off in the middle of an audit: it goes on later, from what is stored."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from tests.audit.runs.sites import HOST
from visibility.models import AuditPage, CheckResult, Run
from visibility.pipeline.audit import crawling, running
from visibility.pipeline.runner import execute

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

PATHS = ("/a", "/b", "/c", "/d", "/e", "/f")


@pytest.fixture
def linked_site(site):
    site.page("/", *PATHS)
    for path in PATHS:
        site.page(path)
    return site


def go_on(run):
    Run.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    execute(run.pk, "another")
    run.refresh_from_db()


def failing_once(monkeypatch, module, name, error):
    """Have a function of a module raise at its first call."""
    real, errors = getattr(module, name), [error]

    def fails(*args, **more):
        if errors:
            raise errors.pop()
        return real(*args, **more)

    monkeypatch.setattr(module, name, fails)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (running, "keep_arrival"),
        (running, "keep_facts"),
        (crawling, "keep_pages"),
        (crawling, "plan_pages"),
        (running, "run_checks"),
        (running, "finish_audit"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_stage_that_fails_is_done_again_and_what_is_stored_is_not(linked_site, start, monkeypatch, module, name):
    failing_once(monkeypatch, module, name, OperationalError("server closed the connection unexpectedly"))
    run = start()
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, run.error_code, run.worker) == ("queued", "broken_off", "")
    stored = {page.url.removeprefix(f"http://{HOST}") for page in AuditPage.objects.filter(state="fetched")}
    go_on(run)
    assert (run.status, run.done, run.credits_spent, run.error_code) == ("succeeded", 7, 7, "")
    pages = {path: number for path, number in linked_site.times().items() if path in PATHS}
    assert all(pages[path] == 1 for path in stored if path in PATHS)
    assert CheckResult.objects.filter(run=run).exists()


def test_a_parser_that_does_not_start_fails_no_site(linked_site, start, monkeypatch):
    failing_once(monkeypatch, running.ParsingChild, "start", RuntimeError("no memory"))
    run = start()
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, run.error_message) == ("queued", "The last attempt failed with RuntimeError.")
    go_on(run)
    assert run.status == "succeeded"


def test_a_brand_that_is_deleted_meanwhile_ends_the_audit_in_silence(linked_site, cast, start, monkeypatch):
    real = crawling.keep_pages

    def keep(run, worker, batch):
        cast.brand.delete()
        return real(run, worker, batch)

    monkeypatch.setattr(crawling, "keep_pages", keep)
    execute(start().pk, "w")
    assert not Run.objects.exists()
    assert not AuditPage.objects.exists()

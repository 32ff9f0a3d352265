"""The first page of the staff pages: how the service stands, what is wrong, what to do."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache

from tests.factories import AnswerFactory, RunFactory
from tests.ledger import answered_call
from tests.people.browser import Browser, text_of
from visibility.models import Answer, Run
from visibility.services.health import HEARTBEAT_KEY
from visibility.services.operating.backups import last_backup, note_backup
from visibility.services.operating.status import service_status

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


@pytest.fixture
def folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


def wrong(now=NOW):
    return {line.part: line for line in service_status(now) if line.is_wrong}


def test_all_is_well(folder, db):
    cache.set(HEARTBEAT_KEY, "here")
    note_backup(folder, NOW - timedelta(hours=3))
    assert wrong() == {}


def test_without_worker_and_backup_it_says_what_to_do(folder):
    assert set(wrong()) == {"Workers", "Backup"}
    assert "manage.py serve" in wrong()["Workers"].remedy and "manage.py backup" in wrong()["Backup"].remedy


def test_an_old_backup_is_wrong(folder):
    note_backup(folder, NOW - timedelta(days=3))
    assert last_backup(folder) == NOW - timedelta(days=3)
    assert "17 Mar 2026 12:00 UTC" in wrong()["Backup"].says


def test_what_waits_too_long_and_what_is_stuck_is_told(folder, cast):
    early = NOW - timedelta(minutes=20)
    RunFactory(brand=cast.brand, status=Run.Status.QUEUED, finished_at=None, created_at=early, not_before=early)
    assert "1 job waits, the first for" in wrong()["Queue"].says and "Stuck runs" not in wrong()
    Run.objects.update(status=Run.Status.RUNNING, worker="w", lease_until=early)
    assert "1 run makes no progress" in wrong()["Stuck runs"].says


def test_errors_of_providers_stand_by_engine_with_the_last_one(folder, cast):
    run = RunFactory(brand=cast.brand, created_at=NOW - timedelta(hours=2), failed=2)
    for number, message in enumerate(("first", "The key is <b>wrong</b>")):
        AnswerFactory(
            run=run,
            position=number,
            state=Answer.State.FAILED,
            error_code="auth",
            error_message=message,
            engine="chat",
        )
    line = wrong()["Engine chat"]
    assert "2 questions without an answer within a day. The last: auth: The key is <b>wrong</b>" in line.says
    assert line.query == "state=failed&engine=chat"


def test_the_spend_is_that_of_this_month(folder, cast):
    for start, cost in ((NOW, "0.25"), (NOW - timedelta(days=25), "3.00")):
        answered_call(RunFactory(brand=cast.brand, created_at=start), cost=cost)
    [line] = [line for line in service_status(NOW) if line.part == "Spend"]
    assert "$0.25" in line.says and "1 call" in line.says


def test_the_spend_stands_by_month_provider_and_purpose_and_outlives_its_brand(browser, cast):
    run = RunFactory(brand=cast.brand)
    answered_call(run, provider="openai", cost="0.25")
    answered_call(run, provider="openai", reserved="0.5", purpose="judge", account=None)
    cast.brand.delete()
    said = text_of(browser.open("/admin/visibility/providercall/"))
    assert "$0.2500 for 2 calls, 1 of them of unknown cost, $0.5000 at most" in said
    assert "openai Scan $0.2500 for 1 call" in said
    assert "openai judge of names 1 call, cost unknown, $0.5000 at most" in said
    assert "operator" in said and "Acme" in said


def test_the_first_page_shows_it_to_who_may_look_at_runs(browser, clerk, folder):
    page = browser.open("/admin/")
    assert "How the service stands" in text_of(page) and "Needs attention." in text_of(page)
    assert 'href="/admin/visibility/run/"' in page.content.decode()
    assert "How the service stands" not in text_of(Browser(clerk("apikeys.view_apikey")).open("/admin/"))


def test_each_list_that_a_line_leads_to_opens(browser, folder, cast):
    early = NOW - timedelta(minutes=20)
    run = RunFactory(
        brand=cast.brand, status=Run.Status.QUEUED, finished_at=None, not_before=early, attempt=4, total=1, failed=1
    )
    AnswerFactory(run=run, state=Answer.State.FAILED, engine="chat")
    content = browser.open("/admin/").content.decode().split("</section>")[0]
    links = [part.split('"')[0].replace("&amp;", "&") for part in content.split('<th scope="row"><a href="')[1:]]
    assert len(links) >= 4
    for link in links:
        browser.open(link)

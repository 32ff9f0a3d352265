"""The page of a run for the person on call: first how it stands and why, then what to do and what hangs on it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.html import escape

from tests.factories import AnswerFactory, ApiKeyFactory, BrandFactory, PromptFactory, RunFactory
from tests.ledger import answered_call
from tests.people.browser import Browser, text_of
from visibility.models import Answer, BrandEvidence, EngineConfig, Run
from visibility.services.operating.inspecting import asker_of, inspect_run, standing_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script>"


def ago(**span):
    return NOW - timedelta(**span)


@pytest.fixture
def stuck(cast):
    """A scan whose worker died: one engine refuses its key, another is asked half."""
    run = RunFactory(
        brand=cast.brand, status=Run.Status.RUNNING, finished_at=None, created_at=ago(hours=1), attempt=3, total=4,
        started_at=ago(minutes=50), done=1, failed=2, worker="w:1", lease_until=ago(minutes=20), credits_reserved=4,
        not_before=ago(hours=1), error_message="The last attempt failed with OSError.", engines=["chat", "other"],
        actor=f"user:{cast.owner.pk}",
    )  # fmt: skip
    prompt = PromptFactory(brand=cast.brand)
    failed = {"state": Answer.State.FAILED, "engine": "chat", "error_code": "auth", "answered_at": ago(minutes=40)}
    AnswerFactory(run=run, prompt=prompt, **failed, sample=1, error_message="first")
    AnswerFactory(run=run, prompt=prompt, **failed, sample=2, error_message=f"The key is wrong. {HOSTILE}")
    AnswerFactory(run=run, prompt=prompt, engine="other", sample=1, answered_at=ago(minutes=40))
    answered_call(run, engine="other", cost="0.25")
    AnswerFactory(run=run, prompt=prompt, engine="other", sample=2, state=Answer.State.PENDING, answered_at=None)
    return run


def page_of(run):
    return f"/admin/visibility/run/{run.pk}/change/"


def test_first_stands_what_is_wrong_and_what_to_do(browser, stuck):
    said = text_of(browser.open(page_of(stuck)))
    assert said.index("How it stands") < said.index("Why questions failed") < said.index("As it is stored")
    assert "Needs attention. Running." in said and "The last attempt failed with OSError." in said
    assert "look whether any runs. Have it tried again at once, or cancel it." in said


def test_failures_stand_by_engine_with_the_last_error_and_what_to_do(browser, stuck):
    config = EngineConfig.objects.create(name="chat", provider="openai", model="m")
    page = browser.open(page_of(stuck))
    said, markup = text_of(page), page.content.decode()
    assert "chat auth 2 The operator has to renew the engine's key" in said
    assert "The key is wrong." in said and "first" not in said
    assert HOSTILE not in markup and escape(HOSTILE) in markup
    assert f'href="/admin/visibility/engineconfig/{config.pk}/change/"' in markup
    assert "other 1 0 1 $0.2500 for 1 call" in said, "answered, failed, not asked yet, charged"


def test_links_lead_to_brand_page_and_answers_by_filter(browser, stuck):
    markup = browser.open(page_of(stuck)).content.decode()
    for link in (
        f"/admin/brands/brand/{stuck.brand_id}/change/",
        f"/brands/{stuck.brand_id}",
        f"/brands/{stuck.brand_id}/runs/{stuck.pk}",
        f"/admin/visibility/run/?brand__id__exact={stuck.brand_id}",
        f"/admin/visibility/answer/?run__id__exact={stuck.pk}",
    ):
        assert f'href="{link}"' in markup, link
        browser.open(link)
    failed = f"/admin/visibility/answer/?run__id__exact={stuck.pk}&engine=chat&state=failed"
    assert f'href="{escape(failed)}"' in markup
    listed = browser.open(failed)
    assert listed.context["cl"].result_count == 2


def test_who_asked_when_and_what_the_queue_knows(browser, stuck, cast):
    said = text_of(browser.open(page_of(stuck)))
    assert f"Asked for by {cast.owner.email}" in said
    assert "20 Mar 2026 11:00 UTC" in said
    assert "w:1; its lease was over at 20 Mar 2026 11:40 UTC" in said
    assert "3 of 5, then it is given up" in said
    assert "0 spent of 4 reserved, not settled yet" in said


def test_other_jobs_of_the_brand_are_listed(browser, stuck):
    BrandEvidence.objects.create(
        brand=stuck.brand, state="outdated", version="1", error_message="No room on the disk.", attempt=7
    )
    other = RunFactory(brand=stuck.brand, kind=Run.Kind.AUDIT, status=Run.Status.QUEUED, finished_at=None)
    page = browser.open(page_of(stuck))
    assert "Evidence is to be made anew; 7 attempts broke off: No room on the disk." in text_of(page)
    assert f'href="{page_of(other)}"' in page.content.decode()


@pytest.mark.parametrize(
    ("fields", "says", "is_wrong"),
    [
        ({"status": "queued", "not_before": ago(minutes=1)}, "Waits for a free worker.", False),
        ({"status": "queued", "not_before": ago(minutes=6)}, "for about 6 minutes, which is too long", True),
        (
            {"status": "queued", "not_before": NOW + timedelta(hours=1), "attempt": 1},
            "Waits until 20 Mar 2026 13:00",
            False,
        ),
        (
            {"status": "queued", "not_before": NOW + timedelta(hours=1), "attempt": 3},
            "Waits until 20 Mar 2026 13:00",
            True,
        ),
        ({"status": "running", "lease_until": NOW}, "A worker is at it.", False),
        ({"status": "running", "lease_until": NOW, "attempt": 3}, "again, after 2 attempts without progress", True),
        ({"status": "running", "lease_until": ago(minutes=1)}, "The next free worker goes on", False),
        ({"status": "running", "lease_until": ago(minutes=6)}, "silent for about 6 minutes", True),
        ({"status": "running"}, "no worker holds it", True),
        ({"status": "cancelled", "credits_reserved": 2}, "still stored", False),
        ({"status": "cancelled", "settled_at": NOW, "credits_reserved": 2}, "answered before is kept", False),
        ({"status": "cancelled", "error_message": "No credits."}, "No credits.", False),
        ({"status": "failed", "error_message": "No engine."}, "No engine.", True),
        ({"status": "partial", "failed": 2, "total": 9}, "2 of 9 got no answer", True),
        ({"status": "succeeded", "failed": 1, "total": 9}, "1 of 9 got no answer", False),
        ({"status": "succeeded"}, "everything that was to be done", False),
    ],
)
def test_each_state_is_said_in_words(fields, says, is_wrong):
    standing = standing_of(Run(**{"not_before": ago(hours=1), **fields}), NOW)
    assert says in standing.says and standing.is_wrong is is_wrong
    assert standing.remedy


def test_every_status_has_words():
    assert all(standing_of(Run(status=status, not_before=NOW), NOW).says for status in Run.Status)


def test_whoever_asked_is_named(cast):
    key = ApiKeyFactory(owner=cast.owner, name="Dashboard")
    assert asker_of(f"user:{cast.owner.pk}").row == cast.owner
    assert asker_of(f"key:{key.pk}").words.startswith(f"{cast.owner.email} by the key Dashboard")
    assert asker_of("scheduler").words == "the schedule of the brand"
    assert asker_of("command:scan").words == "the command manage.py scan"
    for gone in ("user:0", "user:²", "key:nonsense", "key:", ""):
        assert asker_of(gone).row is None and asker_of(gone).words


def test_what_is_offered_is_what_can_be_done(browser, stuck, clerk):
    said = text_of(browser.open(page_of(stuck)))
    assert "Cancel" in said and "Queue again" in said and "Start another" not in said
    ended = RunFactory(brand=stuck.brand)
    said = text_of(browser.open(page_of(ended)))
    assert "Start another scan" in said and "Cancel" not in said and "Queue again" not in said
    looker = Browser(clerk("visibility.view_run", "brands.view_brand"))
    assert "Start another" not in text_of(looker.open(page_of(ended)))
    looker.open(f"/admin/visibility/run/{ended.pk}/start-another/", status=403)


def test_another_scan_is_asked_for_and_said(browser, stuck):
    ended = RunFactory(brand=stuck.brand, created_at=ago(days=9))
    address = f"/admin/visibility/run/{ended.pk}/start-another/"
    assert "Nothing starts while a scan is active" in text_of(browser.open(address))
    assert "No new scan (already_active)" in text_of(browser.open(browser.submit(address)["Location"]))


def test_an_inspection_takes_the_same_statements_for_few_and_many(stuck, django_assert_max_num_queries):
    prompt = PromptFactory(brand=stuck.brand)
    for number in range(30):
        AnswerFactory(
            run=stuck, prompt=prompt, engine=f"engine-{number}", state=Answer.State.FAILED, error_code=str(number)
        )
    with django_assert_max_num_queries(10):
        inspection = inspect_run(stuck, NOW)
    assert len(inspection.engines) == 32


def test_a_run_of_each_kind_opens(browser):
    for kind in Run.Kind:
        for trigger in Run.Trigger:
            browser.open(page_of(RunFactory(brand=BrandFactory(), kind=kind, trigger=trigger, started_at=NOW)))

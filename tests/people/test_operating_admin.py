"""What operators do in the staff pages: runs queued again, scans started, prompts brought, keys by preset."""

from datetime import UTC, datetime

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apikeys.models import ApiKey, User
from apikeys.scopes import AGENT_SCOPES, REPORTING_SCOPES
from tests.factories import AnswerFactory, PromptFactory, RunFactory, UserFactory, plan
from tests.people.browser import Browser, FormReader, text_of
from visibility.models import Answer, EngineConfig, Run
from visibility.services.prompts.files import MAX_FILE

pytestmark = pytest.mark.django_db
PAST, FUTURE = datetime(2026, 3, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
KEYS = "/admin/apikeys/apikey/add/"


@pytest.fixture
def stuck(cast):
    return RunFactory(
        brand=cast.brand, status=Run.Status.RUNNING, finished_at=None, attempt=4, worker="w", lease_until=PAST,
        not_before=FUTURE, error_message="The last attempt failed with OSError.",
    )  # fmt: skip


def requeue(run):
    return f"/admin/visibility/run/{run.pk}/requeue/"


def test_a_run_without_a_worker_is_queued_again_and_on_record(browser, stuck, operator):
    assert "queued again" in text_of(browser.client.get(browser.submit(requeue(stuck))["Location"]))
    stuck.refresh_from_db()
    assert (stuck.attempt, stuck.error_message, stuck.not_before < FUTURE) == (0, "", True)
    assert LogEntry.objects.get().get_change_message() == "Queue again."


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"lease_until": FUTURE}, "A worker is at this run until 00:00:00 UTC"),
        ({"status": "succeeded"}, "has already ended"),
    ],
)
def test_a_run_that_is_worked_on_or_has_ended_is_left_alone(browser, stuck, fields, sentence):
    Run.objects.filter(pk=stuck.pk).update(**fields)
    assert sentence in text_of(browser.submit(requeue(stuck)))
    stuck.refresh_from_db()
    assert stuck.attempt == 4 and not LogEntry.objects.exists()


def test_what_a_worker_is_at_is_not_offered_and_holds_no_others_back(browser, stuck, cast):
    held = RunFactory(
        brand=cast.brand, kind=Run.Kind.AUDIT, status=Run.Status.RUNNING, finished_at=None, lease_until=FUTURE
    )
    assert "Queue again" not in text_of(browser.open(f"/admin/visibility/run/{held.pk}/change/"))
    chosen = {"action": "requeue", "_selected_action": [str(held.pk), str(stuck.pk)]}
    token = str(browser.open("/admin/visibility/run/").context["csrf_token"])
    done = browser.client.post("/admin/visibility/run/", chosen | {"csrfmiddlewaretoken": token}, follow=True)
    assert "Queue again: done for 1 of 2 chosen." in text_of(done)
    stuck.refresh_from_db()
    assert stuck.attempt == 0


def test_who_may_only_look_queues_nothing(clerk, stuck):
    looker = Browser(clerk("visibility.view_run", "brands.view_brand"))
    looker.open(requeue(stuck), status=403)
    assert "Queue again" not in text_of(looker.open(f"/admin/visibility/run/{stuck.pk}/change/"))


def test_many_prompts_are_brought_at_once(browser, cast):
    PromptFactory(brand=cast.brand, text="Which bike is best?")
    page = f"/admin/brands/brand/{cast.brand.pk}/import-prompts/"
    answer = browser.submit(
        page, prompts="Which bike is best?\r\n\r\nWhich lock is safe?\r\nWhich helmet?", topic="gear"
    )
    assert "2 prompts added, 0 restored from the archive, 1 were asked already" in text_of(
        browser.open(answer["Location"])
    )
    assert cast.brand.prompts.filter(topic="gear").count() == 2


def upload(browser, page, content, name="prompts.csv", **fields):
    file = SimpleUploadedFile(name, content)
    return browser.client.post(page, {**browser.form(page), **fields, "file": file})


def test_a_file_of_prompts_is_shown_first_and_then_added(browser, cast):
    PromptFactory(brand=cast.brand, text="Which bike is best?")
    page = f"/admin/brands/brand/{cast.brand.pk}/import-prompts/"
    shown = upload(browser, page, b"Prompt,Topic\nWhich bike is best?,bikes\nWhich lock is safe?,locks\n")
    assert "1 new, 0 back from the archive, 1 asked already, 0 refused." in text_of(shown)
    assert cast.brand.prompts.count() == 1 and not LogEntry.objects.exists(), "nothing was done yet"
    reader = FormReader()
    reader.feed(shown.content.decode())
    added = browser.client.post(page, reader.fields, follow=True)
    assert "1 prompt added, 0 restored from the archive, 1 were asked already" in text_of(added)
    assert cast.brand.prompts.get(topic="locks").text == "Which lock is safe?"
    assert LogEntry.objects.get().get_change_message() == "Import prompts."


def test_refused_lines_are_shown_with_the_reason_and_left_out_only_when_ticked(browser, cast):
    page = f"/admin/brands/brand/{cast.brand.pk}/import-prompts/"
    shown = upload(browser, page, b"prompt,stage\nGood?,decision\nBad?,nonsense\n<script>alert(1)</script>?,x\n")
    assert "Line 3: Bad? nonsense" in text_of(shown) and "<script>alert" not in shown.content.decode()
    reader = FormReader()
    reader.feed(shown.content.decode())
    again = browser.client.post(page, reader.fields)
    assert "2 refused." in text_of(again) and not cast.brand.prompts.exists()
    added = browser.client.post(page, {**reader.fields, "is_seen": "on"}, follow=True)
    assert "1 prompt added" in text_of(added) and "2 lines were left out" in text_of(added)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a" * (MAX_FILE + 1), "at most 1,048,576 are taken"),
        (b"\xff\xfenonsense\xd8", "Line 1: the line is not utf-16-le"),
        (b"prompt\n\xff", "Line 2: the line is not utf-8"),
        (b'prompt,topic\n"never closed', "cannot be read"),
        (b"prompt,question\na,b", "two columns are the text"),
        (b"\n \n", "The file has no prompt"),
        (b"x\n" * 5_002, "at most 5,000 are added at once"),
    ],
)
def test_a_file_that_cannot_be_taken_says_why(browser, cast, content, words):
    answer = upload(browser, f"/admin/brands/brand/{cast.brand.pk}/import-prompts/", content)
    assert answer.status_code == 200 and words in text_of(answer) and not cast.brand.prompts.exists()


def test_prompts_beyond_the_plan_are_refused_as_a_whole_and_stay_typed(browser, cast):
    User.objects.filter(pk=cast.owner.pk).update(plan=plan("free"))
    page = f"/admin/brands/brand/{cast.brand.pk}/import-prompts/"
    answer = browser.submit(page, prompts="\r\n".join(f"Question {number}?" for number in range(11)))
    assert answer.status_code == 200 and "Question 10?" in answer.content.decode()
    assert not cast.brand.prompts.exists()


def test_a_scan_is_started_or_says_why_not(browser, cast):
    page = f"/admin/brands/brand/{cast.brand.pk}/scan/"
    PromptFactory(brand=cast.brand)
    RunFactory(brand=cast.brand, status=Run.Status.QUEUED, finished_at=None)
    assert "No new scan (already_active)" in text_of(browser.open(browser.submit(page)["Location"]))
    assert cast.brand.runs.count() == 1


@pytest.mark.parametrize(("preset", "scopes"), [("reporting", REPORTING_SCOPES), ("agent", AGENT_SCOPES)])
def test_a_key_gets_the_scopes_of_what_it_is_for(browser, preset, scopes):
    owner = UserFactory()
    browser.submit(KEYS, owner=owner.email, name="Dashboard", preset=preset)
    assert set(ApiKey.objects.get().scopes) == scopes


def test_what_is_ticked_is_added_and_nothing_beyond_what_one_may_grant(clerk):
    browser = Browser(clerk("apikeys.issue_apikey"))
    owner = UserFactory()
    browser.submit(KEYS, owner=owner.email, name="One", preset="reporting", scopes=["read:audits"])
    assert set(ApiKey.objects.get().scopes) == {*REPORTING_SCOPES, "read:audits"}
    browser.submit(KEYS, owner=owner.email, name="All", preset="all")
    assert set(ApiKey.objects.get(name="All").scopes) == AGENT_SCOPES


def test_a_new_account_is_offered_the_smallest_plan_with_keys(browser):
    assert browser.form("/admin/apikeys/user/add/")["plan"] == [str(plan("growth").pk)]


def test_rows_lead_to_their_pages_and_back(browser, cast):
    own_page = reverse("brand-page", args=[cast.brand.pk])
    in_admin = f"/admin/brands/brand/{cast.brand.pk}/change/"
    assert f'href="{own_page}"' in browser.open(in_admin).content.decode()
    assert f'href="{in_admin}"' in browser.open(own_page).content.decode()
    assert in_admin not in Browser(cast.owner).open(own_page).content.decode()


def test_an_engine_shows_its_last_error(browser, cast):
    EngineConfig.objects.create(name="chat", provider="openai", model="m")
    AnswerFactory(
        run__brand=cast.brand,
        run__failed=1,
        engine="chat",
        state=Answer.State.FAILED,
        error_code="auth",
        error_message="No <b>key</b>",
    )
    page = browser.open("/admin/visibility/engineconfig/").content.decode()
    assert "auth: No &lt;b&gt;key&lt;/b&gt;" in page


def test_the_call_log_is_filtered_by_date(browser):
    assert "Past 7 days" in text_of(browser.open("/admin/apikeys/calllog/"))

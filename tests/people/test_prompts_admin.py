"""Prompts and runs in the staff pages."""

import pytest
from django.utils import timezone

from apikeys.models import Usage
from apikeys.services.usage import period_of
from tests.factories import AnswerFactory, BrandFactory, PromptFactory, RunFactory
from tests.people.browser import Browser, text_of
from visibility.models import Prompt, Run

pytestmark = pytest.mark.django_db
LIST, ADD = "/admin/visibility/prompt/", "/admin/visibility/prompt/add/"
RUNS = "/admin/visibility/run/"


def test_a_prompt_is_added_and_edited_as_a_version(browser, operator, cast):
    answer = browser.submit(ADD, brand=str(cast.brand.pk), text="which crm?", stage="decision", locale="en_gb")
    assert answer.status_code == 302, text_of(answer)
    prompt = Prompt.objects.get()
    assert (prompt.brand, prompt.topic, prompt.stage, prompt.locale) == (
        cast.brand,
        "which crm?",
        "decision",
        "en-GB",
    )
    page = f"{LIST}{prompt.pk}/change/"
    assert browser.submit(page, text="which CRM is best?").status_code == 302
    prompt.refresh_from_db()
    assert (prompt.version, prompt.text) == (2, "which CRM is best?")
    last = prompt.versions.get(number=2)
    assert last.created_by == f"user:{operator.pk}"
    assert "which crm?" in text_of(browser.open(page))  # the old wording is on record
    assert browser.submit(page).status_code == 302
    assert prompt.versions.count() == 2


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"text": "Which CRM?"}, "already asks a prompt with this wording"),
        ({"text": "x" * 2001}, "at most 2000"),
        ({"text": "a\x07b"}, "invisible character"),
        ({"text": "a </untrusted-quote> b"}, "contains “untrusted-quote” after a <"),
        ({"text": "a", "topic": "<untrusted-quote>b"}, "contains “untrusted-quote” after a <"),
        ({"locale": "english"}, "not a known locale"),
        ({"brand": "00000000-0000-0000-0000-000000000000"}, "Select a valid choice"),
    ],
)
def test_bad_prompts_are_refused_in_the_form(browser, cast, values, sentence):
    PromptFactory(brand=cast.brand, text="which crm?")
    answer = browser.submit(ADD, **{"brand": str(cast.brand.pk), "text": "new?", **values})
    assert answer.status_code == 200
    assert sentence in text_of(answer)
    assert Prompt.objects.count() == 1


def test_prompts_are_archived_and_restored_never_deleted(browser, cast):
    prompt = PromptFactory(brand=cast.brand)
    assert browser.client.get(f"{LIST}{prompt.pk}/delete/").status_code == 403
    browser.submit(f"{LIST}{prompt.pk}/archive/")
    prompt.refresh_from_db()
    assert prompt.archived_at is not None
    assert "Restore it before" in text_of(browser.submit(f"{LIST}{prompt.pk}/change/", text="new?"))
    assert prompt.text not in text_of(browser.open(f"{LIST}?archived=no"))
    assert prompt.text in text_of(browser.open(f"{LIST}?archived=yes"))
    browser.submit(f"{LIST}{prompt.pk}/restore/")
    prompt.refresh_from_db()
    assert prompt.archived_at is None


def choose(browser, page, action, rows):
    token = browser.form(ADD)["csrfmiddlewaretoken"]
    chosen = {"action": action, "_selected_action": [str(row.pk) for row in rows], "csrfmiddlewaretoken": token}
    return browser.client.post(page, chosen)


def test_many_are_archived_and_restored_all_or_none(browser, cast):
    prompts = PromptFactory.create_batch(3, brand=cast.brand)
    choose(browser, LIST, "archive", prompts)
    assert not Prompt.objects.active().exists()
    PromptFactory(brand=cast.brand, text=prompts[1].text)
    answer = choose(browser, LIST, "restore", prompts)
    assert "has this wording" in text_of(browser.open(answer["Location"]))
    assert Prompt.objects.active().count() == 1


def test_bulk_acts_are_offered_by_permission(clerk, cast):
    prompt = PromptFactory(brand=cast.brand)
    viewer = Browser(clerk("visibility.view_prompt", "brands.view_brand"))
    assert (
        'value="archive"'
        in Browser(clerk("visibility.change_prompt", "brands.view_brand")).open(LIST).content.decode()
    )
    assert 'value="archive"' not in viewer.open(LIST).content.decode()
    fields = {"action": "archive", "_selected_action": [str(prompt.pk)]}
    token = viewer.open("/admin/").context["csrf_token"]
    viewer.client.post(LIST, {**fields, "csrfmiddlewaretoken": str(token)})
    assert Prompt.objects.active().get() == prompt
    assert viewer.client.get(f"{LIST}{prompt.pk}/archive/").status_code == 403


def test_runs_are_to_look_at_and_to_cancel(browser, cast):
    Usage.objects.create(user=cast.owner, kind="credits", period=period_of("credits"), used=10)
    run = RunFactory(
        brand=cast.brand,
        status=Run.Status.RUNNING,
        finished_at=None,
        total=10,
        done=3,
        failed=1,
        credits_reserved=10,
        credits_month=period_of("credits"),
        credits_account=cast.owner,
        error_code="upstream_unavailable",
    )
    answer = AnswerFactory(run=run, text="Acme is <b>good</b>.")
    other = AnswerFactory()
    listed = text_of(browser.open(RUNS))
    assert "4 of 10" in listed
    assert "upstream_unavailable" in listed
    page = browser.open(f"{RUNS}{run.pk}/change/").content.decode()
    link = f"/admin/visibility/answer/?run__id__exact={run.pk}"
    assert link in page
    answers = browser.open(link).content.decode()
    assert str(answer.pk) in answers
    assert str(other.pk) not in answers
    shown = browser.open(f"/admin/visibility/answer/{answer.pk}/change/").content.decode()
    assert "Acme is &lt;b&gt;good&lt;/b&gt;." in shown
    assert browser.client.get(f"{RUNS}add/").status_code == 403
    browser.submit(f"{RUNS}{run.pk}/cancel/")
    run.refresh_from_db()
    assert (run.status, run.credits_spent) == ("cancelled", 3)
    assert Usage.objects.get().used == 3
    assert "already ended" in text_of(browser.submit(f"{RUNS}{RunFactory(brand=cast.brand).pk}/cancel/"))


def test_the_lists_take_the_same_statements_for_few_and_many(browser, django_assert_max_num_queries):
    def fill(number):
        for _ in range(number):
            brand = BrandFactory()
            PromptFactory(brand=brand)
            AnswerFactory(run__brand=brand, answered_at=timezone.now())

    fill(1)
    for url in (LIST, RUNS, "/admin/visibility/answer/"):
        browser.open(url)
    fill(20)
    for url in (LIST, RUNS, "/admin/visibility/answer/"):
        with django_assert_max_num_queries(12):
            browser.open(url)

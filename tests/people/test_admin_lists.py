"""Lists of the staff pages that grow without end: bounded counts, days, engines and words found by an index."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.models import CallLog
from apikeys.staff import base, lists
from tests.factories import AnswerFactory, ApiKeyFactory, BrandFactory, PromptFactory, RunFactory, UserFactory
from tests.people.browser import text_of
from visibility.admin import runs
from visibility.models import Answer, EngineConfig, Prompt, Run

pytestmark = pytest.mark.django_db
LOG, ANSWERS, RUNS = "/admin/apikeys/calllog/", "/admin/visibility/answer/", "/admin/visibility/run/"
DAY = datetime(2026, 3, 20, tzinfo=UTC)


def found(browser, address):
    return browser.open(address).context["cl"].result_count


@pytest.fixture
def calls(db):
    """A call in the first and in the last moment of each of three days."""
    key = ApiKeyFactory(name="Dashboard", owner=UserFactory(email="ana@example.com"))
    for days in range(3):
        for moment in (timedelta(days=days), timedelta(days=days + 1, microseconds=-1)):
            CallLog.objects.create(
                key=key,
                door="rest",
                name="/api/v1/sites",
                success=True,
                created_at=DAY + moment,
                request_id=f"r{days}",
            )
    return key


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("", 6),
        ("?created_at__from=2026-03-21", 4),
        ("?created_at__to=2026-03-20", 2),
        ("?created_at__from=2026-03-21&created_at__to=2026-03-21", 2),
        ("?created_at__from=&created_at__to=", 6),
        ("?created_at__from=2026-03-22&created_at__to=2026-03-20", 0),
        ("?created_at__to=9999-12-31", 6),
        ("?created_at__from=2026-03-21&door__exact=rest", 4),
        ("?created_at__from=2026-03-21&door__exact=mcp", 0),
    ],
)
def test_the_call_log_is_filtered_from_a_day_to_a_day(browser, calls, query, number):
    assert found(browser, LOG + query) == number


@pytest.mark.parametrize("typed", ["yesterday", "2026-02-30", "0000-00-00", "2026-03-21T00:00"])
def test_what_is_no_day_shows_the_whole_list(browser, calls, typed):
    answer = browser.client.get(f"{LOG}?created_at__from={typed}")
    assert answer.status_code == 302 and found(browser, answer["Location"]) == 6


def test_days_keep_the_other_filters_and_the_search(browser, calls):
    markup = browser.open(f"{LOG}?door__exact=rest&q=ana&created_at__from=2026-03-21&p=1").content.decode()
    form = markup.split('class="day-range"')[1].split("</form>")[0]
    assert '<input type="hidden" name="door__exact" value="rest">' in form
    assert '<input type="hidden" name="q" value="ana">' in form
    assert 'name="p"' not in form, "another span begins at its first page"
    assert 'name="created_at__from" value="2026-03-21"' in form and form.count("created_at__from") == 1


@pytest.mark.parametrize(("term", "number"), [("dashb", 6), ("ANA@", 6), ("r1", 2), ("nobody", 0), ("%20", 6)])
def test_calls_are_found_by_key_owner_and_request(browser, calls, term, number):
    assert found(browser, f"{LOG}?q={term}") == number


def test_a_list_is_counted_up_to_a_bound_and_says_so(browser, calls, monkeypatch):
    monkeypatch.setattr(lists, "MAX_COUNTED", 5)
    page = browser.open(LOG)
    assert page.context["cl"].result_count == 5
    assert "more than 5 rows: search or filter to get to the others" in text_of(page)
    CallLog.objects.first().delete()
    assert "5 rows" in text_of(browser.open(LOG)) and "more than" not in text_of(browser.open(LOG))


def test_no_count_of_a_long_list_goes_beyond_the_bound(browser, cast):
    AnswerFactory(run__brand=cast.brand)
    for address in (LOG, ANSWERS, RUNS, f"{ANSWERS}?q=bike", f"{LOG}?q=bike"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            browser.open(address)
        counts = [query["sql"] for query in queries if "COUNT(" in query["sql"] and "django_" not in query["sql"]]
        assert all(f"LIMIT {lists.MAX_COUNTED + 1}" in sql for sql in counts), (address, counts)


def test_no_filter_looks_through_the_rows_for_its_values(browser, cast):
    AnswerFactory(run__brand=cast.brand)
    for address in (LOG, ANSWERS, RUNS):
        with CaptureQueriesContext(connection) as queries:
            browser.open(address)
        distinct = [query["sql"] for query in queries if "DISTINCT" in query["sql"]]
        assert not [sql for sql in distinct if 'FROM "visibility_answer"' in sql or 'FROM "apikeys_calllog"' in sql]


@pytest.mark.parametrize(("address", "number"), [(LOG, 6), (ANSWERS, 7), (RUNS, 5)])
def test_statements_of_the_long_lists(browser, cast, calls, address, number):
    """Session, account, and what the list needs: the count, the rows, and for answers the engines of runs."""
    for _ in range(30):
        AnswerFactory(run=RunFactory(brand=BrandFactory(), engines=["chat"]))
    browser.open(address)
    with CaptureQueriesContext(connection) as queries:
        browser.open(address)
    assert len(queries) <= number, [query["sql"][:160] for query in queries]


def test_answers_are_offered_by_the_engines_that_runs_asked(browser, cast):
    run = RunFactory(brand=cast.brand, engines=["chat", "search"])
    prompt = PromptFactory(brand=cast.brand)
    for engine in ("chat", "search"):
        AnswerFactory(run=run, prompt=prompt, engine=engine)
    said = text_of(browser.open(ANSWERS))
    assert "chat" in said.split("By engine")[1] and "search" in said.split("By engine")[1]
    assert found(browser, f"{ANSWERS}?engine=chat") == 1
    assert found(browser, f"{ANSWERS}?engine=gone") == 0


def test_answers_are_found_by_words_of_their_prompt_brand_and_by_ids(browser, cast, monkeypatch):
    wanted = AnswerFactory(run__brand=cast.brand, prompt__text="Which lock is safe?")
    other = AnswerFactory(run__brand=BrandFactory(name="Zebra"), prompt__text="Which zebra?")
    AnswerFactory(run=wanted.run, prompt=wanted.prompt, sample=2)
    for term, number in (("LOCK", 2), ("zebra", 1), (wanted.pk, 1), (wanted.run_id, 2), (other.prompt_id, 1)):
        assert found(browser, f"{ANSWERS}?q={term}") == number, term
    assert found(browser, f"{ANSWERS}?q={uuid4()}") == 0
    monkeypatch.setattr(runs, "MAX_PROMPTS", 1)
    assert found(browser, f"{ANSWERS}?q=which") in (1, 2), "the answers to the first prompts that have the word"


def test_the_newest_run_comes_first(browser, cast):
    old = AnswerFactory(run__brand=cast.brand, run__created_at=DAY)
    new = AnswerFactory(run__brand=cast.brand, run__created_at=DAY + timedelta(days=1), prompt=old.prompt)
    assert list(browser.open(ANSWERS).context["cl"].result_list) == [new, old]


def test_an_action_for_too_many_rows_is_refused_whole(browser, cast, monkeypatch):
    monkeypatch.setattr(base, "MAX_AT_ONCE", 2)
    prompts = [PromptFactory(brand=cast.brand) for _ in range(3)]
    chosen = {"action": "archive", "_selected_action": [str(prompt.pk) for prompt in prompts]}
    page = browser.client.get("/admin/visibility/prompt/")
    token = page.context["csrf_token"]
    address = "/admin/visibility/prompt/"
    answer = browser.client.post(address, chosen | {"csrfmiddlewaretoken": str(token)}, follow=True)
    assert "more than 2 rows" in text_of(answer) and Prompt.objects.active().count() == 3
    chosen["_selected_action"].pop()
    answer = browser.client.post(address, chosen | {"csrfmiddlewaretoken": str(token)}, follow=True)
    assert "Archive: done for 2 of 2 chosen." in text_of(answer) and Prompt.objects.active().count() == 1


def test_engines_show_their_last_error_in_one_statement(browser, cast):
    prompt = PromptFactory(brand=cast.brand)
    for number in range(5):
        EngineConfig.objects.create(name=f"chat-{number}", provider="openai", model="m")
        for days in (0, 1):
            AnswerFactory(
                run=RunFactory(brand=cast.brand, failed=1, created_at=datetime.now(UTC) - timedelta(days=days)),
                prompt=prompt, engine=f"chat-{number}", state=Answer.State.FAILED, error_code=f"code-{number}-{days}",
            )  # fmt: skip
    with CaptureQueriesContext(connection) as queries:
        said = text_of(browser.open("/admin/visibility/engineconfig/"))
    assert all(f"code-{number}-0" in said and f"code-{number}-1" not in said for number in range(5))
    assert len([query for query in queries if "visibility_answer" in query["sql"]]) == 1


def test_an_error_of_long_ago_and_an_empty_import_are_no_error_of_the_engine(browser, cast):
    EngineConfig.objects.create(name="chat", provider="openai", model="m")
    now = datetime.now(UTC)
    failed = {"engine": "chat", "state": Answer.State.FAILED, "error_code": "old"}
    AnswerFactory(run=RunFactory(brand=cast.brand, failed=1, created_at=now - timedelta(days=40)), **failed)
    imported = RunFactory(brand=cast.brand, failed=1, trigger=Run.Trigger.IMPORT, created_at=now)
    AnswerFactory(run=imported, **failed)
    assert "none within 30 days" in text_of(browser.open("/admin/visibility/engineconfig/"))
    assert "Engine chat" not in text_of(browser.open("/admin/"))


def test_statements_of_the_status_do_not_grow_with_engines_and_runs(browser, cast):
    def statements():
        with CaptureQueriesContext(connection) as queries:
            browser.open("/admin/")
        return len(queries)

    few = statements()
    prompt = PromptFactory(brand=cast.brand)
    for number in range(12):
        run = RunFactory(brand=cast.brand, failed=1, created_at=datetime.now(UTC))
        AnswerFactory(run=run, prompt=prompt, engine=f"engine-{number}", state=Answer.State.FAILED)
    assert statements() == few <= 16

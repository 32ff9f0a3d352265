"""Asking engines: what is stored and paid, whatever the provider does. In a database of its own, as threads ask."""

import asyncio
import threading
from decimal import Decimal

import pytest
from django.utils import timezone

from apikeys.accounts.usage import quotas
from apikeys.models import Usage
from brands.brands import update_brand
from tests.engines.provider import INPUT_TOKENS, OUTPUT_TOKENS, running_provider
from tests.live import DIRECT, own_database, wait_for
from tests.runs.conftest import SYSTEM, add_page, make_brand, make_engine
from visibility import jobs
from visibility.answers.detect import Reader
from visibility.engines import Bill, EngineError, Reply, Source
from visibility.models import Answer, Cell, DailyScore, Engine, ProviderCall, RawBody, Run
from visibility.prompts.services import PromptDraft, add_prompts
from visibility.runs import ask as asking
from visibility.runs import book, store
from visibility.runs.engines import reach
from visibility.runs.services import cancel_run, start_scan

PRICES = {"input_price": 2, "output_price": 10, "search_price": 10}
COST = Decimal(INPUT_TOKENS * 2 + OUTPUT_TOKENS * 10) / 1_000_000 + Decimal(10) / 1000


@pytest.fixture(scope="module", autouse=True)
def database(django_db_blocker):
    with django_db_blocker.unblock(), own_database() as url:
        yield url


@pytest.fixture(autouse=True)
def no_engines():
    """Only the engines of the test, and no pause between two tries."""
    Engine.objects.exclude(name="local-search").update(is_enabled=False)


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(store, "uniform", lambda low, high: 0.0)


_numbers = iter(range(10_000))


def engine_at(address, script="", **fields):
    """An engine with an account at the provider of its own, whose model carries the script."""
    number = next(_numbers)
    return make_engine(f"engine-{number}", f"model-{number}?{script}", f"{address}/{number}", **fields)


def begin(brand) -> Run:
    return start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.WEB).run


def ask(run) -> Run:
    """Ask and measure the run as its jobs do."""
    asyncio.run(jobs.ask.func(str(run.pk)))
    jobs.measure.func(str(run.pk))
    run.refresh_from_db()
    return run


def outcomes(run) -> dict[str, int]:
    found = ProviderCall.objects.filter(run=run.pk).values_list("outcome", flat=True)
    return {outcome: list(found).count(outcome) for outcome in set(found)}


def used_credits(brand) -> int:
    return quotas(brand.owner)[Usage.Kind.CREDITS].used


def test_a_scan_is_asked_stored_paid_and_measured(provider):
    brand = make_brand(prompts=3, samples=2)
    engine_at(provider, **PRICES)
    run = ask(begin(brand))
    assert (run.status, run.done, run.failed, run.error_message) == ("succeeded", 6, 0, "")
    assert (run.credits_spent, used_credits(brand)) == (6, 6)
    calls = ProviderCall.objects.filter(run=run.pk)
    assert outcomes(run) == {"answered": 6} and {call.cost for call in calls} == {COST}
    answer = run.answers.first()
    assert "Acme" in answer.text and answer.sources[0]["url"].startswith("https://example.com/guide")
    assert (answer.country, answer.searches) == ("US", [answer.version.text])
    assert RawBody.objects.filter(answer__run=run).count() == 6
    assert run.score == 100.0 and DailyScore.objects.of_brand(brand).get(date=run.day).score == 100.0
    assert run.engines.get().served_models == [answer.served_model] and run.engines.get().done == 6


def test_answers_are_stored_while_a_booking_waits(provider, monkeypatch):
    brand = make_brand(prompts=2, samples=1)
    engine_at(provider, "latency=1", concurrency=2)  # longer than until the next booking
    run = begin(brand)
    bookings = iter(range(100))

    def book_slowly(run_id, reached):
        if next(bookings) == 1:
            wait_for(lambda: outcomes(run) == {"answered": 2})
        return book.book(run_id, reached)

    monkeypatch.setattr(asking, "book", book_slowly)
    assert ask(run).done == 2


def test_an_answer_is_asked_for_the_country_of_its_prompt_or_else_of_its_brand(provider):
    brand = make_brand(prompts=1, samples=1, region="CH")
    drafts = [PromptDraft("Welche Uhr?", locale="de-AT"), PromptDraft("Quelle montre ?", locale="fr")]
    drafts.append(PromptDraft("Which watch?", locale="und-US"))
    add_prompts(SYSTEM, brand_id=brand.pk, drafts=drafts)
    engine_at(provider)
    run = ask(begin(brand))
    found = {locale: place for locale, *place in run.answers.values_list("version__locale", "market", "country")}
    assert found == {
        "": ["und-CH", "CH"],
        "de-AT": ["de-AT", "AT"],
        "fr": ["fr-CH", "CH"],
        "und-US": ["und-US", "US"],
    }
    assert run.engines.get().countries == [], "only what nobody asked for"


def test_a_scan_that_the_release_before_planned_is_asked_for_the_same_countries(provider):
    brand = make_brand(prompts=1, samples=1, region="CH")
    add_prompts(SYSTEM, brand_id=brand.pk, drafts=[PromptDraft("Welche Uhr?", locale="de-AT")])
    engine_at(provider)
    run = begin(brand)
    run.answers.update(market="")
    ask(run)
    assert set(run.answers.values_list("market", "country")) == {("und-CH", "CH"), ("de-AT", "AT")}


FAULTS = {
    "a refusal for its pace is asked again": ("nth_429=1&retry_after=0.1", "succeeded", {"failed": 1, "answered": 4}),
    "a failure is asked again": ("nth_500=2", "succeeded", {"failed": 1, "answered": 4}),
    "a cut answer is paid and asked again": ("nth_cut=1", "succeeded", {"charged": 1, "answered": 4}),
    "what is cut twice is given up": ("nth_cut=1-", "failed", {"charged": 8}),
    "what fails five times is given up": ("nth_500=4-", "partial", {"answered": 3, "failed": 5}),
    "a refused key ends the engine": ("key=other", "failed", {"failed": 4}),
    "a spent quota ends the engine": ("nth_quota=3-", "partial", {"answered": 2, "failed": 1}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_after_a_fault(fault, provider, monkeypatch):
    monkeypatch.setattr(store, "FAILURES_THAT_OPEN", 100)
    script, status, expected = FAULTS[fault]
    brand = make_brand(prompts=4, samples=1)
    engine_at(provider, script, concurrency=1 if "4-" in script or "quota" in script else 4)
    run = ask(begin(brand))
    assert (run.status, outcomes(run)) == (status, expected)
    assert run.done == expected.get("answered", 0) == run.credits_spent == used_credits(brand)
    assert run.done + run.failed == 4 == run.answers.exclude(state=Answer.State.PENDING).count()
    if run.failed:
        assert run.error_code and str(run.failed) in run.error_message


def test_an_engine_that_is_down_holds_up_no_other(provider, monkeypatch):
    monkeypatch.setattr(book, "PATIENCE", timezone.timedelta(seconds=1))
    brand = make_brand(prompts=3, samples=1)
    engine_at("http://127.0.0.1:9"), engine_at(provider)
    run = ask(begin(brand))
    assert (run.status, run.done, run.failed, run.error_code) == ("partial", 3, 3, "engine_down")
    assert run.score == 100.0  # of the engine that counts
    assert ProviderCall.objects.filter(run=run.pk, outcome="failed", cost=None).count() >= 3


def test_an_engine_is_tried_again_by_the_next_scan(provider, monkeypatch):
    monkeypatch.setattr(store, "FAILURES_THAT_OPEN", 100)
    brand = make_brand(prompts=1, samples=1)
    engine_at(provider, "nth_500=1-5")
    assert ask(begin(brand)).status == "failed"
    Run.objects.filter(brand=brand).update(created_at=timezone.now() - timezone.timedelta(hours=2))
    assert ask(begin(brand)).status == "succeeded"


def test_a_cancelled_scan_keeps_and_pays_what_came(provider):
    brand = make_brand(prompts=10, samples=1)
    engine_at(provider, "latency=0.5", concurrency=2)
    run = begin(brand)
    asking = threading.Thread(target=lambda: asyncio.run(jobs.ask.func(str(run.pk))))
    asking.start()
    wait_for(lambda: run.answers.filter(state="answered").exists())
    wait_for(lambda: ProviderCall.objects.filter(run=run.pk, outcome="pending").exists())
    cancel_run(SYSTEM, brand_id=brand.pk, run_id=run.pk)
    asking.join()
    run.refresh_from_db()
    answered = run.answers.filter(state="answered").count()
    assert run.status == "cancelled" and 2 <= answered <= 6 and outcomes(run) == {"answered": answered}
    assert run.credits_spent == run.done == answered == used_credits(brand)
    assert run.done + run.failed == run.total and run.settled_at
    jobs.measure.func(str(run.pk))
    update_brand(SYSTEM, brand_id=brand.pk, description="Shoes.")
    jobs.recount.func(str(brand.pk))
    assert not Cell.objects.filter(run=run).exists()  # whatever is counted again


def test_a_deactivated_owner_ends_what_runs(provider):
    brand = make_brand(prompts=2, samples=1)
    engine_at(provider)
    run = begin(brand)
    brand.owner.is_active = False
    brand.owner.save()
    jobs.cancel_ownerless_runs()
    run = ask(run)
    assert (run.status, run.done, run.credits_spent, used_credits(brand)) == ("cancelled", 0, 0, 0)
    assert not ProviderCall.objects.filter(run=run.pk).exists()


def test_no_engine_is_asked_more_at_once_than_it_allows():
    with running_provider("latency=0.05") as address:
        engine_at(address, concurrency=3)
        runs = [begin(make_brand(prompts=10, samples=1)) for _ in range(3)]

        async def ask_all() -> None:
            await asyncio.gather(*(jobs.ask.func(str(run.pk)) for run in runs))

        asyncio.run(ask_all())
        counts = DIRECT.open(f"{address}/counts").read().decode()
    assert '"most_open": 3' in counts and '"answered": 30' in counts


@pytest.mark.parametrize("cap", ["run", "day", "account"])
def test_no_number_of_callers_passes_a_cap_on_money(cap, provider, settings):
    brand = make_brand(prompts=10, samples=1)
    engine_at(provider, "latency=0.02", **PRICES)
    if cap == "run":
        settings.RUN_SPEND_LIMIT = 4 * COST
    elif cap == "day":
        today = sum(call.cost or 0 for call in ProviderCall.objects.all())
        settings.DAY_SPEND_LIMIT = today + 4 * COST
    else:
        brand.owner.own_provider_cost_per_day = Decimal("0.06")  # four of 0.014, and a rest
        brand.owner.save()
    run = ask(begin(brand))
    assert (run.done, run.failed, run.error_code) == (4, 6, "spend_limit")
    assert "answers failed" in run.error_message and used_credits(brand) == 4


def test_an_engine_whose_price_nobody_knows_is_not_asked_under_a_cap(provider, settings):
    settings.RUN_SPEND_LIMIT = Decimal(1)
    brand = make_brand(prompts=4, samples=1)
    engine_at(provider)
    run = ask(begin(brand))
    assert (run.done, run.error_code) == (1, "unknown_price")


def test_stored_pages_answer_without_a_key_or_cost():
    brand = make_brand(prompts=2, samples=1)
    add_page(brand)
    run = ask(begin(brand))
    assert run.status == "succeeded" and run.answers.first().surface == "pages"
    assert "Acme is the best" in run.answers.first().text
    assert {call.cost for call in ProviderCall.objects.filter(run=run.pk)} == {0}


def test_a_result_counts_once_whoever_stores_it_and_however_late(provider):
    brand = make_brand(prompts=1, samples=1)
    reached = reach(engine_at(provider))
    run = begin(brand)
    first = book.book(run.pk, reached).calls[0]
    book.adopt(run.pk)  # its asker is taken for dead
    second = book.book(run.pk, reached).calls[0]
    assert outcomes(run) == {"unknown": 1, "pending": 1}
    late = store.Result(first, Reply("Acme.", bill=Bill(Decimal(1), "reported")), 100)
    other = store.Result(second, Reply("Globex.", bill=Bill(Decimal(2), "reported")), 100)
    for results in ([late], [late], [other], [other]):
        store.store(run.pk, reached, results)
    run.refresh_from_db()
    assert (run.done, run.answers.get().text) == (1, "Acme.")
    assert outcomes(run) == {"answered": 2}  # both were made, and both are paid
    assert sum(call.cost for call in ProviderCall.objects.filter(run=run.pk)) == 3


def test_an_answer_that_no_database_can_hold_is_stored_all_the_same(provider):
    brand = make_brand(prompts=1, samples=1)
    reached = reach(engine_at(provider))
    run = begin(brand)
    call = book.book(run.pk, reached).calls[0]
    text = "Acme\x00 \ud800 lasts."
    reply = Reply(
        text, served_model="m" * 500, country="USA", searches=["\x00"], unknown_parts=["\ud800"], raw=b"\x00"
    )
    store.store(run.pk, reached, [store.Result(call, reply, 1)])
    assert run.answers.get().state == "answered" and run.answers.get().text.startswith("Acme")


def test_an_answer_that_was_not_shown_is_done_paid_and_never_asked_again(provider):
    brand = make_brand(prompts=2, samples=1)
    reached = reach(engine_at(provider))
    run = begin(brand)
    calls = book.book(run.pk, reached).calls
    replies = [Reply("", absent=True, bill=Bill(Decimal(1), "reported")), Reply("Acme.")]
    store.store(run.pk, reached, [store.Result(*each, 1) for each in zip(calls, replies, strict=True)])
    assert not book.book(run.pk, reached).calls
    jobs.measure.func(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.done, run.failed) == ("succeeded", 2, 0)
    assert sorted(run.answers.values_list("state", flat=True)) == ["absent", "answered"]
    assert outcomes(run) == {"answered": 2} and used_credits(brand) == 2
    assert Cell.objects.filter(run=run, competitor=None).order_by("version").values_list("absent", "failed")[0] == (
        1,
        0,
    )


def test_a_citation_is_of_the_site_that_the_engine_names_behind_a_redirect(provider):
    brand = make_brand(prompts=1, samples=1)
    reached = reach(engine_at(provider))
    run = begin(brand)
    call = book.book(run.pk, reached).calls[0]
    redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/A"
    source = Source(redirect, "The best shoes", domain="rei.com")
    store.store(run.pk, reached, [store.Result(call, Reply("It is so.", sources=[source]), 1)])
    found = Reader(brand).read(run.answers.select_related("version").get())
    [(url, domain, title, *_)] = found.citations
    assert (url, domain, title) == (redirect, "rei.com", "The best shoes")


def test_an_error_of_ours_fails_one_answer_and_no_other(provider, monkeypatch):
    brand = make_brand(prompts=3, samples=1)
    reached = reach(engine_at(provider))
    run = begin(brand)
    calls = book.book(run.pk, reached).calls
    error = EngineError("invalid_request", "The question is too long.", can_retry=False)
    store.store(run.pk, reached, [store.Result(calls[0], error, 1), store.Result(calls[1], Reply("Acme."), 1)])
    states = list(run.answers.order_by("position").values_list("state", flat=True))
    assert states == ["failed", "answered", "pending"]

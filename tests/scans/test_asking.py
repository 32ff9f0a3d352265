"""Asking engines: concurrency, retries, failures, and what is stored of them."""

import asyncio
from collections import Counter

import pytest

from tests.factories import PromptFactory
from tests.scans.asked import ask, codes, questions
from tests.scans.engines import Failing, Hostile, Steady
from visibility.engines.protocol import EngineAnswer, EngineError
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import LeaseLost, LeaseState, claim
from visibility.models import Answer, ProviderCall, RawBody, Run
from visibility.pipeline.ask import account, agenda, asker, calling
from visibility.pipeline.ask.items import pending_by_engine
from visibility.pipeline.ask.storing import store_answers
from visibility.pipeline.ask.terms import terms_of
from visibility.services.scans.starting import start_scan

WORKER = "worker-1"


@pytest.fixture
def run(cast, owner, engines):
    """A claimed run of the failing engine: one prompt for each way to fail, and a good one."""

    def make(name, *texts):
        for text in texts:
            PromptFactory(brand=cast.brand, text=text)
        engines(name)
        run = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run
        return claim(RUN, run.pk, WORKER)

    return make


class Counting(Steady):
    name = "counting"
    concurrency = 3

    def __init__(self):
        self.now = self.most = 0

    async def ask(self, question):
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        return EngineAnswer(text=question.text)


def test_each_engine_is_asked_within_its_concurrency_and_all_side_by_side():
    first, second = Counting(), Counting()
    second.name = "second"
    texts = [str(number) for number in range(20)]
    stored = ask({**questions("counting", *texts), **questions("second", *texts)}, first, second)
    assert (first.most, second.most) == (3, 3)
    assert len(stored) == 40


class Unready(Counting):
    """Takes a while to be ready, as one does that loads its provider's library; some never are."""

    ready = 0
    broken = False

    async def prepare(self):
        await asyncio.sleep(0.05)
        if self.broken:
            raise LookupError("no such library")
        self.ready += 1

    async def ask(self, question):
        assert self.ready == 1 or self.broken
        return await super().ask(question)


@pytest.mark.parametrize("broken", [False, True])
def test_an_engine_is_ready_before_its_first_question_begins_to_count(broken):
    engine = Unready()
    engine.broken = broken
    stored = ask(questions("counting", "1", "2", "3", "4"), engine)
    assert [isinstance(asked.outcome, EngineAnswer) for asked in stored] == [True] * 4
    assert engine.ready == (not broken)


def test_answers_are_stored_while_others_are_on_their_way():
    batches = []
    ask(questions("counting", *map(str, range(30))), Counting(), store=lambda batch: batches.append(len(batch)))
    assert sum(batches) == 30
    assert len(batches) >= 5


@pytest.mark.parametrize(
    ("kind", "times", "code"),
    [
        ("refused", 1, "forbidden"),
        ("broken", 1, "engine_fault"),
        ("empty", 2, "empty_answer"),
        ("flaky", 2, None),
    ],
)
def test_only_what_can_help_is_asked_again(monkeypatch, kind, times, code):
    monkeypatch.setattr(asker, "delay", lambda error, attempt: 0)
    Failing.asked.clear()
    stored = []
    ask(questions("failing", f"question {kind}"), Failing(), store=stored.extend)
    *before, asked = stored
    assert all(each.again for each in before) and len(before) == asked.attempts - 1
    assert (asked.attempts, Failing.asked[f"question {kind}"]) == (times, times)
    assert getattr(asked.outcome, "code", None) == code


def test_an_engine_that_never_answers_is_given_up(monkeypatch):
    class Stuck(Steady):
        async def ask(self, question):
            await asyncio.sleep(3600)

    monkeypatch.setattr(calling, "ANSWER_SECONDS", 0.01)
    monkeypatch.setattr(asker, "delay", lambda error, attempt: 0)
    [asked] = ask(questions("steady", "q"), Stuck())
    assert (asked.outcome.code, asked.attempts) == ("timeout", 3)


@pytest.mark.parametrize(
    ("error", "attempt", "low", "high"),
    [
        (EngineError("x", "", retryable=True), 1, 1, 1.25),
        (EngineError("x", "", retryable=True), 2, 2, 2.5),
        (EngineError("x", "", retryable=True, retry_after=30), 1, 30, 37.5),
        (EngineError("x", "", retryable=True, retry_after=10**9), 1, 120, 120),
        (EngineError("x", "", retryable=True, retry_after=-5), 1, 0, 0),
    ],
)
def test_the_delay_is_the_engines_wish_within_bounds(error, attempt, low, high):
    assert low <= agenda.delay(error, attempt) <= high


def test_an_engine_that_is_gone_fails_its_answers_only():
    stored = ask({**questions("gone", "a"), **questions("steady", "b")}, Steady())
    assert Counter(getattr(each.outcome, "code", "answered") for each in stored) == {
        "engine_unavailable": 1,
        "answered": 1,
    }


def test_a_lost_lease_ends_the_asking_soon():
    class Endless(Steady):
        async def ask(self, question):
            await asyncio.sleep(30)

    with pytest.raises(LeaseLost):
        ask(questions("steady", "a", "b"), Endless(), lease_state=lambda: LeaseState.LOST)


def test_what_storing_raises_ends_the_asking():
    def broken(batch):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask(questions("counting", *map(str, range(500))), Counting(), store=broken)


def test_outcomes_are_stored_and_counted(run, monkeypatch):
    monkeypatch.setattr(asker, "delay", lambda error, attempt: 0)
    Failing.asked.clear()
    run = run("Failing", "a refused", "b broken", "c empty", "d flaky", "e good")
    ask(pending_by_engine(run), Failing(), store=lambda batch: store_answers(run.pk, WORKER, batch))
    run.refresh_from_db()
    assert (run.done, run.failed, run.attempt) == (2, 3, 1)
    rows = {row.version.text: row for row in Answer.objects.select_related("version")}
    assert {text: row.error_code for text, row in rows.items()} == {
        "a refused": "forbidden",
        "b broken": "engine_fault",
        "c empty": "empty_answer",
        "d flaky": "",
        "e good": "",
    }
    assert rows["d flaky"].attempts == 2
    assert rows["a refused"].error_message == "The key is not accepted."
    assert "a bug" not in rows["b broken"].error_message
    assert pending_by_engine(run) == {}


def test_hostile_answers_are_stored_with_their_offsets(run):
    run = run("Hostile", "a question")
    terms = terms_of(run, WORKER, 100)
    ask(pending_by_engine(run), Hostile(), store=lambda batch: store_answers(run.pk, WORKER, batch), terms=terms)
    answer = Answer.objects.get()
    assert answer.text == "NUL \ufffd and \ufffd, then Acme"
    assert answer.sources == [{"url": "https://x.example/\ufffd", "title": "\ufffd", "start": None, "end": None}]
    call = ProviderCall.objects.get()
    assert (call.usage, call.served_model) == ({"tokens": None, "\ufffd": [None]}, "m" * 100)
    assert answer.served_model == "m" * 100
    assert RawBody.objects.get().answer == answer


def test_a_huge_answer_is_cut_and_flagged(run, monkeypatch):
    class Huge(Hostile):
        async def ask(self, question):
            return EngineAnswer(text="x" * 600_000)

    run = run("Hostile", "a question")
    ask(pending_by_engine(run), Huge(), store=lambda batch: store_answers(run.pk, WORKER, batch))
    answer = Answer.objects.get()
    assert (len(answer.text), answer.truncated) == (500_000, True)


def test_an_answer_is_stored_and_counted_once(run):
    run = run("Steady", "a question 2")
    batches = []
    ask(pending_by_engine(run), Steady(), store=batches.append)
    store_answers(run.pk, WORKER, batches[0])
    store_answers(run.pk, WORKER, batches[0])
    run.refresh_from_db()
    assert run.done == 1
    assert RawBody.objects.count() == 1


def test_a_worker_that_lost_the_run_stores_nothing(run):
    run = run("Steady", "a question 2")
    batches = []
    ask(pending_by_engine(run), Steady(), store=batches.append)
    Run.objects.update(worker="worker-2")
    with pytest.raises(LeaseLost):
        store_answers(run.pk, WORKER, batches[0])
    assert Answer.objects.get().state == "pending"
    assert Run.objects.get().done == 0


class Undecided(Steady):
    """Fails, and says to come back at no time that there is."""

    name = "undecided"

    def __init__(self, code):
        self.calls = 0
        self._code = code

    async def ask(self, question):
        self.calls += 1
        raise EngineError(self._code, "Later.", retryable=True, retry_after=float("nan"))


@pytest.mark.parametrize("code", ["server_error", "rate_limited"])
def test_a_delay_that_is_no_number_holds_nobody(code, monkeypatch):
    monkeypatch.setattr(agenda, "MAX_DELAY", 0.01)
    monkeypatch.setattr(account, "MAX_PAUSE", 0.01)
    engine = Undecided(code)
    stored = ask(questions("undecided", "a", "b"), engine)
    assert codes(stored) == [code, code]
    assert engine.calls >= 2 * agenda.STRIKES


@pytest.mark.parametrize("code", ["server_error", "rate_limited"])
def test_nor_keeps_it_a_run_from_being_cancelled(code):
    engine = Undecided(code)
    cancelled = ask(
        questions("undecided", "a", "b"),
        engine,
        lease_state=lambda: LeaseState.CANCELLED if engine.calls else LeaseState.WORKING,
    )
    assert len(cancelled) <= 2

"""Asking within what providers allow: places, pace, refusals, outages, definite errors, caps, a silent cache."""

import asyncio
import gc
import os
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection

from tests.scans.asked import ask, codes, questions
from tests.scans.engines import Steady
from visibility.engines.protocol import EngineAnswer, EngineError
from visibility.jobs.lease import LeaseState
from visibility.pipeline.ask import account, asker, breaker, session, sharing
from visibility.pipeline.ask.ledger import LEASE_SECONDS, WHOLE, Claim, Grant, Ledger
from visibility.pipeline.ask.session import Terms
from visibility.pipeline.provider_calls import Booked

HUNDRED = [str(number) for number in range(100)]


class Scripted(Steady):
    """Answers or fails as `behave` says, which gets the number of the call."""

    name = "scripted"
    concurrency = 10
    seconds = 0.01

    def __init__(self, behave=lambda number: None, **more):
        self.behave = behave
        self.calls, self.now, self.most, self.begun, self.at_once = 0, 0, 0, [], []
        for name, value in more.items():
            setattr(self, name, value)

    async def ask(self, question):
        self.calls += 1
        number = self.calls
        self.begun.append(time.monotonic())
        self.asked_at = time.time()
        self.now += 1
        self.at_once.append(self.now)
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.now -= 1
        error = self.behave(number)
        if error:
            raise error
        return EngineAnswer(text=question.text, cost=Decimal("0.01"))


def refusal(**more):
    return EngineError("rate_limited", "Slow down.", retryable=True, **more)


def outage():
    return EngineError("server_error", "Broken.", retryable=True)


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch):
    monkeypatch.setattr(session, "EXCHANGE_SECONDS", 0.05)
    monkeypatch.setattr(breaker, "FIRST_SECONDS", 0.05)
    monkeypatch.setattr(asker, "delay", lambda error, strikes: 0.01)


class TestAnAccount:
    def test_engines_with_the_same_key_share_their_places(self):
        first, second = Scripted(account="key"), Scripted(account="key", name="second")
        running = Counter()

        async def counted(engine, question):
            running["now"] += 1
            running["most"] = max(running["most"], running["now"])
            await asyncio.sleep(0.01)
            running["now"] -= 1
            return EngineAnswer(text="x")

        for engine in (first, second):
            engine.ask = lambda question, engine=engine: counted(engine, question)
        stored = ask({**questions("scripted", *HUNDRED), **questions("second", *HUNDRED)}, first, second)
        assert len(stored) == 200
        assert running["most"] == 10

    def test_another_run_takes_its_part_and_leaves_it(self):
        """Two runs in threads of their own, as in two workers: together within the concurrency, both get on."""
        both, results = Counter(), {}
        lock = threading.Lock()

        class Watched(Scripted):
            async def ask(self, question):
                with lock:
                    both["now"] += 1
                    both["most"] = max(both["most"], both["now"])
                await asyncio.sleep(0.02)
                with lock:
                    both["now"] -= 1
                return EngineAnswer(text="x")

        def work(member):
            results[member] = ask(questions("scripted", *HUNDRED), Watched(account="key"), terms=Terms(member=member))
            connection.close()

        threads = [threading.Thread(target=work, args=(f"worker-{number}",)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert {member: len(stored) for member, stored in results.items()} == {"worker-0": 100, "worker-1": 100}
        assert both["most"] <= 10
        assert cache.get(f"{sharing.KEY}:key")["members"] == {}, "who has ended holds nothing"

    def test_places_that_may_be_taken_before_the_next_grant_are_held(self):
        mine, part = account.Account(), account.Part(Scripted())
        mine.claim("mine", [], now=0.0)
        mine.take(Grant(places=WHOLE, pace=0.0, pause_until=0.0))
        ledger = Ledger()
        ledger.settle(Claim("another", used=0, wants=WHOLE, place=part.place), now=0.0)
        ledger.members["another"] = (0, WHOLE, 15.0)
        claim = mine.claim("mine", [(part, 100)], now=0.0)
        begun = 0
        while mine.wait(part, 0.0) == 0:
            mine.begin(part, 0.0)
            begun += 1
        assert begun == 10, "while the exchange is under way"
        mine.take(ledger.settle(claim, now=0.0))
        assert mine.wait(part, 0.0) is None
        assert ledger.settle(Claim("another", used=0, wants=WHOLE, place=part.place), now=0.0).places == 0

    def test_the_pace_is_kept(self):
        engine = Scripted(requests_per_minute=600, seconds=0, concurrency=100)
        ask(questions("scripted", *HUNDRED[:40]), engine)
        passed = engine.begun[-1] - engine.begun[0]
        assert passed >= 40 / 10 - 2 - 0.5, "ten a second, with two seconds saved up"

    def test_a_silent_cache_leaves_a_part(self, monkeypatch):
        class Silent:
            def add(self, *args):
                raise ConnectionError

        monkeypatch.setattr(sharing, "cache", Silent())
        engine = Scripted(account="key", concurrency=20)
        assert len(ask(questions("scripted", *HUNDRED), engine)) == 100
        assert engine.most == 20 // sharing.SILENT_PART

    def test_a_cache_that_is_silent_for_a_lease_may_have_given_the_places_away(self, monkeypatch):
        claim = Claim("run", used=WHOLE, wants=WHOLE, place=WHOLE // 20)

        async def places_after(seconds, answers):
            with ThreadPoolExecutor(1) as executor:
                shared = sharing.Shared("account", executor)
                assert (await shared.exchange(claim)).places == WHOLE
                moment = time.monotonic()
                monkeypatch.setattr(sharing.time, "monotonic", lambda: moment + seconds)
                if not answers:
                    monkeypatch.setattr(shared, "_settled", lambda claim: 1 / 0)
                return (await shared.exchange(claim)).places

        assert asyncio.run(places_after(LEASE_SECONDS - 1, answers=False)) == WHOLE
        monkeypatch.undo()
        assert asyncio.run(places_after(LEASE_SECONDS, answers=False)) == WHOLE // sharing.SILENT_PART
        monkeypatch.undo()
        assert asyncio.run(places_after(LEASE_SECONDS, answers=True)) == WHOLE

    def test_runs_leave_no_connection_to_the_cache_behind(self):
        """Each has a thread of its own for it, and Python's collector may not come for long."""

        async def a_run():
            with ThreadPoolExecutor(1) as executor:
                await sharing.Shared("account", executor).exchange(Claim("run", used=0, wants=WHOLE, place=WHOLE))

        def open_files():
            return len(os.listdir("/proc/self/fd"))

        asyncio.run(a_run())
        gc.disable()
        try:
            before = open_files()
            for _ in range(5):
                asyncio.run(a_run())
            assert open_files() == before
        finally:
            gc.enable()

    def test_the_key_is_nowhere_in_the_cache(self):
        """Only the digest that the engine is known by."""
        kept = Ledger()
        kept.settle(Claim("worker", 1, 2, WHOLE // 2), 0.0)
        assert "key" not in repr(kept.as_json())


class TestRefusals:
    def test_all_wait_as_long_as_the_provider_asks_for(self):
        engine = Scripted(lambda number: refusal(retry_after=0.5) if number <= 10 else None, seconds=0.3)
        stored = ask(questions("scripted", *HUNDRED[:30]), engine)
        assert codes(stored) == [None] * 30
        assert engine.calls == 40
        assert engine.begun[10] - engine.begun[9] >= 0.3 + 0.45
        assert max(engine.at_once[:10]) == 10
        assert max(engine.at_once[10:15]) == 5, "five, not ten"
        assert max(engine.at_once[10:20]) <= 6, "one more after a window of answers"

    def test_other_workers_hear_of_it(self):
        engine = Scripted(lambda number: refusal(retry_after=30) if number == 1 else None, account="key")
        key = f"{sharing.KEY}:key"

        def until_it_is_known():
            return LeaseState.STOPPING if cache.get(key, {}).get("pause_until") else LeaseState.WORKING

        ask(questions("scripted", *HUNDRED[:1]), engine, lease_state=until_it_is_known)
        assert cache.get(key)["pause_until"] > engine.asked_at + 25

    def test_a_question_that_is_always_refused_is_given_up(self, monkeypatch):
        monkeypatch.setattr(account, "MAX_PAUSE", 0.01)
        engine = Scripted()

        async def refuse_one(question):
            engine.calls += 1
            if question.text == "7":
                raise refusal()
            return EngineAnswer(text="x")

        engine.ask = refuse_one
        stored = ask(questions("scripted", *HUNDRED[:20]), engine)
        assert Counter(codes(stored)) == {None: 19, "rate_limited": 1}
        assert engine.calls == 19 + 10

    def test_a_provider_that_refuses_for_ever_ends_the_engine(self, monkeypatch):
        monkeypatch.setattr(account, "MAX_PAUSE", 0.05)
        engine = Scripted(lambda number: refusal())
        stored = ask(questions("scripted", *HUNDRED), engine, terms=Terms(patience=0.3))
        assert set(codes(stored)) == {"rate_limited"}
        assert engine.calls < 100
        assert sum("Not asked" in each.outcome.message for each in stored) > 50


class TestOutages:
    def test_questions_wait_until_the_provider_is_back(self):
        back = time.monotonic() + 0.6
        engine = Scripted(lambda number: outage() if time.monotonic() < back else None)
        stored = ask(questions("scripted", *HUNDRED), engine)
        assert codes(stored) == [None] * 100
        assert engine.calls <= 100 + 10 + 10, "while it is down it is tried, not asked"

    def test_one_that_stays_down_ends_the_engine_with_the_reason(self):
        engine = Scripted(lambda number: outage())
        stored = ask(questions("scripted", *HUNDRED), engine, terms=Terms(patience=0.3))
        assert codes(stored) == ["server_error"] * 100
        assert "gave no answer for" in stored[-1].outcome.message
        assert engine.calls < 30

    def test_another_provider_goes_on(self):
        down, up = Scripted(lambda number: outage()), Scripted(name="up")
        stored = ask(
            {**questions("scripted", *HUNDRED), **questions("up", *HUNDRED)}, down, up, terms=Terms(patience=0.3)
        )
        assert Counter(getattr(each.outcome, "code", None) for each in stored) == {"server_error": 100, None: 100}

    def test_calls_that_fail_now_and_then_are_asked_again(self):
        engine = Scripted(lambda number: outage() if number % 5 == 0 else None)
        assert codes(ask(questions("scripted", *HUNDRED), engine)) == [None] * 100


@pytest.mark.parametrize("code", ["auth", "quota_exhausted", "model_not_found"])
def test_a_definite_error_ends_the_engine_at_once_and_no_other(code):
    engine = Scripted(lambda number: EngineError(code, "No.", retryable=False) if number > 20 else None)
    other = Scripted(name="other")
    stored = ask({**questions("scripted", *HUNDRED), **questions("other", *HUNDRED)}, engine, other)
    assert Counter(getattr(each.outcome, "code", None) for each in stored) == {None: 120, code: 80}
    assert engine.calls <= 30
    assert Counter(each.attempts for each in stored)[0] >= 70, "these were not asked"


def test_what_is_refused_is_asked_when_something_settles_and_given_up_when_nothing_can():
    """Ten calls in all may be booked, three at once while none of them is stored."""
    engine, open_calls, booked = Scripted(), set(), []

    def book(bookings):
        accepted = {each.id for each in bookings[: max(min(3 - len(open_calls), 10 - len(booked)), 0)]}
        open_calls.update(accepted)
        booked.extend(accepted)
        return Booked(accepted, "No more.")

    stored = []

    def store(batch):
        stored.extend(batch)
        open_calls.difference_update(each.call for each in batch)

    ask(questions("scripted", *HUNDRED), engine, store=store, terms=Terms(book=book))
    assert Counter(codes(stored)) == {None: 10, "spend_cap": 90}
    assert (engine.calls, engine.most) == (10, 3)
    assert {each.call for each in stored} == {None, *booked}


class TestEnding:
    def test_what_is_under_way_is_waited_for_and_nothing_more_is_asked(self):
        engine = Scripted(seconds=1.0)
        stored = []
        terms = Terms(grace={LeaseState.CANCELLED: 5.0})
        ask(
            questions("scripted", *HUNDRED),
            engine,
            store=stored.extend,
            lease_state=lambda: LeaseState.CANCELLED,
            terms=terms,
        )
        assert len(stored) == engine.calls == 10

    def test_the_grace_ends(self):
        engine = Scripted(seconds=3600.0)
        assert ask(questions("scripted", *HUNDRED), engine, lease_state=lambda: LeaseState.STOPPING) == []
        assert engine.now == 0, "none is waited for"


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestADatabaseThatIsAway:
    def test_answers_wait_for_it(self, monkeypatch):
        monkeypatch.setattr(session, "STORE_AGAIN_SECONDS", 0.05)
        stored, tries = [], []

        def store(batch):
            tries.append(len(batch))
            if len(tries) <= 3:
                raise OperationalError("the connection is closed")
            stored.extend(batch)

        engine = Scripted()
        ask(questions("scripted", *HUNDRED), engine, store=store)
        assert sorted(int(each.outcome.text) for each in stored) == list(range(100))
        assert engine.calls == 100

    def test_but_not_for_ever(self, monkeypatch):
        monkeypatch.setattr(session, "STORE_AGAIN_SECONDS", 0.05)

        def store(batch):
            raise OperationalError("the connection is closed")

        with pytest.raises(OperationalError, match="took nothing"):
            ask(questions("scripted", *HUNDRED), Scripted(), store=store, terms=Terms(storing=0.3))

    def test_it_says_nothing_about_the_run(self):
        asked = []

        def lease_state():
            asked.append(True)
            raise OperationalError("the connection is closed")

        assert len(ask(questions("scripted", *HUNDRED), Scripted(seconds=0.1), lease_state=lease_state)) == 100
        assert asked

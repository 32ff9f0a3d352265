"""The breaker: when it opens, who may try, when it closes."""

from visibility.pipeline.ask.breaker import FAILURES, FIRST_SECONDS, MAX_SECONDS, Breaker


def opened(now=0.0):
    breaker = Breaker()
    for _ in range(FAILURES):
        assert not breaker.is_open
        breaker.fail(now, tried=breaker.begin())
    assert breaker.is_open
    return breaker


def test_single_failures_open_nothing():
    breaker = Breaker()
    for _ in range(3):
        for _ in range(FAILURES - 1):
            breaker.fail(0, tried=breaker.begin())
        breaker.succeed()
    assert breaker.wait(0) == 0


def test_one_call_tries_after_a_while_and_the_others_wait():
    breaker = opened(now=10)
    assert breaker.wait(10) == FIRST_SECONDS
    assert breaker.wait(10 + FIRST_SECONDS) == 0
    assert breaker.begin()
    assert breaker.wait(11 + FIRST_SECONDS) is None


def test_a_try_that_succeeds_closes_it():
    breaker = opened()
    breaker.begin()
    breaker.succeed()
    assert (breaker.wait(0), breaker.is_open, breaker.begin()) == (0, False, False)


def test_tries_that_fail_come_less_and_less_often():
    breaker, now, waits = opened(), 0.0, []
    for _ in range(8):
        waits.append(breaker.wait(now))
        now += waits[-1]
        breaker.fail(now, tried=breaker.begin())
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60]
    assert max(waits) == MAX_SECONDS


def test_calls_from_before_it_opened_prolong_nothing():
    breaker = opened()
    for _ in range(100):
        breaker.fail(1, tried=False)
    assert breaker.wait(FIRST_SECONDS) == 0


def test_a_try_that_is_broken_off_leaves_room_for_another():
    breaker = opened()
    breaker.abandon(tried=breaker.begin())
    assert breaker.wait(FIRST_SECONDS) == 0

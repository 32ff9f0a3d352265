"""How runs divide what a provider allows a key: bookkeeping, on any sequence of claims."""

import math
from collections import defaultdict
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from visibility.pipeline.ask.account import Account, Part
from visibility.pipeline.ask.ledger import BURST_SECONDS, LEASE_SECONDS, PACE_SECONDS, WHOLE, Claim, Ledger

EIGHTH = WHOLE // 8


def claim(member, *, used=0, calls=8, place=EIGHTH, **more):
    return Claim(member, used * place, min((used + calls) * place, WHOLE), place, **more)


def places(ledger, member, now=0.0, **more):
    return ledger.settle(claim(member, **more), now).places // EIGHTH


def test_a_run_that_is_alone_has_all_that_it_wants():
    assert places(Ledger(), "a") == 8
    assert places(Ledger(), "a", calls=3) == 3


def test_a_second_run_gets_what_the_first_gives_back():
    ledger = Ledger()
    assert places(ledger, "a") == 8
    assert places(ledger, "b") == 0
    assert places(ledger, "a", used=8) == 4, "half, as soon as calls have ended"
    assert places(ledger, "b") == 0, "they are still under way"
    assert places(ledger, "a", used=4) == 4
    assert places(ledger, "b") == 4


def test_what_others_do_not_want_is_not_kept_for_them():
    ledger = Ledger()
    assert places(ledger, "b", calls=2) == 2
    assert places(ledger, "a") == 6


def test_what_a_dead_worker_held_is_free_after_its_lease():
    ledger = Ledger()
    places(ledger, "dead", used=8)
    assert places(ledger, "b", now=LEASE_SECONDS - 1) == 0
    assert places(ledger, "b", now=LEASE_SECONDS + 1) == 8


def test_who_leaves_holds_nothing():
    ledger = Ledger()
    places(ledger, "a")
    ledger.settle(Claim("a", used=0, wants=0, place=WHOLE), 0.0)
    assert ledger.members == {}
    assert places(ledger, "b") == 8


def test_engines_with_other_numbers_share_by_parts():
    ledger = Ledger()
    assert ledger.settle(claim("a", calls=4), 0).places == 4 * EIGHTH
    granted = ledger.settle(claim("b", calls=100, place=WHOLE // 50), 0).places
    assert granted // (WHOLE // 50) == 25, "half of its fifty"


def test_the_pace_is_shared_and_does_not_pile_up():
    ledger, step = Ledger(), PACE_SECONDS / 600

    def calls(member, now, wanted=1000):
        return round(ledger.settle(claim(member, pace=wanted * step, step=step), now).pace / step)

    assert calls("a", 1000.0) == int(BURST_SECONDS / step)
    assert calls("b", 1000.0) == 0
    assert calls("a", 1001.0, wanted=4) == 4
    assert calls("b", 1001.0) == int((BURST_SECONDS + 1) / step) - 19 - 4
    assert calls("b", 9999.0) == int(BURST_SECONDS / step)


def test_the_slowest_pace_is_kept_too():
    ledger = Ledger()
    slow = claim("a", pace=PACE_SECONDS, step=PACE_SECONDS)
    grants = [ledger.settle(slow, 1000.0 + second).pace for second in range(300)]
    assert [second for second, grant in enumerate(grants) if grant] == [0, 62, 124, 186, 248]


def test_a_pause_holds_for_all():
    ledger = Ledger()
    ledger.settle(claim("a", pause_until=77.0), 0)
    assert ledger.settle(claim("b"), 1).pause_until == 77.0
    assert ledger.settle(claim("b", pause_until=50.0), 1).pause_until == 77.0


def test_it_is_the_same_after_it_was_kept():
    ledger = Ledger()
    ledger.settle(claim("a", used=2, pace=5.0, step=1.0, pause_until=9.0), 100.0)
    assert Ledger.from_json(ledger.as_json()) == ledger


MEMBERS = st.sampled_from("abcd")
CONCURRENCIES = st.sampled_from([1, 2, 7, 8, 50])


@given(
    st.lists(st.tuples(MEMBERS, st.integers(0, 12), st.integers(0, 20), st.floats(0, 3)), max_size=60),
    CONCURRENCIES,
    st.sampled_from([1, 60, 600, 6000]),
)
def test_never_more_than_the_account_allows(steps, concurrency, rpm):
    """Whoever claims what and when: members within their lease that keep to their grants are within the numbers."""
    ledger, now = Ledger(), 1000.0
    place, step = WHOLE // concurrency, PACE_SECONDS / rpm
    used, granted, lease_end, begun = defaultdict(int), defaultdict(int), defaultdict(float), []
    for member, calls, ended, pause in steps:
        now += pause
        # Calls of a worker that is silent for a lease are no longer the ledger's: they have ended here.
        used = defaultdict(int, {name: number for name, number in used.items() if lease_end[name] > now})
        used[member] = max(used[member] - ended, 0)
        wants = min((used[member] + calls) * place, WHOLE)
        grant = ledger.settle(Claim(member, used[member] * place, wants, place, calls * step, step), now)
        granted[member], lease_end[member] = grant.places // place, now + LEASE_SECONDS
        begins = min(calls, max(granted[member] - used[member], 0), round(grant.pace / step))
        used[member] += begins
        begun += [now] * begins
        held = {name: max(used[name], granted[name]) for name in ledger.members}
        assert sum(held.values()) <= concurrency
        assert sum(used.values()) <= concurrency
    assert all(sum(first <= moment < first + 60 for moment in begun) <= max(rpm, 1) for first in begun)


class Member:
    """A run with its real account, on a clock of its own; knows which of its calls began in an earlier lease."""

    def __init__(self, name, concurrency):
        self.name, self.account, self.part = (
            name,
            Account(),
            Part(SimpleNamespace(concurrency=concurrency, requests_per_minute=0)),
        )
        self.calls, self.strays, self.heard_at = [], [], -math.inf

    def end(self, number):
        for calls in (self.calls, self.strays):
            while calls and number:
                self.account.leave(calls.pop())
                number -= 1

    def settle(self, ledger, wanted, now):
        claim = self.account.claim(self.name, [(self.part, wanted)], now)
        self.account.take(ledger.settle(claim, now))
        self.heard_at = now

    def begin(self, wanted, now):
        while wanted and self.account.wait(self.part, now) == 0:
            assert now < self.heard_at + LEASE_SECONDS, "no call begins after the lease"
            self.calls.append(self.account.begin(self.part, now))
            wanted -= 1

    def look_at_the_clock(self, now):
        if now >= self.heard_at + LEASE_SECONDS:
            self.strays, self.calls = self.strays + self.calls, []


@given(
    st.lists(
        st.tuples(MEMBERS, st.integers(0, 12), st.integers(0, 20), st.floats(0, 20), st.booleans()), max_size=60
    ),
    CONCURRENCIES,
)
def test_whoever_is_silent_for_a_lease_takes_nothing_of_what_was_given_to_others(steps, concurrency):
    """Members may be silent for any time: the calls that they begin are together within the concurrency.

    Calls that were under way when a lease ended are counted by their member alone, until it settles again.
    """
    ledger, now = Ledger(), 1000.0
    members = {name: Member(name, concurrency) for name in "abcd"}
    for name, wanted, ended, silence, settles in steps:
        now += silence
        for member in members.values():
            member.look_at_the_clock(now)
        member = members[name]
        member.end(ended)
        if settles:
            member.settle(ledger, wanted, now)
        member.begin(wanted, now)
        assert sum(len(each.calls) for each in members.values()) <= concurrency


def test_whoever_was_silent_for_a_lease_begins_nothing_until_it_has_settled_again():
    ledger, late, prompt = Ledger(), Member("late", 8), Member("prompt", 8)
    late.settle(ledger, 8, 0.0)
    late.begin(3, LEASE_SECONDS - 0.001)
    late.begin(1, LEASE_SECONDS)
    assert len(late.calls) == 3
    prompt.settle(ledger, 8, LEASE_SECONDS + 1)
    prompt.begin(8, LEASE_SECONDS + 1)
    assert len(prompt.calls) == 8, "its places were given away"
    late.settle(ledger, 8, LEASE_SECONDS + 2)
    late.begin(1, LEASE_SECONDS + 2)
    assert len(late.calls) == 3
    assert ledger.members["late"][0] == 3 * EIGHTH, "those under way are known again"
    prompt.end(8)
    prompt.settle(ledger, 8, LEASE_SECONDS + 3)
    prompt.begin(8, LEASE_SECONDS + 3)
    assert len(prompt.calls) == 4, "half: together with the three of before within the eight"


def test_what_many_runs_could_not_use_in_a_pause_does_not_come_on_top_after_it():
    """Each would else keep the burst that it had saved up, and a minute would hold ten bursts."""
    ledger, step, began = Ledger(), PACE_SECONDS / 60, []
    unspent = dict.fromkeys("abcdefghij", 0.0)
    for second in range(130):
        for member, left in unspent.items():
            asked = claim(member, pace=2 * step, step=step, unspent=left)
            unspent[member] = ledger.settle(asked, 1000.0 + second).pace
            while second >= 60 and unspent[member] >= step:
                unspent[member] -= step
                began.append(second)
    assert max(sum(start <= at < start + 60 for at in began) for start in range(60, 130)) <= 60
    assert len(began) >= 65, "and the pace is used"

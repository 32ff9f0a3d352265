"""How runs divide what a provider allows a key: bookkeeping, on any sequence of claims."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from visibility.scans.asking.ledger import BURST_SECONDS, LEASE_SECONDS, PACE_SECONDS, WHOLE, Claim, Ledger

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


STEPS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 12), st.integers(0, 20), st.floats(0, 3)), max_size=60
)


@given(STEPS, st.sampled_from([1, 2, 7, 8, 50]), st.sampled_from([1, 60, 600, 6000]))
def test_never_more_than_the_account_allows(steps, concurrency, rpm):
    """Whoever claims what and when: runs that keep to their grants are together within the numbers."""
    ledger, now = Ledger(), 1000.0
    place, step = WHOLE // concurrency, PACE_SECONDS / rpm
    used, granted, begun = defaultdict(int), defaultdict(int), []
    for member, calls, ended, pause in steps:
        now += pause
        used[member] = max(used[member] - ended, 0)
        wants = min((used[member] + calls) * place, WHOLE)
        grant = ledger.settle(Claim(member, used[member] * place, wants, place, calls * step, step), now)
        granted[member] = grant.places // place
        begins = min(calls, max(granted[member] - used[member], 0), round(grant.pace / step))
        used[member] += begins
        begun += [now] * begins
        held = {name: max(used[name], granted[name]) for name in ledger.members}
        assert sum(held.values()) <= concurrency
        assert sum(used.values()) <= concurrency
    assert all(sum(first <= each < first + 60 for each in begun) <= max(rpm, 1) for first in begun)


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

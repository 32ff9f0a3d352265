"""What one run may ask of one provider with one key at this moment."""

import asyncio
import math
import random
import time

from visibility.engines.protocol import Engine, EngineError
from visibility.pipeline.ask.breaker import Breaker
from visibility.pipeline.ask.ledger import BURST_SECONDS, LEASE_SECONDS, PACE_SECONDS, WHOLE, Claim, Grant

MAX_PAUSE = 120.0
MAX_GUESS_LENGTH = 60.0
DOWN = frozenset({"server_error", "timeout", "unreachable"})
"""The errors that say that the provider is down, which a refusal to be asked so fast does not."""


class Part:
    """What a call of one engine takes of its account: a place while it is under way, and pace when it begins."""

    def __init__(self, engine: Engine) -> None:
        self.place = WHOLE // engine.concurrency
        self.step = PACE_SECONDS / engine.requests_per_minute if engine.requests_per_minute else 0.0


class Call:
    """One call under way."""

    __slots__ = ("began", "part", "tries")

    def __init__(self, part: Part, began: float, tries: bool) -> None:
        self.part = part
        self.began = began
        self.tries = tries


class Account:
    """Places, pace, pauses and the breaker. For one event loop; times are those of the monotonic clock.

    A grant ends LEASE_SECONDS after its claim was made: whoever was silent for so long is taken for dead, and its
    places may be another's by now. No call begins then until the next grant, and only calls under way are claimed.

    `troubled_since` is when the provider began to answer nothing, `latest_error` what it said last; `urgent` is set
    when others are to hear of a pause.
    """

    def __init__(self) -> None:
        self.breaker = Breaker()
        self.urgent = asyncio.Event()
        self.latest_error: EngineError | None = None
        self.troubled_since: float | None = None
        self._granted = 0
        self._grant_ends = -math.inf
        self._claimed_at = -math.inf
        self._window = WHOLE
        self._used = 0
        self._pace = 0.0
        self._pause_until = 0.0
        self._paused_at = -math.inf
        self._refusals = 0

    def wait(self, part: Part, now: float) -> float | None:
        """Seconds until a call may begin, 0 for now; None: not before something changes."""
        if now >= self._grant_ends:
            return None
        if self._used + part.place > min(self._granted, max(self._window, part.place)) or self._pace < part.step:
            return None
        tried = self.breaker.wait(now)
        return None if tried is None else max(tried, self._pause_until - now, 0.0)

    def begin(self, part: Part, now: float) -> Call:
        """Begin a call that need not wait."""
        self._used += part.place
        self._pace -= part.step
        return Call(part, now, self.breaker.begin())

    def end(self, call: Call, error: EngineError | None, now: float) -> None:
        """The call came back with an answer, or with an error."""
        if error is None:
            self._open_window(call.part)
            self.troubled_since = None
            self._refusals = 0
        self.latest_error = error or self.latest_error
        if error is not None and error.code in DOWN:
            self.breaker.fail(now, tried=call.tries)
            if self.breaker.is_open:
                self._trouble(now)
            return
        self.breaker.succeed()
        if error is not None and error.code == "rate_limited":
            self._trouble(now)
            self._refuse(call, error.retry_after, now)

    def leave(self, call: Call) -> None:
        """Give the call's place back; every call does, however it ended."""
        self._used -= call.part.place
        self.breaker.abandon(tried=call.tries)

    def claim(self, member: str, waiting: list[tuple[Part, int]], now: float) -> Claim:
        """What to ask for, with so many questions waiting for a call of each part; gives the unspent pace back.

        Until the grant is there calls still begin within the last one, unless it has ended: all that they could use
        counts as used.
        """
        self._claimed_at = now
        if now >= self._grant_ends:
            self._granted = 0
        parts = [(part, count) for part, count in waiting if count]
        wants = min(self._used + sum(part.place * count for part, count in parts), WHOLE)
        step = max((part.step for part, _ in parts), default=0.0)
        demand = sum(min(part.step * count, max(BURST_SECONDS, part.step)) for part, count in parts)
        unspent, self._pace = self._pace, 0.0
        return Claim(
            member=member,
            used=max(self._used, min(self._granted, wants)),
            wants=wants,
            place=max((part.place for part, _ in waiting), default=WHOLE),
            pace=math.ceil(demand / step - 1e-6) * step if step and demand > 0 else 0.0,
            step=step,
            pause_until=_to_wall(self._pause_until),
            unspent=unspent,
        )

    def take(self, grant: Grant) -> None:
        """Use what was granted for the latest claim, until the next grant or the end of the lease."""
        self._granted = grant.places
        # Counted from the claim: the ledger heard of it later, so its lease ends no earlier.
        self._grant_ends = self._claimed_at + LEASE_SECONDS
        self._pace += grant.pace
        self._pause_until = max(self._pause_until, _from_wall(grant.pause_until))

    def _refuse(self, call: Call, hint: float | None, now: float) -> None:
        """Pause as the provider asks for, else for longer each time, and go on with half as many calls at once.

        Calls that began before the last refusal belong to the same wave.
        """
        if call.began >= self._paused_at:
            self._refusals += 1
            self._paused_at = now
            self._window = max(min(self._window, self._used) // 2, call.part.place)
        guess = min(2.0 ** (self._refusals - 1), MAX_GUESS_LENGTH)
        # Spread, so that workers do not come back as one wave.
        seconds = min((guess if hint is None else hint) * random.uniform(1.0, 1.25), MAX_PAUSE)  # noqa: S311
        self._pause_until = max(self._pause_until, now + seconds)
        self.urgent.set()

    def _open_window(self, part: Part) -> None:
        """One call more at once for each window of answers, up to what is granted."""
        self._window = min(self._window + part.place * part.place // max(self._window, 1), WHOLE)

    def _trouble(self, now: float) -> None:
        if self.troubled_since is None:
            self.troubled_since = now


def _to_wall(moment: float) -> float:
    """Workers share moments by the clock on the wall, which they have in common."""
    return moment and time.time() + moment - time.monotonic()


def _from_wall(moment: float) -> float:
    return moment and time.monotonic() + moment - time.time()

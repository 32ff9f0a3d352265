"""How runs that ask through the same provider and key divide what it allows: pure bookkeeping, no clock, no cache.

Every call takes a part of the account: one of `concurrency` places while it is under way, and one of
`requests_per_minute` when it begins. Parts are what they are of the calling engine's own numbers, so that each
engine stays within its numbers, and engines with different ones share.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WHOLE = 1_000_000
"""All places of an account. A call of an engine with a concurrency of c takes WHOLE // c."""
BURST_SECONDS = 2.0
"""How much of the pace can be saved up."""
PACE_SECONDS = 60.0 + BURST_SECONDS
"""A call of an engine with r requests a minute takes PACE_SECONDS / r: with a burst no minute holds more than r."""
LEASE_SECONDS = 15.0
"""A run that was not heard of for so long holds nothing any more: its worker is dead, or must hold itself for it.
Calls that it began before count again once it settles again."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a run has and wants of an account.

    Places in parts of WHOLE: `used` by calls under way and those that may begin before the grant, `wants` with all
    that could begin, `place` of the largest call. Pace in seconds: `pace` wanted, `unspent` given back of what was
    granted before, `step` of the largest call. `pause_until`: when the provider that refused to be asked so fast may
    be asked again.
    """

    member: str
    used: int
    wants: int
    place: int
    pace: float = 0.0
    step: float = 0.0
    pause_until: float = 0.0
    unspent: float = 0.0


@dataclass(frozen=True, slots=True)
class Grant:
    """What the run may use until it asks again: places in all, further pace, and nothing before `pause_until`.

    `members` is how many runs ask through the account.
    """

    places: int
    pace: float
    pause_until: float
    members: int = 1


@dataclass(slots=True)
class Ledger:
    """The state of an account. `members`: places held, places wanted and the end of the lease, by run.

    `paced_until` is the time up to which the pace has been given away.
    """

    members: dict[str, tuple[int, int, float]] = field(default_factory=dict)
    paced_until: float = 0.0
    pause_until: float = 0.0

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> "Ledger":
        """From the form that `as_json` gives."""
        members = {name: (parts, wants, end) for name, (parts, wants, end) in state["members"].items()}
        return cls(members, state["paced_until"], state["pause_until"])

    def as_json(self) -> dict[str, Any]:
        """The form that is kept in the cache."""
        return {"members": self.members, "paced_until": self.paced_until, "pause_until": self.pause_until}

    def settle(self, claim: Claim, now: float) -> Grant:
        """Give the claim what is free of the account, at most a fair part while others have less than theirs."""
        self.members = {name: row for name, row in self.members.items() if row[2] > now and name != claim.member}
        places = self._places(claim)
        if claim.used or claim.wants:
            self.members[claim.member] = (max(places, claim.used), claim.wants, now + LEASE_SECONDS)
        self.pause_until = max(self.pause_until, claim.pause_until)
        return Grant(places, self._pace(claim, now), self.pause_until, len(self.members))

    def _places(self, claim: Claim) -> int:
        free = max(WHOLE - sum(parts for parts, _, _ in self.members.values()), 0)
        fair = WHOLE // (len(self.members) + 1)
        places = min(claim.wants, free)
        if any(parts < min(wants, fair) for parts, wants, _ in self.members.values()):
            places = min(places, max(fair, claim.place))
        # Parts that no call fits into would lie idle here.
        return places - places % claim.place

    def _pace(self, claim: Claim, now: float) -> float:
        # Given back at each exchange, so that all runs together save up one burst, and not one each.
        self.paced_until -= claim.unspent
        if not claim.pace:
            return 0.0
        self.paced_until = max(self.paced_until, now - max(BURST_SECONDS, claim.step))
        # The millionth of a step is what floats lose.
        steps = math.floor(min(now - self.paced_until, claim.pace) / claim.step + 1e-6)
        granted = max(steps, 0) * claim.step
        self.paced_until += granted
        return granted

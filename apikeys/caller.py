"""Who is calling: built once per call, handed to every service as its first argument."""

from dataclasses import dataclass, field
from typing import Literal

from apikeys.errors import insufficient_scope
from apikeys.models import ApiKey, Plan, User
from apikeys.scopes import ALL_SCOPES, Scope

Reach = Literal["own", "all"]
Action = Literal["view", "change"]
"""What is to be done with a row: see `restrict` of the models."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller.

    `user` is whose data is seen (None for a system caller without a person behind it); `key` is the API key
    where there is one; `actor` is the name kept in records ("key:…", "user:…", "command:scan").

    With the reach *own* the caller sees what `user` owns or collaborates on, whatever flags the account has. Only
    `apikeys.operators` makes callers with the reach *all*; one that may not write looks at all and changes nothing.
    """

    actor: str
    user: User | None = None
    key: ApiKey | None = None
    scopes: frozenset[str] = field(default_factory=frozenset)
    reach: Reach = "own"
    may_write: bool = True

    @classmethod
    def from_key(cls, key: ApiKey) -> "Caller":
        """The caller that an active key stands for: its owner, limited to the key's scopes."""
        return cls(actor=f"key:{key.pk}", user=key.owner, key=key, scopes=frozenset(key.scopes))

    @classmethod
    def from_user(cls, user: User) -> "Caller":
        """A signed-in person: every scope, own and shared brands only, also for staff."""
        return cls(actor=f"user:{user.pk}", user=user, scopes=ALL_SCOPES)

    @property
    def is_operator(self) -> bool:
        """Whether the caller acts for the operator of the service: on every account and brand, role or not."""
        return self.reach == "all" and self.may_write

    @property
    def plan(self) -> Plan | None:
        """The plan of the caller's own account: it opens the doors (the brand owner's plan pays)."""
        return self.user.plan if self.user else None

    def require(self, scope: Scope) -> None:
        """Raise insufficient_scope unless the caller carries `scope`."""
        if scope not in self.scopes:
            raise insufficient_scope(scope)

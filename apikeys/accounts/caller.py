"""Who is calling: built once per call, handed to every service as its first argument."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from apikeys.errors import ErrorCode, ServiceError, insufficient_scope
from apikeys.models import ApiKey, Connection, User
from apikeys.scopes import ALL_SCOPES, SHARED_SCOPES, Scope

Action = Literal["view", "change"]
"""What is to be done with a row: see `restrict` of the models."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller. `actor` is the name in records: "key:…", "user:…", "command:scan".

    With the reach *own* the caller sees what `user` owns or collaborates on, whatever flags the account has. Only
    `apikeys.accounts.operators` makes callers with the reach *all*, who see every brand and, if they `may_write`,
    change it.
    Who follows a link has the reach *brand*: sees the brand `brand_id` and changes nothing.
    """

    actor: str
    user: User | None = None
    key: ApiKey | None = None
    connection: Connection | None = None
    scopes: frozenset[str] = frozenset()
    reach: Literal["own", "brand", "all"] = "own"
    may_write: bool = True
    brand_id: UUID | None = None

    @classmethod
    def from_key(cls, key: ApiKey, connection: Connection | None = None) -> "Caller":
        """The caller of a working key: its owner, limited to the key's scopes, and to those of a connection."""
        scopes = frozenset(key.scopes)
        if connection is not None:
            scopes &= frozenset(connection.scopes)
        return cls(actor=f"key:{key.pk}", user=key.owner, key=key, connection=connection, scopes=scopes)

    @classmethod
    def from_user(cls, user: User) -> "Caller":
        """A signed-in person: every scope, own and shared brands only, also for staff."""
        return cls(actor=f"user:{user.pk}", user=user, scopes=ALL_SCOPES)

    @classmethod
    def from_link(cls, link_id: UUID, brand_id: UUID) -> "Caller":
        """Whoever follows a link to the overview of one brand, without an account."""
        actor = f"link:{link_id}"
        return cls(actor=actor, scopes=SHARED_SCOPES, reach="brand", may_write=False, brand_id=brand_id)

    @property
    def is_operator(self) -> bool:
        """Whether the caller acts for the operator of the service: on every account and brand, role or not."""
        return self.reach == "all" and self.may_write

    def require_api_access(self) -> None:
        """Raise tier_disallows_api unless the plan of the caller's own account opens the API and agent doors."""
        if self.user is None or not self.user.has_api_access:
            raise ServiceError(ErrorCode.TIER_DISALLOWS_API)

    @property
    def grantable(self) -> frozenset[str]:
        """The scopes that the person who signed in an app could give it: those of the key; without one, its own."""
        return self.scopes if self.key is None else frozenset(self.key.scopes)

    def require(self, scope: Scope) -> None:
        """Raise insufficient_scope unless the caller carries `scope`."""
        if scope not in self.scopes:
            raise insufficient_scope(scope, scope.help if scope in self.grantable else "")

    def require_operator(self) -> None:
        """Raise not_available unless the caller is an operator: accounts and keys have no self-service."""
        if not self.is_operator:
            raise ServiceError(
                ErrorCode.NOT_AVAILABLE,
                "Accounts, plans and keys are managed by the operator of the service. Ask there.",
            )

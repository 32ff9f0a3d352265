"""Who is calling: built once per call, handed to every service as its first argument."""

from dataclasses import dataclass, field

from apikeys.errors import insufficient_scope
from apikeys.models import ApiKey, Plan, User
from apikeys.scopes import ALL_SCOPES, Scope


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller.

    `user` is whose data is seen (None for a system caller without a person behind it); `key` is the API key
    where there is one; `actor` is the name kept in records ("key:…", "user:…", "command:scan").
    """

    actor: str
    user: User | None = None
    key: ApiKey | None = None
    scopes: frozenset[str] = field(default_factory=frozenset)
    is_system: bool = False

    @classmethod
    def from_key(cls, key: ApiKey) -> "Caller":
        """The caller that an active key stands for: its owner, limited to the key's scopes."""
        return cls(actor=f"key:{key.pk}", user=key.owner, key=key, scopes=frozenset(key.scopes))

    @classmethod
    def from_user(cls, user: User) -> "Caller":
        """A signed-in person: every scope, own and shared brands only, also for staff."""
        return cls(actor=f"user:{user.pk}", user=user, scopes=ALL_SCOPES)

    @classmethod
    def system(cls, actor: str, user: User | None = None) -> "Caller":
        """A command, the scheduler or the admin (then with the operator as `user`): reaches every brand."""
        return cls(actor=actor, user=user, scopes=ALL_SCOPES, is_system=True)

    @property
    def plan(self) -> Plan | None:
        """The plan of the caller's own account: it opens the doors (the brand owner's plan pays)."""
        return self.user.plan if self.user else None

    def require(self, scope: Scope) -> None:
        """Raise insufficient_scope unless the caller carries `scope`."""
        if scope not in self.scopes:
            raise insufficient_scope(scope)

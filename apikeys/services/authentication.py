"""From the key that a call carries to the caller it stands for. Both doors come in here, with one statement."""

from datetime import datetime, timedelta
from typing import Any, cast

from django.db.models import Q, QuerySet
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.instances import columns_of, instances_of
from apikeys.db.prepared import Prepared, Slot
from apikeys.errors import ServiceError, invalid_api_key, missing_bearer_token, tier_disallows_api
from apikeys.keyformat import digest, looks_valid
from apikeys.models import ApiKey, Plan, User

LAST_USED_EVERY = timedelta(minutes=1)
_COLUMNS = (*columns_of(ApiKey), *columns_of(User, "owner__"), *columns_of(Plan, "owner__plan__"))


class RefusedKey(ServiceError):
    """invalid_api_key for a key that is known but works no more: `key` is for the call log only."""

    def __init__(self, key: ApiKey) -> None:
        refusal = invalid_api_key()
        super().__init__(refusal.code, refusal.message)
        self.key = key


def bearer_of(authorization: str | None) -> str | None:
    """The token of an Authorization header with the scheme Bearer (in any case), else None."""
    scheme, _, token = (authorization or "").strip().partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def well_formed(raw_key: str | None) -> str:
    """A token that can be a key; raises missing_bearer_token for None, invalid_api_key for what cannot be one."""
    if raw_key is None:
        raise missing_bearer_token()
    if not looks_valid(raw_key):
        raise invalid_api_key()
    return raw_key


def caller_for(raw_key: str | None) -> Caller:
    """The caller that an active key stands for, with its owner and the owner's plan.

    Raises missing_bearer_token for None; invalid_api_key for a key that matches no active key, as RefusedKey
    where the key is known (revoked, expired, owner inactive). A malformed key costs no query.
    """
    key = _find(digest(well_formed(raw_key)))
    if key is None:
        raise invalid_api_key()
    now = timezone.now()
    if not _works(key, now):
        raise RefusedKey(key)
    _note_use(key, now)
    return Caller.from_key(key)


def known_key(raw_key: str | None) -> ApiKey | None:
    """The key that this is, whether it works or not, for the call log; a malformed key costs no query."""
    return _find(digest(raw_key)) if raw_key is not None and looks_valid(raw_key) else None


def require_api_access(caller: Caller) -> None:
    """Raise tier_disallows_api unless the plan of the caller's own account opens the API and agent doors."""
    if caller.plan is None or not caller.plan.api_access:
        raise tier_disallows_api()


def _by_digest(caller: None, digest: Slot) -> QuerySet[Any, Any]:
    """Keys with their owner and the owner's plan, all columns of the three."""
    return ApiKey.objects.filter(digest=digest).order_by().values_list(*_COLUMNS)


def _find(digest: str) -> ApiKey | None:
    """The key with this digest, its owner and the owner's plan loaded."""
    for row in _KEYS.rows(None, digest=digest):
        key, key.owner, key.owner.plan = instances_of(row, ApiKey, User, Plan)
        return cast(ApiKey, key)
    return None


_KEYS = Prepared(_by_digest)


def _works(key: ApiKey, now: datetime) -> bool:
    """Whether the key works now: not revoked, not expired, its owner active; the call log knows it either way."""
    return key.revoked_at is None and key.owner.is_active and (key.expires_at is None or key.expires_at > now)


def _note_use(key: ApiKey, now: datetime) -> None:
    """Write when the key was last used, at most once a minute however many calls arrive together."""
    before = now - LAST_USED_EVERY
    if key.last_used_at is None or key.last_used_at < before:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=before)
        ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)

"""Issue, revoke and rotate API keys. The raw key leaves these functions once and is stored nowhere."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys import keyformat
from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError, invalid
from apikeys.models import ApiKey, User
from apikeys.scopes import Scope
from apikeys.services.guards import conflict, conflict_if_taken, lock_accounts, require_active, require_operator
from apikeys.text.validation import clean_line

RUN_SCOPES = frozenset({Scope.RUN_VISIBILITY, Scope.RUN_AUDITS})
GRANT_RUN_SCOPES = "apikeys.grant_run_scopes"
MAX_OVERLAP_LENGTH = timedelta(days=30)
OWNER_DEACTIVATED = "The owner's account was deactivated."
ALREADY_ISSUED = "This form has issued its key already. The key was shown once; open a new form for another."
ALREADY_ROTATED = "This key has been rotated already. Rotate the key that replaced it, or issue a new one."


@sensitive_variables("raw")
@transaction.atomic
def issue_key(
    caller: Caller,
    *,
    owner: User,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None = None,
    nonce: UUID | None = None,
) -> tuple[ApiKey, str]:
    """Make a key for `owner` and return it with its raw form, which cannot be had again.

    `nonce` is that of the form that asks: a second call with it is a conflict and makes no key. Raises
    invalid_arguments for an empty name, no or unknown scopes or a past expiry; conflict for a deactivated owner;
    insufficient_scope when the operator may not grant run scopes.
    """
    require_operator(caller)
    granted = _clean_scopes(scopes)
    _require_grantable(caller, granted)
    cleaned_name = clean_line("name", name, longest=100)
    if expires_at is not None and expires_at <= timezone.now():
        raise invalid(
            "expires_at", "The expiry is in the past. Give a later time, or none for a key that does not expire."
        )
    [owner] = lock_accounts(owner)
    require_active(owner)
    if nonce is not None and ApiKey.objects.filter(issue_nonce=nonce).exists():
        raise conflict(ALREADY_ISSUED, argument="nonce")
    key, raw = _mint(caller, owner=owner, name=cleaned_name, scopes=granted, expires_at=expires_at)
    key.issue_nonce = nonce
    with conflict_if_taken(ALREADY_ISSUED, argument="nonce"):
        key.save(force_insert=True)
    return key, raw


@transaction.atomic
def revoke_key(caller: Caller, *, key: ApiKey, reason: str) -> ApiKey:
    """End a key at once and for good; the next call with it is refused. A key that is revoked stays as it is."""
    require_operator(caller)
    cleaned_reason = clean_line("reason", reason, longest=200)
    now = timezone.now()
    ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(
        revoked_at=now, revoked_by=caller.user, revoked_reason=cleaned_reason
    )
    return ApiKey.objects.get(pk=key.pk)


def end_keys(caller: Caller, owner: User) -> Mapping[str, int]:
    """Revoke every key of an account that is held: a part of its deactivation."""
    working = ApiKey.objects.filter(owner=owner, revoked_at=None)
    revoked = working.update(revoked_at=timezone.now(), revoked_by=caller.user, revoked_reason=OWNER_DEACTIVATED)
    return {"keys revoked": revoked}


@sensitive_variables("raw")
@transaction.atomic
def rotate_key(caller: Caller, *, key: ApiKey, overlap: timedelta) -> tuple[ApiKey, str]:
    """Replace a key by a new one with its name, scopes and expiry; the old one works until the `overlap` has passed.

    Returns the new key with its raw form. A key is rotated once: raises conflict for the second time and for a key
    that works no more; invalid_arguments for an overlap that is negative or above 30 days.
    """
    require_operator(caller)
    if not timedelta(0) <= overlap <= MAX_OVERLAP_LENGTH:
        raise invalid("overlap", f"Choose an overlap between 0 and {MAX_OVERLAP_LENGTH.days} days.")
    [owner] = lock_accounts(key.owner)
    require_active(owner)
    old = ApiKey.objects.select_for_update(no_key=True).get(pk=key.pk)
    _require_grantable(caller, old.scopes)
    if old.rotations.exists():
        raise conflict(ALREADY_ROTATED)
    now = timezone.now()
    if old.revoked_at is not None or (old.expires_at is not None and old.expires_at <= now):
        raise conflict("This key no longer works, so it cannot be rotated. Issue a new one.")
    new, raw = _mint(caller, owner=owner, name=old.name, scopes=old.scopes, expires_at=old.expires_at)
    new.rotated_from = old
    with conflict_if_taken(ALREADY_ROTATED):
        new.save(force_insert=True)
    end = now + overlap
    old.expires_at = end if old.expires_at is None else min(old.expires_at, end)
    old.save(update_fields=["expires_at"])
    return new, raw


def keys_of(owner: User) -> list[tuple[ApiKey, str]]:
    """All keys of an account, the newest first, each with its state: "active", "expired" or "revoked"."""
    now = timezone.now()
    return [(key, _state(key, now)) for key in ApiKey.objects.filter(owner=owner)]


def _state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at:
        return "revoked"
    return "expired" if key.expires_at and key.expires_at <= now else "active"


def opens_doors(owner: User) -> bool:
    """Whether the owner's plan includes API access; without it every call of a key is refused."""
    return owner.plan is not None and owner.plan.api_access


@sensitive_variables("raw")
def _mint(
    caller: Caller, *, owner: User, name: str, scopes: list[str], expires_at: datetime | None
) -> tuple[ApiKey, str]:
    raw = keyformat.mint()
    key = ApiKey(
        owner=owner,
        name=name,
        digest=keyformat.digest(raw),
        prefix=keyformat.PREFIX,
        last_four=raw[-4:],
        scopes=scopes,
        created_by=caller.user,
        expires_at=expires_at,
    )
    return key, raw


def _clean_scopes(scopes: Iterable[str]) -> list[str]:
    """The scopes without repeats, in the order in which the service lists them."""
    scope_names = set(scopes)
    unknown = sorted(scope_names - set(Scope))
    if unknown:
        named = ", ".join(f"“{scope}”" for scope in unknown)
        raise invalid("scopes", f"Unknown scopes: {named}. The scopes are: {', '.join(Scope)}.")
    if not scope_names:
        raise invalid("scopes", f"A key needs at least one scope. The scopes are: {', '.join(Scope)}.")
    return [str(scope) for scope in Scope if scope in scope_names]


def _require_grantable(caller: Caller, scopes: Iterable[str]) -> None:
    """An operator may hand out scopes that spend credits only with the permission for it; commands may."""
    spending = [str(scope) for scope in Scope if scope in RUN_SCOPES.intersection(scopes)]
    if spending and caller.user and not caller.user.has_perm(GRANT_RUN_SCOPES):
        raise ServiceError(
            ErrorCode.INSUFFICIENT_SCOPE,
            f"You may not hand out scopes that spend credits ({', '.join(spending)}). Leave them out, or ask for the "
            "permission “Can grant run scopes”.",
            requiredScope=spending[0],
        )

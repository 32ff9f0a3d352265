"""Issue, revoke and rotate API keys. The raw key leaves these functions once and is stored nowhere."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts import keyformat
from apikeys.accounts.caller import Caller
from apikeys.accounts.people import lock_accounts, require_active
from apikeys.errors import ErrorCode, ServiceError, conflict, conflict_if_taken, invalid
from apikeys.models import ApiKey, Connection, User
from apikeys.scopes import RUN_SCOPES, Scope
from apikeys.text import clean_line

GRANT_RUN_SCOPES = "apikeys.grant_run_scopes"
LONGEST_OVERLAP = timedelta(days=30)
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
    may_connect: bool = True,
    form_nonce: UUID | None = None,
) -> tuple[ApiKey, str]:
    """Make a key for `owner` and return it with its raw form, which cannot be had again.

    `form_nonce` is that of the form that asks: a second call with it is a conflict and makes no key. Raises
    invalid_arguments for an empty name, no or unknown scopes or a past expiry; conflict for a deactivated owner;
    insufficient_scope when the operator may not grant run scopes.
    """
    caller.require_operator()
    granted = _clean_scopes(scopes)
    _require_grantable(caller, granted)
    cleaned_name = clean_line("name", name, longest=100)
    if expires_at is not None and expires_at <= timezone.now():
        raise invalid("expires_at", "The expiry is in the past. Give a later time, or none for a lasting key.")
    [owner] = lock_accounts(owner)
    require_active(owner)
    key, raw = _mint(caller, owner=owner, name=cleaned_name, scopes=granted, expires_at=expires_at)
    key.may_connect = may_connect
    key.form_nonce = form_nonce
    with conflict_if_taken(ALREADY_ISSUED, argument="form_nonce"):
        key.save(force_insert=True)
    return key, raw


def revoke_key(caller: Caller, *, key: ApiKey, reason: str) -> ApiKey:
    """End a key at once and for good. A key that is revoked already stays as it is."""
    caller.require_operator()
    cleaned_reason = clean_line("reason", reason, longest=200)
    working = ApiKey.objects.filter(pk=key.pk, revoked_at=None)
    if working.update(revoked_at=timezone.now(), revoked_by=caller.user, revoked_reason=cleaned_reason):
        end_connections(key.connections.all(), "its key was revoked")
    return ApiKey.objects.get(pk=key.pk)


@sensitive_variables("raw")
@transaction.atomic
def rotate_key(caller: Caller, *, key: ApiKey, overlap: timedelta) -> tuple[ApiKey, str]:
    """Replace a key by a new one with its name, scopes, expiry and connections of apps; the old one works until the
    `overlap` has passed.

    A key is rotated once: raises conflict for the second time and for a key that works no more; invalid_arguments
    for an overlap that is negative or above 30 days.
    """
    caller.require_operator()
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise invalid("overlap", f"Choose an overlap between 0 and {LONGEST_OVERLAP.days} days.")
    [owner] = lock_accounts(key.owner)
    require_active(owner)
    old = ApiKey.objects.select_related("owner").select_for_update(of=("self",), no_key=True).get(pk=key.pk)
    _require_grantable(caller, old.scopes)
    if ApiKey.objects.filter(rotated_from=old).exists():
        raise conflict(ALREADY_ROTATED)
    now = timezone.now()
    if old.state_at(now) != "active":
        raise conflict("This key no longer works, so it cannot be rotated. Issue a new one.")
    new, raw = _mint(caller, owner=owner, name=old.name, scopes=old.scopes, expires_at=old.expires_at)
    new.rotated_from, new.may_connect = old, old.may_connect
    new.save(force_insert=True)
    old.connections.filter(ended_at=None).update(key=new)
    end = now + overlap
    old.expires_at = end if old.expires_at is None else min(old.expires_at, end)
    old.save(update_fields=["expires_at"])
    return new, raw


def set_may_connect(caller: Caller, *, key: ApiKey, allowed: bool) -> None:
    """Let the owner of a key let apps use it, or end that for all apps at once, until it is allowed again."""
    caller.require_operator()
    ApiKey.objects.filter(pk=key.pk).update(may_connect=allowed)


def end_connections(rows: QuerySet[Connection], why: str) -> int:
    """End those of these connections that have not ended, at once and for good; how many they were."""
    pks = list(rows.values_list("pk", flat=True))
    return Connection.objects.filter(pk__in=pks, ended_at=None).update(ended_at=timezone.now(), ended_why=why)


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
    wanted = set(scopes)
    unknown = sorted(wanted - set(Scope))
    if unknown or not wanted:
        problem = f"Unknown scopes: {', '.join(unknown)}." if unknown else "A key needs at least one scope."
        raise invalid("scopes", f"{problem} The scopes are: {', '.join(Scope)}.")
    return [scope.value for scope in Scope if scope in wanted]


def _require_grantable(caller: Caller, scopes: Iterable[str]) -> None:
    """An operator may hand out scopes that spend credits only with the permission for it; commands may."""
    spending = sorted(RUN_SCOPES.intersection(scopes))
    if spending and caller.user and not caller.user.has_perm(GRANT_RUN_SCOPES):
        raise ServiceError(
            ErrorCode.INSUFFICIENT_SCOPE,
            f"You may not hand out scopes that spend credits ({', '.join(spending)}). Leave them out, or ask for the "
            "permission “Can grant run scopes”.",
            requiredScope=spending[0],
        )

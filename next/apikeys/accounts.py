"""The operator's acts on accounts and plans. Accounts are deactivated, not deleted: what they did stays on record."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, Permission
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import models, transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.caller import Caller
from apikeys.errors import conflict, conflict_if_taken, invalid
from apikeys.models import ApiKey, Plan, User
from apikeys.text import clean_line

DEACTIVATED = "The owner's account was deactivated."


def lock_accounts(*users: User) -> list[User]:
    """Hold the rows of `users` until the transaction ends and return them afresh, with plans, in the order given.

    Whatever is counted per account is counted under this lock. Rows are locked in the order of their ids, so that
    two callers never wait for each other.
    """
    rows = User.objects.select_related("plan").select_for_update(of=("self",), no_key=True).order_by("pk")
    locked = {user.pk: user for user in rows.filter(pk__in=[user.pk for user in users])}
    if missing := [user for user in users if user.pk not in locked]:
        raise conflict(f"The account {missing[0].email} no longer exists. Choose another.")
    return [locked[user.pk] for user in users]


def require_active(user: User) -> None:
    """Raise conflict when the account is deactivated."""
    if not user.is_active:
        raise conflict(f"The account {user.email} is deactivated. Reactivate it first.")


def clean_email(argument: str, text: str) -> str:
    """An email address in the form in which accounts keep it; raises invalid_arguments."""
    email = clean_line(argument, text, longest=254)
    try:
        validate_email(email)
    except ValidationError as error:
        raise invalid(argument, f"{email!r} is not an email address. Give one such as name@example.com.") from error
    return str(User.objects.normalize_email(email))


@sensitive_variables("password")
def create_user(caller: Caller, *, email: str, plan: Plan | None, password: str | None = None, **names: str) -> User:
    """Make an account; `names` are first_name and last_name. Without a password it cannot sign in until one is set.

    Raises invalid_arguments for a bad address or a weak password, conflict for an address that has an account.
    """
    caller.require_operator()
    user = User(email=clean_email("email", email), plan=plan)
    _set_names(user, names)
    if password is None:
        user.set_unusable_password()
    else:
        _set_password(user, password)
    with conflict_if_taken(f"An account with the address {user.email} exists already. Use that one."):
        user.save(force_insert=True)
    return user


@transaction.atomic
def update_user(caller: Caller, *, user: User, email: str | None = None, **names: str) -> User:
    """Change what names the person; what is not given stays. Errors as `create_user`."""
    caller.require_operator()
    [user] = lock_accounts(user)
    if email is not None:
        user.email = clean_email("email", email)
    _set_names(user, names)
    with conflict_if_taken(f"An account with the address {user.email} exists already. Use that one."):
        user.save(update_fields=["email", "first_name", "last_name"])
    return user


@transaction.atomic
def change_plan(
    caller: Caller, *, user: User, plan: Plan | None, own_limits: Mapping[str, Any] | None = None
) -> User:
    """Put the account on `plan`, with limits of its own by the names of their fields (None: as the plan says).

    They hold from the next call on. What is above smaller limits is kept; nothing can be added above them.
    """
    caller.require_operator()
    [user] = lock_accounts(user)
    user.plan = plan
    limits = dict(own_limits or {})
    for field, limit in limits.items():
        setattr(user, field, limit)
    _check_fields(user, limits)
    user.save(update_fields=["plan", *limits])
    return user


@sensitive_variables("password")
@transaction.atomic
def set_password(caller: Caller, *, user: User, password: str | None = None) -> str:
    """Give the account a new password (a random one unless given) and return it; open sessions end.

    Raises invalid_arguments for a weak password, conflict for a deactivated account.
    """
    caller.require_operator()
    [user] = lock_accounts(user)
    require_active(user)
    password = password or secrets.token_urlsafe(18)
    _set_password(user, password)
    user.save(update_fields=["password"])
    return password


@transaction.atomic
def set_roles(
    caller: Caller,
    *,
    user: User,
    is_staff: bool,
    is_superuser: bool,
    groups: Iterable[Group],
    permissions: Iterable[Permission],
) -> User:
    """Say what the person may do in the admin. Only a superuser (or a command) may: whoever could grant roles could
    grant them to themselves. Nobody can take the superuser role from themselves, so that one always remains."""
    caller.require_operator()
    if caller.user and not caller.user.is_superuser:
        raise invalid("is_superuser", "Only a superuser may grant staff roles and permissions. Ask one.")
    [user] = lock_accounts(user)
    if user == caller.user and not (is_staff and is_superuser):
        raise invalid("is_superuser", "You cannot take the superuser role from yourself. Ask another superuser.")
    user.is_staff, user.is_superuser = is_staff, is_superuser
    user.save(update_fields=["is_staff", "is_superuser"])
    user.groups.set(groups)
    user.user_permissions.set(permissions)
    return user


def deactivate_user(caller: Caller, *, user: User) -> User:
    """End everything that can act for the account, at once and for good; brands, roles and history are kept.

    Keys are revoked. Sessions end with the password: a random one, which nobody knows, takes its place. Everything
    else below reads `is_active`: brands become read-only, nothing is started, what runs is cancelled by its job.
    """
    caller.require_operator()
    if user == caller.user:
        raise conflict("You cannot deactivate the account that you are signed in with. Ask another operator.")
    unknown_password = make_password(secrets.token_urlsafe(32))  # slow by intent: before anything is locked
    with transaction.atomic():
        [user] = lock_accounts(user)
        user.is_active, user.password = False, unknown_password
        user.save(update_fields=["is_active", "password"])
        working = ApiKey.objects.filter(owner=user, revoked_at=None)
        working.update(revoked_at=timezone.now(), revoked_by=caller.user, revoked_reason=DEACTIVATED)
    return user


@transaction.atomic
def reactivate_user(caller: Caller, *, user: User) -> User:
    """Let the person sign in again, once a password is set. Brands and roles are as before; nothing that the
    deactivation ended comes back."""
    caller.require_operator()
    [user] = lock_accounts(user)
    user.is_active = True
    user.save(update_fields=["is_active"])
    return user


def save_plan(caller: Caller, *, plan: Plan) -> Plan:
    """Store a new or changed plan; it holds for its accounts from the next call on.

    Raises invalid_arguments for values out of range, conflict for a tier that exists.
    """
    caller.require_operator()
    _check_fields(plan, [field.name for field in Plan._meta.fields])
    with conflict_if_taken(f"The tier {plan.tier} exists already. Change that plan or choose another tier."):
        plan.save()
    return plan


def delete_plan(caller: Caller, *, plan: Plan) -> None:
    """Remove a plan that no account is on; else conflict."""
    caller.require_operator()
    try:
        plan.delete()
    except ProtectedError as error:
        count = len(error.protected_objects)
        raise conflict(f"Accounts on the plan {plan.name}: {count}. Move them to another plan first.") from error


def _set_names(user: User, names: Mapping[str, str]) -> None:
    for field, name in names.items():
        setattr(user, field, clean_line(field.replace("_", " "), name, longest=150, required=False))


@sensitive_variables("password")
def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise invalid("password", " ".join(error.messages)) from error
    user.set_password(password)


def _check_fields(row: models.Model, fields: Iterable[str]) -> None:
    """Raise invalid_arguments for a value that one of the fields does not take."""
    others = {field.name for field in row._meta.fields} - set(fields)
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        argument, messages = next(iter(error.message_dict.items()))
        raise invalid(argument, " ".join(messages)) from error

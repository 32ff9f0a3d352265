"""The operator's acts on accounts and plans. Accounts are deactivated or erased, not deleted: what they did stays on
record."""

import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, Permission
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.accounts.waysin import forget_second_factor, forget_ways_in
from apikeys.errors import conflict, conflict_if_taken, invalid
from apikeys.models import COUNTED_LIMITS, AddressChange, ApiKey, Mail, MailChoice, MailPreference, Plan, User
from apikeys.text import clean_line

ERASED_DOMAIN = "erased.invalid"
DEACTIVATED = "The owner's account was deactivated."
NAMES = ("first_name", "last_name")
OWN_LIMITS = (*(f"own_{name}" for name in COUNTED_LIMITS), "own_provider_cost_per_day")
CHANGEABLE = {"email", "plan", *NAMES, *OWN_LIMITS}
"""What `update_user` takes; passwords, roles and the state of an account have services of their own."""


def lock_accounts(*users: User) -> list[User]:
    """Lock the rows of `users` until the transaction ends and return them as they are now, with plans, in this order.

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
        choose_password(user, password)
    with conflict_if_taken(f"An account with the address {user.email} exists already. Use that one."):
        user.save(force_insert=True)
    return user


@transaction.atomic
def update_user(caller: Caller, *, user: User, **changes: Any) -> User:
    """Change what is given of email, first_name, last_name, plan and the own limits (None: as the plan says).

    Limits apply from the next call on; what is above smaller ones stays, and nothing can be added above them. Errors
    as `create_user`; conflict for an account of staff, unless a superuser or a command changes it.
    """
    user = _locked(caller, user)
    if unknown := set(changes) - CHANGEABLE:
        raise TypeError(f"These fields have services of their own: {', '.join(unknown)}.")
    if "email" in changes:
        changes["email"] = clean_email("email", changes["email"])
    _set_names(user, {name: changes.pop(name) for name in NAMES if name in changes})
    for field, value in changes.items():
        setattr(user, field, value)
    _check_fields(user, changes)
    with conflict_if_taken(f"An account with the address {user.email} exists already. Use that one."):
        user.save(update_fields=[*NAMES, *changes])
    return user


@sensitive_variables()  # of the frame of `atomic`, too
@transaction.atomic
def set_password(caller: Caller, *, user: User, password: str | None = None) -> str:
    """Give the account a new password (a random one unless given) and return it; open sessions end.

    Raises invalid_arguments for a weak password, conflict for a deactivated account and, unless for a superuser or a
    command, for one of staff.
    """
    user = _locked(caller, user)
    require_active(user)
    password = password or secrets.token_urlsafe(18)
    choose_password(user, password)
    user.save(update_fields=["password"])
    return password


@sensitive_variables()  # of the frame of `atomic`, too
@transaction.atomic
def change_own_password(caller: Caller, *, password: str) -> User:
    """Give the caller's own account a new password; other sessions end. The form has asked for the old one.

    Raises invalid_arguments for a weak password, conflict for an account that was deactivated meanwhile.
    """
    assert caller.user is not None  # noqa: S101 - nobody else is signed in
    [user] = lock_accounts(caller.user)
    require_active(user)
    choose_password(user, password)
    user.save(update_fields=["password"])
    return user


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
    """Say what the person may do in the admin.

    Raises invalid_arguments unless a superuser or a command does it, as other staff could grant themselves any role;
    and for superusers who would take that role from themselves, so that one always remains.
    """
    user = _locked(caller, user)
    if caller.user and not User.objects.filter(pk=caller.user.pk, is_superuser=True).exists():
        raise invalid("is_superuser", "Only a superuser may grant staff roles and permissions. Ask one.")
    if user == caller.user and not (is_staff and is_superuser):
        raise invalid("is_superuser", "You cannot take the superuser role from yourself. Ask another superuser.")
    user.is_staff, user.is_superuser = is_staff, is_superuser
    user.save(update_fields=["is_staff", "is_superuser"])
    user.groups.set(groups)
    user.user_permissions.set(permissions)
    return user


def deactivate_user(caller: Caller, *, user: User) -> User:
    """End everything that can act for the account, at once and for good; brands, roles and history stay.

    Keys are revoked. Sessions end with the password: a random one, which nobody knows, takes its place. All the rest
    looks at `is_active`: brands become read-only, nothing is started, what runs is cancelled by its job. Raises
    conflict for the operator's own account and, unless for a superuser or a command, for one of staff.
    """
    caller.require_operator()
    if user == caller.user:
        raise conflict("You cannot deactivate the account that you are signed in with. Ask another operator.")
    unknown_password = make_password(secrets.token_urlsafe(32))  # slow by intent: before anything is locked
    with transaction.atomic():
        user = _locked(caller, user)
        user.is_active, user.password = False, unknown_password
        user.save(update_fields=["is_active", "password"])
        working = ApiKey.objects.filter(owner=user, revoked_at=None)
        working.update(revoked_at=timezone.now(), revoked_by=caller.user, revoked_reason=DEACTIVATED)
    return user


@transaction.atomic
def remove_second_factor(caller: Caller, *, user: User) -> None:
    """Let the password suffice again, for a person who has lost the device and the recovery codes. Errors as
    `set_password`."""
    user = _locked(caller, user)
    require_active(user)
    forget_second_factor(user)


@transaction.atomic
def reactivate_user(caller: Caller, *, user: User) -> User:
    """Let the person sign in again, once a password is set. Brands and roles are as before; nothing that the
    deactivation ended comes back."""
    user = _locked(caller, user)
    user.is_active = True
    user.save(update_fields=["is_active"])
    return user


@transaction.atomic
def erase_user(caller: Caller, *, user: User) -> User:
    """Deactivate the account and take the person out of it: a number is in the place of address and names, in the
    records of the admin, too; second factors, sessions, single sign-on and mails go. Nobody can undo it. Errors as
    `deactivate_user`."""
    user = deactivate_user(caller, user=user)
    forget_ways_in(user)
    AddressChange.objects.filter(user=user).delete()
    Mail.objects.filter(Q(person=user) | Q(address__iexact=user.email)).delete()
    MailChoice.objects.filter(person=user).delete()
    MailPreference.objects.filter(person=user).delete()
    address, user.email = user.email, f"erased-{user.pk}@{ERASED_DOMAIN}"
    user.first_name = user.last_name = ""
    user.save(update_fields=["email", *NAMES])
    named = LogEntry.objects.filter(object_repr__icontains=address)
    for entry in named.select_for_update():
        entry.object_repr = re.sub(re.escape(address), user.email, entry.object_repr, flags=re.IGNORECASE)[:200]
        entry.save(update_fields=["object_repr"])
    return user


def save_plan(caller: Caller, *, plan: Plan) -> Plan:
    """Store a new or changed plan; it applies to its accounts from the next call on.

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
    except models.ProtectedError as error:
        count = len(error.protected_objects)
        raise conflict(f"Accounts on the plan {plan.name}: {count}. Move them to another plan first.") from error


def may_change(operator: User, user: User) -> bool:
    """Whether the operator may change the account: those of staff are for superusers alone, as an operator who sets
    a password could sign in with it."""
    return operator.is_superuser or not (user.is_staff or user.is_superuser)


def _locked(caller: Caller, user: User) -> User:
    """The account as it is now, locked for a change by this operator. The operator's row is locked, too: two who take
    each other's role or account would otherwise both succeed."""
    caller.require_operator()
    user, operator = lock_accounts(user, caller.user or user)
    if caller.user is not None:
        require_active(operator)
        if not may_change(operator, user):
            raise conflict("Accounts of staff are changed by superusers only. Ask one.")
    return user


def _set_names(user: User, names: Mapping[str, str]) -> None:
    for field, name in names.items():
        setattr(user, field, clean_line(field.replace("_", " "), name, longest=150, required=False))


@sensitive_variables("password")
def choose_password(user: User, password: str) -> None:
    """Set the password, without storing it; raises invalid_arguments for a weak one."""
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

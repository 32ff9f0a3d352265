"""The operator's acts on accounts. Accounts are deactivated, not deleted: what they did stays on record."""

import secrets
from collections.abc import Iterable, Mapping
from decimal import Decimal

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, Permission
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.module_loading import import_string

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.models import Plan, User
from apikeys.services.guards import conflict, conflict_if_taken, lock_accounts, require_operator
from apikeys.text.validation import clean_line


def create_user(
    caller: Caller,
    *,
    email: str,
    plan: Plan | None,
    password: str | None = None,
    first_name: str = "",
    last_name: str = "",
) -> User:
    """Make an account. Without a `password` it gets a random one that nobody knows: the person chooses one through
    the password reset mail.

    Raises invalid_arguments for a bad address or a weak password, conflict for an address that has an account in
    whatever case.
    """
    require_operator(caller)
    user = User(
        email=_clean_email(email),
        plan=plan,
        first_name=clean_line("first name", first_name, longest=150, required=False),
        last_name=clean_line("last name", last_name, longest=150, required=False),
    )
    _refuse_taken_email(user)
    if password is not None:
        _check_password(password, user)
    user.set_password(password if password is not None else secrets.token_urlsafe(32))
    with conflict_if_taken(_taken(user.email)):
        user.save(force_insert=True)
    return user


@transaction.atomic
def update_user(
    caller: Caller,
    *,
    user: User,
    email: str | None = None,
    first_name: str | None = None,
    last_name: str | None = None,
) -> User:
    """Change what names the person; None leaves a field as it is. Errors as `create_user`."""
    require_operator(caller)
    [user] = lock_accounts(user)
    if email is not None:
        user.email = _clean_email(email)
        _refuse_taken_email(user)
    if first_name is not None:
        user.first_name = clean_line("first name", first_name, longest=150, required=False)
    if last_name is not None:
        user.last_name = clean_line("last name", last_name, longest=150, required=False)
    with conflict_if_taken(_taken(user.email)):
        user.save(update_fields=["email", "first_name", "last_name"])
    return user


@transaction.atomic
def change_plan(caller: Caller, *, user: User, plan: Plan | None) -> User:
    """Put the account on `plan`. What is above a smaller plan's limits is kept; nothing can be added above them."""
    require_operator(caller)
    [user] = lock_accounts(user)
    user.plan = plan
    user.save(update_fields=["plan"])
    return user


@transaction.atomic
def change_limits(caller: Caller, *, user: User, limits: Mapping[str, int | Decimal | None]) -> User:
    """Give the account limits of its own, by the names of `LIMITS`; None: as its plan says. They hold from the next
    call on. Raises invalid_arguments for what is no such number."""
    require_operator(caller)
    [user] = lock_accounts(user)
    changed = {f"own_{name}": limit for name, limit in limits.items()}
    for field, limit in changed.items():
        setattr(user, field, limit)
    try:
        user.clean_fields(exclude={field.name for field in User._meta.fields} - changed.keys())
    except ValidationError as error:
        argument, messages = next(iter(error.message_dict.items()))
        raise invalid(argument, " ".join(messages)) from error
    user.save(update_fields=[*changed])
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
    """Say what the person may do in the staff pages.

    Only a superuser (or a command) may: whoever could grant roles could grant them to themselves. Nobody can take
    the superuser role from themselves, so that one always remains.
    """
    require_operator(caller)
    if caller.user and not caller.user.is_superuser:
        raise invalid("is_superuser", "Only a superuser may grant staff roles and permissions. Ask one.")
    [user] = lock_accounts(user)
    if _is_self(caller, user) and not (is_staff and is_superuser):
        raise invalid("is_superuser", "You cannot take the superuser role from yourself. Ask another superuser.")
    user.is_staff, user.is_superuser = is_staff, is_superuser
    user.save(update_fields=["is_staff", "is_superuser"])
    user.groups.set(groups)
    user.user_permissions.set(permissions)
    return user


def deactivate_user(caller: Caller, *, user: User) -> Mapping[str, int]:
    """End everything that can act for the account, at once and for good; brands, roles and history are kept.

    Sessions and links to choose a password end with the password: a random one, which nobody knows, takes its place.
    What else ends stands in the setting ACCOUNT_ENDINGS, a function `(caller, user)` for each floor of the house.
    Returns how many of each it were, by name ("keys revoked").
    """
    require_operator(caller)
    if _is_self(caller, user):
        raise conflict("You cannot deactivate the account that you are signed in with. Ask another operator.")
    unknown = make_password(secrets.token_urlsafe(32))
    with transaction.atomic():
        [user] = lock_accounts(user)
        user.is_active, user.password = False, unknown
        user.save(update_fields=["is_active", "password"])
        ended: dict[str, int] = {}
        for path in settings.ACCOUNT_ENDINGS:
            ended |= import_string(path)(caller, user)
    return ended


@transaction.atomic
def reactivate_user(caller: Caller, *, user: User) -> User:
    """Let the person sign in again, with a password that is yet to be chosen. The brands, the roles on those of
    others, and the cadences are as before; nothing comes back of what the deactivation ended."""
    require_operator(caller)
    [user] = lock_accounts(user)
    user.is_active = True
    user.save(update_fields=["is_active"])
    return user


def _is_self(caller: Caller, user: User) -> bool:
    return caller.user is not None and caller.user.pk == user.pk


def _clean_email(text: str) -> str:
    email = clean_line("email", text, longest=254)
    try:
        validate_email(email)
    except ValidationError as error:
        raise invalid("email", f"{email!r} is not an email address. Give one such as name@example.com.") from error
    return str(User.objects.normalize_email(email))


def _taken(email: str) -> str:
    return f"An account with the address {email} (in this or another case) exists already. Use that one."


def _refuse_taken_email(user: User) -> None:
    if User.objects.filter(email__iexact=user.email).exclude(pk=user.pk).exists():
        raise conflict(_taken(user.email), argument="email")


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise invalid("password", " ".join(error.messages)) from error

"""The accounts of a service that nobody has set up yet."""

import secrets

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from apikeys.caller import Caller
from apikeys.models import User
from apikeys.services.guards import lock_accounts, require_active, require_operator


@sensitive_variables("password")
@transaction.atomic
def renew_operator(caller: Caller, *, email: str) -> str:
    """Give the operator's account `email` a new random password and return it; makes the account if needed.

    The account may do everything in the admin. The password is not kept and cannot be had again.
    """
    require_operator(caller)
    user = User.objects.select_for_update().filter(email__iexact=email).first() or User(email=email)
    user.is_staff = user.is_superuser = user.is_active = True
    password = _set_random_password(user)
    user.save()
    return password


@sensitive_variables("password")
@transaction.atomic
def renew_password(caller: Caller, *, user: User) -> str:
    """Give the account a new random password and return it, which cannot be had again; open sessions end.

    Raises conflict for a deactivated account.
    """
    require_operator(caller)
    [user] = lock_accounts(user)
    require_active(user)
    password = _set_random_password(user)
    user.save(update_fields=["password"])
    return password


@sensitive_variables("password")
def _set_random_password(user: User) -> str:
    password = secrets.token_urlsafe(18)
    validate_password(password, user)
    user.set_password(password)
    return password

"""The operator of a service that nobody has set up yet."""

import secrets

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from apikeys.caller import Caller
from apikeys.models import User
from apikeys.services.guards import require_operator


@sensitive_variables("password")
@transaction.atomic
def renew_operator(caller: Caller, *, email: str) -> tuple[User, str]:
    """Give the operator's account `email` a new random password and return both; makes the account if needed.

    The account may do everything in the admin. The password is not kept and cannot be had again.
    """
    require_operator(caller)
    password = secrets.token_urlsafe(18)
    user = User.objects.select_for_update().filter(email__iexact=email).first() or User(email=email)
    validate_password(password, user)
    user.is_staff = user.is_superuser = user.is_active = True
    user.set_password(password)
    user.save()
    return user, password

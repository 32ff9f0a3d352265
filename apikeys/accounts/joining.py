"""How a person comes to an account, and whose an address is.

An account that somebody made by a link that was handed on, not mailed, has an address that nobody has proven: offers
to that address reach it by their own links only, and whoever proves the address later takes the account over.
"""

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.people import choose_password, clean_email, lock_accounts, require_active
from apikeys.accounts.waysin import forget_ways_in
from apikeys.errors import conflict_if_taken
from apikeys.models import Plan, User

FREE = "free"
"""The tier of accounts that invitations make; without such a plan they have none."""


@sensitive_variables()  # of the frame of `atomic`, too
@transaction.atomic
def create_invited(*, email: str, password: str | None = None, is_confirmed: bool) -> User:
    """Make the account of an invited person, on the free plan. `is_confirmed`: the person has proven the address.

    Raises invalid_arguments for a weak password, conflict where the address has an account.
    """
    plan = Plan.objects.filter(tier=FREE).first()
    user = User(email=clean_email("email", email), plan=plan, has_confirmed_address=is_confirmed)
    if password is None:
        user.set_unusable_password()
    else:
        choose_password(user, password)
    with conflict_if_taken(gettext("There is an account with this address already. Sign in with it.")):
        user.save(force_insert=True)
    return user


@transaction.atomic
def confirm_address(user: User) -> User:
    """The person has proven the address of the account. Of one that nobody had proven before, all ways in end first:
    somebody else may have made it."""
    [user] = lock_accounts(user)
    require_active(user)
    if not user.has_confirmed_address:
        forget_ways_in(user)
        user.has_confirmed_address, user.password = True, make_password(None)
        user.save(update_fields=["has_confirmed_address", "password"])
    return user


@sensitive_variables()  # of the frame of `atomic`, too
@transaction.atomic
def reset_password(user: User, *, password: str) -> User:
    """Give the account a new password by a link that was mailed to its address; open sessions end.

    Raises invalid_arguments for a weak password, conflict for a deactivated account.
    """
    user = confirm_address(user)
    choose_password(user, password)
    user.save(update_fields=["password"])
    return user

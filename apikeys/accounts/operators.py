"""Callers that reach every brand, for those who run the service. Neither door may import this, directly or not.

Commands, jobs and the admin make what may write; web pages make what staff may only look with.
"""

from apikeys.accounts.caller import Caller
from apikeys.models import User
from apikeys.scopes import ALL_SCOPES

VIEW_ALL_BRANDS = "brands.view_brand"
"""The permission that lets staff see the brands of others."""


def system_caller(actor: str, user: User | None = None) -> Caller:
    """A command, a job or the admin (then with the operator as `user`): reaches every brand and may write."""
    return Caller(actor=actor, user=user, scopes=ALL_SCOPES, reach="all")


def staff_reader(user: User) -> Caller | None:
    """A member of staff who looks at every brand and may change none; None for who may not view all of them."""
    if user.is_staff and user.has_perm(VIEW_ALL_BRANDS):
        return Caller(actor=f"staff:{user.pk}", user=user, scopes=ALL_SCOPES, reach="all", may_write=False)
    return None

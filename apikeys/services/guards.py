"""What services share: who may operate the service, and how a taken name is told."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.db import IntegrityError, transaction

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import User


def require_operator(caller: Caller) -> None:
    """Raise not_available unless `caller` acts for the operator: accounts, plans and keys have no self-service."""
    if not caller.is_operator:
        raise ServiceError(
            ErrorCode.NOT_AVAILABLE, "Accounts, plans and keys are managed by the operator of the service. Ask there."
        )


def lock_accounts(*users: User) -> list[User]:
    """Hold the rows of `users` until the transaction ends and return them afresh, in the order given.

    Whatever is counted per account is counted under this lock. Rows are locked in the order of their ids, so that
    two callers never wait for each other.
    """
    rows = User.objects.select_related("plan").select_for_update(of=("self",), no_key=True).order_by("pk")
    locked = {user.pk: user for user in rows.filter(pk__in=[user.pk for user in users])}
    missing = [user for user in users if user.pk not in locked]
    if missing:
        raise conflict(f"The account {missing[0].email} no longer exists. Choose another.")
    return [locked[user.pk] for user in users]


def require_active(user: User) -> None:
    """Raise conflict when the account is deactivated."""
    if not user.is_active:
        raise conflict(f"The account {user.email} is deactivated. Reactivate it first.")


def conflict(message: str, **details: Any) -> ServiceError:
    """The refusal of what clashes with something that is there already."""
    return ServiceError(ErrorCode.CONFLICT, message, **details)


@contextmanager
def conflict_if_taken(message: str, *, savepoint: bool = True, **details: Any) -> Iterator[None]:
    """Turn the database's refusal of a second row into a conflict, whoever came first; nothing is written.

    Without a savepoint the conflict has to leave the transaction of the service that raises it.
    """
    try:
        with transaction.atomic() if savepoint else nullcontext():
            yield
    except IntegrityError as error:
        raise conflict(message, **details) from error

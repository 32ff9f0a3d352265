"""The operator's acts on plans."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.models import Plan
from apikeys.services.guards import conflict, conflict_if_taken, require_operator


def save_plan(caller: Caller, *, plan: Plan) -> Plan:
    """Store a new or changed plan; it holds for its accounts from the next call on.

    Raises invalid_arguments for values out of range, conflict for a tier that exists.
    """
    require_operator(caller)
    try:
        plan.full_clean(validate_unique=False)
    except ValidationError as error:
        argument, messages = next(iter(error.message_dict.items()))
        raise invalid(argument, " ".join(messages)) from error
    with conflict_if_taken(f"The tier {plan.tier} exists already. Change that plan or choose another tier."):
        plan.save()
    return plan


@transaction.atomic
def delete_plan(caller: Caller, *, plan: Plan) -> None:
    """Remove a plan that no account is on; else conflict."""
    require_operator(caller)
    try:
        plan.delete()
    except ProtectedError as error:
        count = len(error.protected_objects)
        raise conflict(f"Accounts on the plan {plan.name}: {count}. Move them to another plan first.") from error

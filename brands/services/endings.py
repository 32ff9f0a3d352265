"""What ends in brands when an account does."""

from collections.abc import Mapping

from django.db.models import Q

from apikeys.caller import Caller
from apikeys.models import User
from brands.models import Brand, Invitation


def end_offers_and_slots(caller: Caller, user: User) -> Mapping[str, int]:
    """Take back what an account that is held, and what anybody for its brands, has offered, and the next slots of its
    brands: a part of its deactivation. Cadences are kept; where the account comes back, they count from then on."""
    brands = Brand.objects.filter(owner=user)
    slots = brands.exclude(next_run_at=None).update(next_run_at=None)
    _, deleted = Invitation.objects.filter(Q(invited_by=user) | Q(brand__in=brands)).delete()
    return {"invitations and offers withdrawn": sum(deleted.values()), "scheduled scans dropped": slots}

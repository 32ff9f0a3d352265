"""What removing a brand means for what is measured."""

from django.db import transaction
from django.db.models import Q

from apikeys.caller import Caller
from brands.models import Brand
from brands.services.access import owned_brand
from brands.services.brands import delete_brand
from visibility.models import Generation, Run
from visibility.services.scans.starting import cancel_scan


@transaction.atomic
def remove_brand(caller: Caller, *, brand: Brand) -> None:
    """Cancel the brand's scans, give back the credits of what was not answered, and delete it with its history."""
    # The brand before its runs and generations: the order in which workers take them.
    brand = owned_brand(caller, brand.pk, lock=True, exclusive=True)
    open_runs = Q(status__in=Run.ACTIVE) | Q(status=Run.Status.CANCELLED, settled_at=None)
    unsettled = Run.objects.filter(open_runs, brand=brand).select_for_update(of=("self",)).order_by("pk")
    for run in list(unsettled):
        if run.trigger != Run.Trigger.IMPORT:
            cancel_scan(caller, run=run, wait_for_answers=False)
    list(Generation.objects.filter(brand=brand).select_for_update(of=("self",)).order_by("pk"))
    delete_brand(caller, brand=brand)

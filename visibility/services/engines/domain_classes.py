"""What kind of site a domain is, where operators know better than the built-in table."""

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.services.guards import conflict, require_operator
from brands.domains import normalise_domain
from visibility.models import DomainClass
from visibility.models.sources import ASSIGNABLE

MAX_DOMAINS = 2_000
"""Each generation of figures keeps all of them, to say what it was made with."""


@transaction.atomic
def classify_domain(caller: Caller, *, domain: str, cls: str) -> DomainClass:
    """Say of which class a domain and all below it are, in place of what was said before; operators only.

    The history of every brand is then analysed again. Raises invalid_arguments for what is no domain or no
    class that can be given, and conflict where too many domains have been classified.
    """
    require_operator(caller)
    name = normalise_domain("domain", domain)
    if cls not in ASSIGNABLE:
        raise invalid("cls", f"{cls!r} is not a class that a domain can have. Choose one of {', '.join(ASSIGNABLE)}.")
    if not DomainClass.objects.filter(domain=name).exists() and DomainClass.objects.count() >= MAX_DOMAINS:
        raise conflict(f"{MAX_DOMAINS} domains have a class of yours already. Remove one first.")
    row, _ = DomainClass.objects.update_or_create(domain=name, defaults={"cls": cls, "changed_at": timezone.now()})
    return row


def unclassify_domain(caller: Caller, *, row: DomainClass) -> None:
    """Leave the class of the domain to the built-in table again; operators only. One that is gone is no error."""
    require_operator(caller)
    DomainClass.objects.filter(pk=row.pk).delete()

"""Puts the demonstration into the database, through the same services as everything else."""

import secrets

from django.db import transaction

from apikeys.caller import Caller
from apikeys.models import Plan, User
from apikeys.services.guards import conflict
from apikeys.services.users import create_user
from brands.models import Brand
from brands.services.brands import create_brand
from brands.services.competitors import add_competitor
from brands.services.names import replace_aliases
from visibility.demo import content
from visibility.services.corpus import put_pages
from visibility.services.prompts import add_prompts

OWNER = "demo@example.com"
TIER = "scale"


def seed_owner(caller: Caller) -> tuple[User, str | None]:
    """The owner of the demo, and the random password when the account was made now; only its hash is kept.

    Raises conflict when the operator has removed the plan of the demo.
    """
    owner = User.objects.filter(email__iexact=OWNER).first()
    if owner is not None:
        return owner, None
    plan = Plan.objects.filter(tier=TIER).first()
    if plan is None:
        raise conflict(f"The demo account goes on the plan {TIER}, which is not there. Add one with this tier.")
    password = secrets.token_urlsafe(12)
    return create_user(caller, email=OWNER, plan=plan, password=password), password


@transaction.atomic
def seed_brand(caller: Caller, owner: User) -> tuple[Brand, bool]:
    """The demo brand with all that belongs to it, and whether it was made now. One that is there stays as it is."""
    existing = Brand.objects.for_caller(caller).filter(owner=owner, domain=content.DOMAIN).first()
    if existing is not None:
        return existing, False
    brand = create_brand(
        caller, owner=owner, name=content.NAME, domain=content.DOMAIN, description=content.DESCRIPTION
    )
    replace_aliases(caller, brand=brand, aliases=content.ALIASES)
    for rival in content.RIVALS:
        add_competitor(caller, brand=brand, name=rival.name, domain=rival.domain, aliases=rival.aliases)
    add_prompts(caller, brand=brand, drafts=content.prompts())
    put_pages(caller=caller, brand=brand, pages=content.pages())
    return brand, True

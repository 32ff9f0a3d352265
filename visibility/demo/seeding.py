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
from visibility.demo.days import DAYS, first_day
from visibility.demo.history import SECOND_ENGINE, simulated
from visibility.engines.adapters.local_search import NAME
from visibility.models import EngineConfig
from visibility.services.engines.configuring import add_engine, choose_engines, chosen_names
from visibility.services.engines.corpus import put_pages
from visibility.services.prompts.editing import add_prompts
from visibility.services.topics.deciding import choose_topics

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
    """The demo brand with all that belongs to it, and whether it was made now.

    One that has a history stays as it is; one without gets the prompts, pages and engines that the history needs.
    """
    brand: Brand | None = Brand.objects.restrict(caller, "view").filter(owner=owner, domain=content.DOMAIN).first()
    if brand is not None and simulated(brand.pk):
        return brand, False
    is_new = brand is None
    if brand is None:
        brand = create_brand(
            caller, owner=owner, name=content.NAME, domain=content.DOMAIN, description=content.DESCRIPTION
        )
        replace_aliases(caller, brand=brand, aliases=content.ALIASES)
        for rival in content.RIVALS:
            add_competitor(caller, brand=brand, name=rival.name, domain=rival.domain, aliases=rival.aliases)
    prompts = add_prompts(caller, brand=brand, drafts=content.prompts()).prompts
    choose_topics(caller, brand_id=brand.pk, choices={prompt.topic: True for prompt in prompts})
    put_pages(caller=caller, brand=brand, pages=content.corpus_on(DAYS, first_day(brand)).values())
    _choose_engine(caller, brand)
    return brand, is_new


def _choose_engine(caller: Caller, brand: Brand) -> None:
    """Have the brand's pages ranked in a second way, beside what it has chosen."""
    config = EngineConfig.objects.filter(name=SECOND_ENGINE).first() or add_engine(
        caller,
        name=SECOND_ENGINE,
        label="local-search, new pages first",
        provider=NAME,
        model="recent",
        enabled=True,
    )
    if config.enabled:
        choose_engines(caller, brand_id=brand.pk, names=[*chosen_names(brand), SECOND_ENGINE])

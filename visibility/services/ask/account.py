"""Facts about who pays, and what the caller's own account may still use."""

from collections.abc import Collection, Iterator

from apikeys.caller import Caller
from apikeys.models import Usage, User
from apikeys.services.usage import quotas
from brands.models import Brand
from visibility.services.ask.fact import MOST, Fact, short, used
from visibility.services.overview.portfolio import portfolio


def facts_of_account(caller: Caller, brands: Collection[Brand]) -> Iterator[Fact]:
    """What the caller's account may still use, and before that whose plan pays for those of the brands that are not
    its own; what is left of another's plan is its owner's to know."""
    if caller.user is None:
        return
    others = [brand for brand in brands if brand.owner_id != caller.user.pk]
    yield from _paid_by_others(caller, others)
    yield from _own(caller.user, bool(others))


def _paid_by_others(caller: Caller, brands: Collection[Brand]) -> Iterator[Fact]:
    brand_ids = {brand.pk for brand in list(brands)[:MOST]}
    for site in portfolio(caller).sites if brand_ids else ():
        if site.id in brand_ids:
            yield short(
                Fact(
                    f"Scans and drafts of {site.name} are paid by its owner's plan, which is another account; what "
                    "credits are left there is shown to the owner alone. A scan would reserve "
                    f"{site.credits_per_scan:,} of them. {used(site.prompts)} prompts and {used(site.competitors)} "
                    "competitors are in use."
                ),
                site.id,
            )


def _own(user: User, also_others: bool) -> Iterator[Fact]:
    quota_by_kind = quotas(user)
    account = "Your own account, which pays for your own sites alone," if also_others else "Your account"
    for kind, words in (
        (Usage.Kind.CREDITS, "credits of this month"),
        (Usage.Kind.DRAFTS, "drafts of this month"),
        (Usage.Kind.WRITER_CALLS, "calls of an engine that writes today"),
    ):
        yield Fact(f"{account} has used {used(quota_by_kind[kind])} {words}.")

"""Who pays, and what the caller's own account may still use."""

from collections.abc import Collection, Iterator

from apikeys.caller import Caller
from apikeys.models import Usage, User
from apikeys.services.usage import quotas
from brands.models import Brand
from visibility.services.ask.fact import MOST, Fact, Told, fact, step
from visibility.services.overview.portfolio import portfolio


def told_of_account(caller: Caller, brands: Collection[Brand]) -> Told:
    """What the caller's account may still use, and before that whose plan pays for those of the brands that are not
    its own; what is left of another's plan is its owner's to know."""
    if caller.user is None:
        return Told()
    others = [brand for brand in brands if brand.owner_id != caller.user.pk]
    facts = [*_paid_by_others(caller, others), *_own(caller.user, bool(others))]
    return Told(facts, step("get_portfolio_summary", "would_show_account", {}) if len(facts) > MOST else None)


def _paid_by_others(caller: Caller, brands: Collection[Brand]) -> Iterator[Fact]:
    brand_ids = {brand.pk for brand in list(brands)[:MOST]}
    for site in portfolio(caller).sites if brand_ids else ():
        if site.id in brand_ids:
            item = fact(
                "paid_by_others",
                subject=site.name,
                credits=site.credits_per_scan,
                prompts=site.prompts.used,
                promptLimit=site.prompts.limit,
                competitors=site.competitors.used,
                competitorLimit=site.competitors.limit,
            )
            yield Fact(item.statement, site=site.id)


def credits_of(user: User | None) -> list[Fact]:
    """The credits that a user's own account has left; none of the service itself."""
    return list(_own(user, also_others=False))[:1] if user is not None else []


def _own(user: User, also_others: bool) -> Iterator[Fact]:
    quota_by_kind = quotas(user)
    for kind, key in (
        (Usage.Kind.CREDITS, "credits"),
        (Usage.Kind.DRAFTS, "drafts"),
        (Usage.Kind.WRITER_CALLS, "writer_calls"),
    ):
        quota = quota_by_kind[kind]
        left = max(quota.limit - quota.used, 0)
        credits = {"credits": left} if kind == Usage.Kind.CREDITS else {}
        yield fact(
            f"{key}_left",
            left=left,
            used=quota.used,
            limit=quota.limit,
            whose="own_beside_others" if also_others else "own",
            **credits,
        )

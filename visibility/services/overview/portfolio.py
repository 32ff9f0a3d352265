"""All sites of a caller at once, and what the account may still use: a fixed number of statements."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.models import Usage, User
from apikeys.resources import Quota
from apikeys.scopes import Scope
from apikeys.services.usage import quotas, resets_at
from brands.models import Brand, Competitor
from visibility.measured.asked_then import AskedThen, read_asked_then
from visibility.measured.audits import finished_audits
from visibility.measured.basis import Basis
from visibility.measured.now import Now, count_now
from visibility.measured.reading import read_bases
from visibility.models import DailyScore, Prompt, Recommendation, Run
from visibility.resources.change_records import ChangeRecord
from visibility.resources.portfolio import (
    AccountQuotas,
    CreditsForecast,
    Portfolio,
    PortfolioTotals,
    SiteFigures,
    SiteScore,
)
from visibility.services.reading.change_records import told_records_by_brand
from visibility.services.reading.change_words import development_in_words
from visibility.services.reading.now import based_on, few_left, not_asked_yet, prompts_note
from visibility.services.reading.sites import sites_of
from visibility.services.reading.withheld import WithheldSections
from visibility.services.scans.plans import credits_per_scan
from visibility.services.scans.schedule import next_slot

_LATEST = DailyScore.objects.filter(brand=OuterRef("brand"), competitor=None).order_by("-date")
_DEVELOPED = ("change", "change_week", "change_month", "confirmation", "monitor")
SCORE = ("brand_id", "date", "score", "low", "high", "interval", "answers", "by_locale", *_DEVELOPED)


@snapshot()
def portfolio(caller: Caller) -> Portfolio:
    """Every site that the caller sees with its score, what is to be done and what comes next, and the account.

    Parts whose own scope the caller lacks are null and named in `withheld`. Raises insufficient_scope.
    """
    listed = sites_of(caller).sites
    sections = WithheldSections(caller)
    may_read_scores = sections.may_read(Scope.READ_VISIBILITY, "sites.visibility")
    ids = [site.id for site in listed]
    nows = nows_of(caller, ids) if may_read_scores else {}
    scores = site_scores(nows) if may_read_scores else None
    may_read_queue = sections.may_read(Scope.READ_RECOMMENDATIONS, "sites.openRecommendations")
    to_do = open_counts(caller, ids) if may_read_queue else None
    audits = _audit_scores(caller) if sections.may_read(Scope.READ_AUDITS, "sites.auditScore") else {}
    state = _state(caller)
    sites = [
        SiteFigures(
            **dict(site),
            visibility=scores.get(site.id) if scores is not None else None,
            open_recommendations=to_do.get(site.id, 0) if to_do is not None else None,
            audit_score=audits.get(site.id),
            next_scan_at=state.brands[site.id].next_run_at,
            credits_per_scan=state.credits[site.id],
            prompts=Quota(limit=state.limit(site.id, "max_prompts_per_site"), used=state.prompts.get(site.id, 0)),
            competitors=Quota(
                limit=state.limit(site.id, "max_competitors_per_site"), used=state.rivals.get(site.id, 0)
            ),
        )
        for site in listed
    ]
    return Portfolio(
        totals=_totals(sites, scores, to_do),
        sites=sites,
        account=_account(caller.user, state) if caller.user and caller.user.plan else None,
        withheld=sections.withheld,
    )


@dataclass(frozen=True, slots=True)
class _State:
    """What the sites hold and cost now, by brand."""

    brands: Mapping[UUID, Brand]
    prompts: Mapping[UUID, int]
    rivals: Mapping[UUID, int]
    credits: Mapping[UUID, int]

    def limit(self, brand: UUID, name: str) -> int:
        return self.brands[brand].owner.limit(name)


def _state(caller: Caller) -> _State:
    brands = {brand.pk: brand for brand in Brand.objects.restrict(caller, "view").select_related("owner__plan")}
    prompts = _counts(Prompt.objects.restrict(caller, "view").active())
    rivals = _counts(Competitor.objects.restrict(caller, "view"))
    return _State(brands, prompts, rivals, credits_per_scan(list(brands.values()), prompts))


def _counts(rows: Any) -> dict[UUID, int]:
    return dict(rows.order_by().values_list("brand_id").annotate(Count("pk")))


def nows_of(caller: Caller, brands: Sequence[UUID]) -> dict[UUID, Now]:
    """What is measured now of each of these brands that has a measured day, its own figures alone. What the latest
    day alone does not tell is counted for all brands at once."""
    bases = read_bases(brands)
    latest = DailyScore.objects.restrict(caller, "view").filter(
        brand__in=brands, competitor=None, date=Subquery(_LATEST.values("date")[:1])
    )
    mixed = [brand for brand, basis in bases.items() if not basis.is_latest_day]
    mixed_brands = Brand.objects.restrict(caller, "view").filter(pk__in=mixed) if mixed else ()
    return nows_on(bases, latest.order_by().only(*SCORE), mixed_brands)


def nows_on(bases: Mapping[UUID, Basis], latest: Iterable[DailyScore], brands: Iterable[Brand]) -> dict[UUID, Now]:
    """As `nows_of`, on these bases and the own scores of the latest days; `brands` have those among them whose latest
    day does not tell."""
    nows = [Now(bases[row.brand_id], [row]) for row in latest if bases[row.brand_id].is_latest_day]
    if mixed := [brand for brand in brands if not bases[brand.pk].is_latest_day]:
        nows += count_now(mixed, bases).values()
    return {now.basis.brand: now for now in nows if now.own}


def site_scores(nows: Mapping[UUID, Now]) -> dict[UUID, SiteScore]:
    """The scores of now with what is told as a change, by brand."""
    panels = read_asked_then([now.basis for now in nows.values()])
    told = told_records_by_brand({brand: now.basis.latest for brand, now in nows.items()})
    return {
        brand: _site_score(now, now.own, panels.get(brand), told.get(brand, []))
        for brand, now in nows.items()
        if now.own
    }


def _site_score(now: Now, brand_row: DailyScore, panel: AskedThen | None, told: Sequence[ChangeRecord]) -> SiteScore:
    score = SiteScore.model_validate(
        {
            "as_of": now.basis.latest or brand_row.date,
            "based_on": based_on(now.averaged, brand_row.by_locale),
            "not_asked_yet": not_asked_yet(now, panel),
            "few_left": few_left(now),
            "prompts_note": prompts_note(now, panel),
            "development": "",
            "change_records": list(told),
            **{name: getattr(brand_row, name) for name in ("score", "low", "high", "interval", *_DEVELOPED)},
        }
    )
    score.development = development_in_words(score, told)
    return score


def open_counts(caller: Caller, brands: Sequence[UUID]) -> dict[UUID, int]:
    """How many recommendations are open, by brand of these that has any."""
    queue = Recommendation.objects.restrict(caller, "view").filter(brand__in=brands)
    return _counts(queue.filter(status=Recommendation.Status.OPEN))


def _audit_scores(caller: Caller) -> dict[UUID, float | None]:
    """The score of each brand's latest finished audit."""
    audits = finished_audits(Run.objects.filter(brand=OuterRef("brand")))
    latest = Run.objects.restrict(caller, "view").filter(pk=Subquery(audits.values("pk")[:1]))
    return dict(latest.order_by().values_list("brand_id", "score"))


def _totals(
    sites: Sequence[SiteFigures], scores: Mapping[UUID, SiteScore] | None, to_do: Mapping[UUID, int] | None
) -> PortfolioTotals:
    measured = None if scores is None else [score for score in scores.values() if score.score is not None]
    return PortfolioTotals(
        sites=len(sites),
        measured=None if measured is None else len(measured),
        changed=None if measured is None else sum(has_changed(score) for score in measured),
        moved=None if measured is None else sum(_has_moved(score) for score in measured),
        open_recommendations=None if to_do is None else sum(to_do.values()),
    )


def has_changed(score: SiteScore) -> bool:
    """Whether a change of the score itself is told."""
    return any(record.of == "score" for record in score.change_records)


def _has_moved(score: SiteScore) -> bool:
    return score.change is not None and score.change.verdict == "moved"


def account_of(caller: Caller) -> AccountQuotas | None:
    """What the account may still use; None without a plan."""
    return _account(caller.user, _state(caller)) if caller.user and caller.user.plan else None


def _account(user: User, state: _State) -> AccountQuotas:
    """The account's quotas, and what the cadences of its own brands will spend: the owner's plan pays."""
    own_brands = [brand for brand in state.brands.values() if brand.owner_id == user.pk]
    used = quotas(user)
    credit = used[Usage.Kind.CREDITS]
    now = timezone.now()
    until = resets_at(Usage.Kind.CREDITS, date(now.year, now.month, 1))
    scans = {brand.pk: _slots(brand, now, until) for brand in own_brands if state.credits[brand.pk]}
    spending = sum(number * state.credits[brand] for brand, number in scans.items())
    return AccountQuotas(
        plan=user.plan.tier if user.plan else "",
        sites=Quota(limit=user.limit("max_sites"), used=len(own_brands)),
        credits=credit,
        drafts=used[Usage.Kind.DRAFTS],
        writer_calls=used[Usage.Kind.WRITER_CALLS],
        credits_forecast=CreditsForecast(
            scans=sum(scans.values()),
            credits=spending,
            until=until,
            suffices=spending <= max(credit.limit - credit.used, 0),
        ),
    )


def _slots(brand: Brand, now: datetime, until: datetime) -> int:
    """How many scans the brand's cadence starts before `until`; one that is overdue starts now."""
    slot = max(brand.next_run_at, now) if brand.next_run_at else next_slot(brand, now)
    number = 0
    while slot is not None and slot < until:
        number += 1
        slot = next_slot(brand, slot)
    return number

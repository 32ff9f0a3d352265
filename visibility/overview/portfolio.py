"""All of a caller's brands at a glance, with what the account may still use."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.db.models.fields.json import KeyTransform
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import quotas
from apikeys.models import Usage, User
from apikeys.resources import Quota, Worded, worded
from apikeys.scopes import Scope
from brands.models import Brand, Cadence
from visibility.counts.sums import rounded
from visibility.counts.words import listed
from visibility.models import ChangeRecord, Recommendation, Run
from visibility.overview.reads import newest_scores, own_scores, roles_of, scores_words
from visibility.overview.resources import (
    AccountUse,
    ConfirmedChange,
    CreditsForecast,
    Portfolio,
    SiteSummary,
    Totals,
)
from visibility.recommendations.kinds import CHORES
from visibility.runs.schedule import next_slot
from visibility.runs.services import scan_credits
from visibility.scores.change_reads import reported_on

PARTS = {Scope.READ_VISIBILITY: "scores", Scope.READ_RECOMMENDATIONS: "recommendations", Scope.READ_AUDITS: "audits"}
FIGURES = {"panel_low": "panelLow", "panel_high": "panelHigh", "answers": "answers"}
"""What a site shows of the figures of its score, by their names in the API."""
MOST_SITES = 50
"""On a page."""


def read_portfolio(caller: Caller) -> Portfolio:
    """The brands that the caller sees, those that lost points first, then the lowest scores; and the quotas of the
    caller's own account."""
    brands = _standings(caller)
    sites = _sites(caller, brands)
    account = _account(caller.user)
    until, left = account.credits.resets_at, max(account.credits.limit - account.credits.used, 0)
    own = Brand.objects.restrict(caller, "view").filter(owner=caller.user, next_run_at__isnull=False)
    scheduled = list(own.with_owner())
    credits = scan_credits(scheduled)
    needed = sum(credits.get(brand.pk, 0) * _slots(brand, until) for brand in scheduled)
    forecast = CreditsForecast(scheduled=needed, left=left, is_enough=needed <= left)
    counted = [each.open_recommendations for each in sites if each.open_recommendations is not None]
    totals = Totals(
        sites=len(sites),
        measured=sum(site.score is not None for site in sites),
        open_recommendations=sum(counted) if Scope.READ_RECOMMENDATIONS in caller.scopes else None,
    )
    return Portfolio(
        summary=_summary(sites, totals, forecast, sees_scores=Scope.READ_VISIBILITY in caller.scopes),
        totals=totals,
        account=account,
        credits_forecast=forecast,
        withheld=[part for scope, part in PARTS.items() if scope not in caller.scopes],
        sites=sites,
    )


def read_sites(caller: Caller, page: str | None) -> Page[SiteSummary]:
    """A page of the portfolio's sites, in its order; the first or the last where there is no such page."""
    paginator: Paginator[Any] = Paginator(_standings(caller), MOST_SITES)
    brands = paginator.get_page(page)
    return Page(_sites(caller, brands.object_list), brands.number, paginator)


@dataclass(frozen=True, slots=True)
class _Standing:
    """A brand, its score of now, its last measured day, and the latest confirmed change that is reported on it."""

    brand: Brand
    score: Mapping[str, Any]
    day: Mapping[str, Any]
    confirmed: ConfirmedChange | None

    @property
    def need(self) -> tuple[object, ...]:
        """Sites that lost points come first, then those that answers mention least; those never asked last."""
        fall = min(self.confirmed.delta, 0.0) if self.confirmed else 0.0
        score = self.score.get("score")
        return fall, score is None, score or 0.0, self.brand.name, self.brand.pk


def _standings(caller: Caller) -> list[_Standing]:
    """The brands that the caller sees, by need."""
    brands = list(Brand.objects.restrict(caller, "view").order_by())
    if Scope.READ_VISIBILITY not in caller.scopes:
        return sorted((_Standing(brand, {}, {}, None) for brand in brands), key=lambda each: each.need)
    keys = [brand.pk for brand in brands]
    figures = {name: KeyTransform(key, "figures") for name, key in FIGURES.items()}
    now = own_scores(keys).filter(date=None).values("brand", "score", "low", "high", **figures)
    scores = {row["brand"]: row for row in now}
    days = {row["brand"]: row for row in newest_scores(keys).values("brand", "date", "change")}
    changes: dict[UUID, list[ChangeRecord]] = defaultdict(list)
    for record in ChangeRecord.objects.open().filter(brand__in=keys, engine="").defer("context", "parts"):
        changes[record.brand_id].append(record)
    found = []
    for brand in brands:
        day: Mapping[str, Any] = days.get(brand.pk, {})
        record = reported_on(changes[brand.pk], day["date"]) if day else None
        confirmed = ConfirmedChange(since=record.began, delta=rounded(record.delta)) if record else None
        found.append(_Standing(brand, scores.get(brand.pk, {}), day, confirmed))
    return sorted(found, key=lambda each: each.need)


def _sites(caller: Caller, standings: Iterable[_Standing]) -> list[SiteSummary]:
    """These brands with what the caller may see of each."""
    brands = {each.brand.pk: each for each in standings}
    sees_recommendations = Scope.READ_RECOMMENDATIONS in caller.scopes
    recommendations = _open_recommendations(brands) if sees_recommendations else {}
    audits = _last_audits(brands) if Scope.READ_AUDITS in caller.scopes else {}
    roles = roles_of(caller, brands)
    return [
        SiteSummary(
            id=pk,
            name=each.brand.name,
            domain=each.brand.domain,
            cadence=Cadence(each.brand.cadence),
            role=roles[pk],
            **{name: each.score.get(name) for name in ("score", "low", "high", *FIGURES)},
            as_of=each.day.get("date"),
            change=each.day.get("change"),
            confirmed=each.confirmed,
            open_recommendations=recommendations.get(pk, 0) if sees_recommendations else None,
            audit_score=audits.get(pk),
            last_scan=each.day.get("date"),
            next_scan=each.brand.next_run_at,
        )
        for pk, each in brands.items()
    ]


def _open_recommendations(brand_ids: Iterable[UUID]) -> dict[UUID, int]:
    rows = Recommendation.objects.filter(brand__in=brand_ids, status=Recommendation.Status.OPEN)
    rows = rows.exclude(kind__in=CHORES).order_by()
    return dict(rows.values_list("brand").annotate(number=Count("pk")))


def _last_audits(brand_ids: Iterable[UUID]) -> dict[UUID, float | None]:
    audits = Run.objects.filter(kind=Run.Kind.AUDIT, score__isnull=False).last_asked()
    return dict(audits.first_of_each(brand_ids).values_list("brand", "score"))


def _account(user: User | None) -> AccountUse:
    if user is None:
        raise TypeError("A portfolio belongs to somebody.")
    used = quotas(user)
    return AccountUse(
        sites=Quota(limit=user.limit("max_sites"), used=user.brands.count()),
        credits=used[Usage.Kind.CREDITS],
        drafts=used[Usage.Kind.DRAFTS],
        writer_calls=used[Usage.Kind.WRITER_CALLS],
    )


def _slots(brand: Brand, until: datetime | None) -> int:
    """How many scans of the brand are scheduled until then."""
    slot, number = brand.next_run_at, 0
    while slot is not None and until is not None and slot < until:
        number += slot >= timezone.now()
        slot = next_slot(brand, slot)
    return number


def _summary(
    sites: Sequence[SiteSummary], totals: Totals, forecast: CreditsForecast, *, sees_scores: bool
) -> list[Worded]:
    scores = scores_words(sites)
    sentences = [scores] if scores else []
    if sees_scores and totals.sites > totals.measured:
        names = [site.name for site in sites if site.score is None]
        sentences.append(worded(lambda theirs: f"Not measured yet: {listed([*map(theirs, names)])}."))
    if not forecast.is_enough:
        need = f"The scans that are scheduled need {forecast.scheduled} credits"
        sentences.append(Worded(f"{need}; {forecast.left} are left until renewal."))
    return sentences

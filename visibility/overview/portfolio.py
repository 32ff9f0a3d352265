"""All of a caller's brands at a glance, with what the account may still use."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Count
from django.db.models.functions import Coalesce
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import quotas
from apikeys.models import Usage, User
from apikeys.resources import Quota, Worded, worded
from apikeys.scopes import Scope
from brands.models import Brand, Cadence
from visibility.counts.sums import rounded
from visibility.counts.words import listed
from visibility.models import DailyScore, Recommendation, Run
from visibility.overview.reads import own_scores, roles_of, scan_credits, scores_words
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
from visibility.scores.change_reads import reported_on

PARTS = {Scope.READ_VISIBILITY: "scores", Scope.READ_RECOMMENDATIONS: "recommendations", Scope.READ_AUDITS: "audits"}


def read_portfolio(caller: Caller) -> Portfolio:
    """The brands that the caller sees, those that lost points first, then the lowest scores; and the quotas of the
    caller's own account."""
    brands = list(Brand.objects.restrict(caller, "view").order_by("name", "id").prefetch_related("change_records"))
    may = {scope: scope in caller.scopes for scope in PARTS}
    recommendations = _open_recommendations(brands) if may[Scope.READ_RECOMMENDATIONS] else None
    sites = _sites(caller, brands, recommendations, may)
    account = _account(caller.user)
    own = [brand for brand in brands if caller.user is not None and brand.owner_id == caller.user.pk]
    until, left = account.credits.resets_at, max(account.credits.limit - account.credits.used, 0)
    scheduled = sum((scan_credits(brand) or 0) * _slots(brand, until) for brand in own if brand.next_run_at)
    forecast = CreditsForecast(scheduled=scheduled, left=left, is_enough=scheduled <= left)
    totals = Totals(
        sites=len(sites),
        measured=sum(site.score is not None for site in sites),
        open_recommendations=None if recommendations is None else sum(recommendations.values()),
    )
    return Portfolio(
        summary=_summary(sites, totals, forecast, sees_scores=may[Scope.READ_VISIBILITY]),
        totals=totals,
        account=account,
        credits_forecast=forecast,
        withheld=[part for scope, part in PARTS.items() if not may[scope]],
        sites=sites,
    )


def _sites(
    caller: Caller, brands: Sequence[Brand], recommendations: Mapping[UUID, int] | None, may: Mapping[Scope, bool]
) -> list[SiteSummary]:
    roles = roles_of(caller, [brand.pk for brand in brands])
    days = _last_days(brands) if may[Scope.READ_VISIBILITY] else {}
    now = {score.brand_id: score for score in own_scores(brands).filter(date=None)} if days else {}
    audits = _last_audits(brands) if may[Scope.READ_AUDITS] else {}
    scans = _last_scans(brands)
    sites = []
    for brand in brands:
        score, day = now.get(brand.pk), days.get(brand.pk)
        sites.append(
            SiteSummary(
                id=brand.pk,
                name=brand.name,
                domain=brand.domain,
                cadence=Cadence(brand.cadence),
                role=roles[brand.pk],
                score=score.score if score else None,
                low=score.low if score else None,
                high=score.high if score else None,
                panel_low=score.figures.get("panelLow") if score else None,
                panel_high=score.figures.get("panelHigh") if score else None,
                answers=score.figures.get("answers") if score else None,
                as_of=day.date if day else None,
                change=day.change if day else None,
                confirmed=_confirmed(brand, day),
                open_recommendations=None if recommendations is None else recommendations.get(brand.pk, 0),
                audit_score=audits.get(brand.pk),
                last_scan=scans.get(brand.pk),
                next_scan=brand.next_run_at,
            )
        )
    return sorted(sites, key=_need)


def _confirmed(brand: Brand, day: DailyScore | None) -> ConfirmedChange | None:
    record = reported_on(brand.change_records.all(), day.date) if day and day.date else None
    return ConfirmedChange(since=record.began, delta=rounded(record.delta)) if record else None


def _need(site: SiteSummary) -> tuple[object, ...]:
    """Sites that lost points come first, then those that answers mention least; those never asked last."""
    fall = min(site.confirmed.delta, 0.0) if site.confirmed else 0.0
    return fall, site.score is None, site.score or 0.0, site.name


def _last_days(brands: Iterable[Brand]) -> dict[UUID, DailyScore]:
    days = own_scores(brands).exclude(date=None).order_by("brand_id", "-date").distinct("brand_id")
    return {day.brand_id: day for day in days}


def _open_recommendations(brands: Iterable[Brand]) -> dict[UUID, int]:
    rows = Recommendation.objects.filter(brand__in=brands, status=Recommendation.Status.OPEN)
    rows = rows.exclude(kind__in=CHORES).order_by()
    return dict(rows.values_list("brand").annotate(number=Count("pk")))


def _last_audits(brands: Iterable[Brand]) -> dict[UUID, float | None]:
    audits = Run.objects.filter(brand__in=brands, kind=Run.Kind.AUDIT, score__isnull=False)
    return dict(audits.order_by("brand_id", "-created_at").distinct("brand_id").values_list("brand", "score"))


def _last_scans(brands: Iterable[Brand]) -> dict[UUID, datetime]:
    scans = Run.objects.filter(brand__in=brands, kind=Run.Kind.VISIBILITY).not_refused()
    # Imported answers are older than their import.
    newest = scans.annotate(asked_at=Coalesce("started_at", "created_at")).order_by("brand_id", "-asked_at")
    return dict(newest.distinct("brand_id").values_list("brand", "asked_at"))


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

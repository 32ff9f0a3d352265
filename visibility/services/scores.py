"""The measured visibility of a brand, put together for those who read it at once."""

from datetime import date
from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.snapshot import snapshot
from visibility.models import DailyScore
from visibility.resources import TREND_FIELDS, TrendItem
from visibility.score_resources import BrandShare, VisibilityScores
from visibility.services.change import change_report
from visibility.services.reading import trend


@snapshot()
def visibility_scores(
    caller: Caller, *, brand_id: UUID, first: date, last: date, engine: str | None = None
) -> VisibilityScores:
    """The latest measured day, the days from `first` to `last`, all brands' shares, and what changed.

    With `engine` the figures by engine are those of this one alone. Raises not_found, and invalid_arguments for an
    engine that was not asked on any of these days.
    """
    days = trend(caller, brand_id=brand_id, first=first, last=last).trend
    report = change_report(caller, brand_id=brand_id)
    scores = DailyScore.objects.for_caller(caller).filter(brand=brand_id, date=report.as_of)
    own = scores.filter(competitor=None).values(*TREND_FIELDS).first()
    now = TrendItem.model_validate(own) if own else None
    if engine is not None:
        _require_measured(engine, [*days, now] if now else days)
        days = [_only(engine, day) for day in days]
        now = _only(engine, now) if now else None
    return VisibilityScores(
        site=brand_id,
        as_of=report.as_of,
        now=now,
        by_engine=now.engines if now else [],
        trend=days,
        share_of_voice=_shares(caller, brand_id, report.as_of),
        change=next((subject for subject in report.subjects if subject.competitor is None and subject.change), None),
        budgets=report.budgets,
    )


def _require_measured(engine: str, days: list[TrendItem]) -> None:
    measured = sorted({row.engine for day in days for row in day.engines})
    if engine not in measured:
        known = f"Measured there: {', '.join(measured)}." if measured else "No engine was measured there."
        raise invalid("engine", f"This engine was not asked on these days. {known}")


def _only(engine: str, day: TrendItem) -> TrendItem:
    return day.model_copy(update={"engines": [row for row in day.engines if row.engine == engine]})


def _shares(caller: Caller, brand_id: UUID, day: date | None) -> list[BrandShare]:
    rows = DailyScore.objects.for_caller(caller).filter(brand=brand_id, date=day)
    named = rows.select_related("brand", "competitor").order_by("competitor__name", "competitor_id")
    shares = [
        BrandShare(
            competitor=row.competitor_id,
            name=row.competitor.name if row.competitor else row.brand.name,
            score=row.score,
            low=row.low,
            high=row.high,
            share_of_voice=row.share_of_voice,
            share_of_voice_low=row.share_of_voice_low,
            share_of_voice_high=row.share_of_voice_high,
        )
        for row in named
    ]
    return sorted(shares, key=lambda share: share.competitor is not None)

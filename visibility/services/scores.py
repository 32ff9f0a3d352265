"""The measured visibility of a brand, put together for those who read it at once."""

from datetime import date
from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.snapshot import snapshot
from brands.models import Brand
from visibility.models import DailyScore
from visibility.resources import TREND_FIELDS, TrendItem
from visibility.score_resources import BrandShare, VisibilityScores
from visibility.services.change import change_of, latest_scores
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
    scores = latest_scores(caller, brand_id=brand_id)
    report = change_of(scores)
    now = _trend_item(scores.latest[0]) if scores.latest else None
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
        share_of_voice=[_share(scores.brand, row) for row in scores.latest],
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


def _trend_item(row: DailyScore) -> TrendItem:
    return TrendItem.model_validate({name: getattr(row, name) for name in TREND_FIELDS})


def _share(brand: Brand, row: DailyScore) -> BrandShare:
    return BrandShare(
        competitor=row.competitor_id,
        name=row.competitor.name if row.competitor else brand.name,
        score=row.score,
        low=row.low,
        high=row.high,
        share_of_voice=row.share_of_voice,
        share_of_voice_low=row.share_of_voice_low,
        share_of_voice_high=row.share_of_voice_high,
    )

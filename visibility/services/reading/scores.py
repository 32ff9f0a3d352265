"""The measured visibility of a brand, put together for those who read it at once."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

import orjson

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from visibility.models import DailyScore
from visibility.resources.brands import TREND_FIELDS
from visibility.resources.scores import BrandShare, VisibilityScores
from visibility.services.reading.changes import LatestScores, change_of, latest_scores
from visibility.services.reading.now import now_body
from visibility.services.reading.reporting import trend_body, trend_item

Item = dict[str, Any]


def visibility_scores(
    caller: Caller, *, brand_id: UUID, first: date, last: date, engine: str | None = None
) -> VisibilityScores:
    """The latest measured day, the days from `first` to `last`, all brands' shares, and what changed.

    With `engine` the figures by engine are those of this one alone. Raises not_found, and invalid_arguments for an
    engine that was not asked on any of these days.
    """
    body = scores_body(caller, brand_id=brand_id, first=first, last=last, engine=engine)
    return VisibilityScores.model_validate_json(orjson.dumps(body))


@snapshot()
def scores_body(
    caller: Caller, *, brand_id: UUID, first: date, last: date, engine: str | None = None
) -> dict[str, Any]:
    """As `visibility_scores`, in the form that orjson writes the resource from, for answers that only pass it on."""
    days: list[Item] = trend_body(caller, brand_id=brand_id, first=first, last=last)["trend"]
    scores = latest_scores(caller, brand_id=brand_id)
    report = change_of(scores)
    now = _now(scores)
    if engine is not None:
        _show_only(brand_id, engine, days, now)
    own = next((subject for subject in report.subjects if subject.competitor is None and subject.change), None)
    if own and engine is not None:
        own.changes = [change for change in own.changes if change.engine in (None, engine)]
    return {
        "site": brand_id,
        "asOf": report.as_of,
        "now": now,
        "byEngine": now["engines"] if now else [],
        "trend": days,
        "shareOfVoice": [_share(row).model_dump(mode="json") for row in scores.latest],
        "change": own.model_dump(mode="json") if own else None,
        "budgets": report.budgets.model_dump(mode="json"),
    }


def _now(scores: LatestScores) -> Item | None:
    if not scores.latest:
        return None
    item = trend_item([scores.latest[0][name] for name in TREND_FIELDS])
    return now_body(scores.now, item | {"engines": orjson.loads(scores.latest[0]["engines"])})


def _show_only(brand_id: UUID, engine: str, days: Sequence[Item], now: Item | None) -> None:
    """Leave the figures of the other engines out."""
    measured = _keep(engine, days)
    if now:
        measured |= {row["engine"] for name in ("engines", "leftOut") for row in now[name]}
        for name in ("engines", "leftOut"):
            now[name] = [row for row in now[name] if row["engine"] == engine]
    if engine not in measured:
        # The figures of earlier days are known, too: then there is just nothing to show in this window.
        measured |= _ever_measured(brand_id)
    if engine not in measured:
        known = f"Measured there: {', '.join(sorted(measured))}." if measured else "No engine was measured there."
        raise invalid("engine", f"No engine of this name was ever asked for this site. {known}")


def _keep(engine: str, days: Sequence[Item]) -> set[str]:
    """Leave the other engines out of these days; gives the engines that they had."""
    measured = set()
    for day in days:
        rows = orjson.loads(orjson.dumps(day["engines"]))
        measured |= {row["engine"] for row in rows}
        day["engines"] = [row for row in rows if row["engine"] == engine]
    return measured


def _ever_measured(brand_id: UUID) -> set[str]:
    rows = DailyScore.objects.filter(brand=brand_id, competitor=None).order_by().values_list("engines", flat=True)
    return {item["engine"] for engines in rows for item in engines}


def _share(row: Mapping[str, Any]) -> BrandShare:
    return BrandShare(
        competitor=row["competitor_id"],
        name=row["competitor__name"] or row["brand__name"],
        score=row["score"],
        low=row["low"],
        high=row["high"],
        share_of_voice=row["share_of_voice"],
        share_of_voice_low=row["share_of_voice_low"],
        share_of_voice_high=row["share_of_voice_high"],
    )

"""Where a brand and its competitors stand, now or on a measured day: every figure, by engine and over all engines."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.measured.now import Now
from visibility.models import DailyScore
from visibility.resources.brands import ChangeReport
from visibility.resources.figures import EngineFigures, Figure, Figures, FiguresReport, ScoreDetails, SubjectFigures
from visibility.resources.now import NowItem
from visibility.services.reading.changes import change_of, latest_rows
from visibility.services.reading.now import item_of_row

_MAIN = {
    "score": "",
    "share_of_voice": "share_of_voice_",
    "prominence": "prominence_",
    "citation_rate": "citation_rate_",
}
"""The figures that a score has columns for, and what the columns of their intervals begin with."""


@snapshot()
def figures_and_changes(caller: Caller, brand: Brand) -> tuple[NowItem, ChangeReport, FiguresReport]:
    """What is measured now, what changed, and where everybody stands, of one reading of a brand that was read through
    `caller`; not before the first day. Raises insufficient_scope."""
    caller.require(Scope.READ_VISIBILITY)
    scores = latest_rows(caller, brand)
    now = scores.now
    return item_of_row(now, now.rows[0], scores.told_rows), change_of(scores), figures_now(now, brand)


def figures_now(now: Now, brand: Brand) -> FiguresReport:
    """Where everybody stands now, each engine on its own day."""
    return _report(
        brand, now.basis.latest, now.rows, {engine_day.engine: engine_day.day for engine_day in now.basis.engines}
    )


def _report(brand: Brand, day: date | None, rows: Sequence[DailyScore], days: Mapping[str, date]) -> FiguresReport:
    return FiguresReport(
        brand=brand.pk,
        as_of=day if rows else None,
        subjects=[
            SubjectFigures(
                competitor=row.competitor_id,
                name=row.competitor.name if row.competitor else brand.name,
                **_figures(row, days),
            )
            for row in rows
        ],
    )


def _figures(row: DailyScore, days: Mapping[str, date]) -> dict[str, Any]:
    """All of a score's figures over all engines and by engine; the columns hold the main ones."""
    details = ScoreDetails.model_validate(row.details)
    counts = {"prompts": row.prompts, "topics": row.topics, "answers": row.answers}
    main = {
        name: {
            "value": getattr(row, name),
            **{end: getattr(row, f"{prefix}{end}") for end in ("low", "high", "interval")},
            "no_interval": details.no_interval.get(name),
        }
        for name, prefix in _MAIN.items()
    }
    main["prominence"]["bounds"] = row.prominence_bounds
    return {
        "overall": Figures.model_validate({**dict(details.overall), **main, **counts}),
        "engines": [
            EngineFigures(
                **dict(details.engines.get(item["engine"], {})),
                engine=item["engine"],
                as_of=days.get(item["engine"], row.date),
                answers=item["answers"],
                score=Figure.model_validate({"value": item["score"], **item}),
            )
            for item in row.engines
        ],
    }

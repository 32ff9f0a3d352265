"""The measured visibility of a brand, put together for those who read it at once."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

import orjson

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.db.written import Written, written
from apikeys.resources import FOR_AGENTS
from visibility.detection.types import BRAND
from visibility.measured.topic_table import TopicTable, read_topic_table
from visibility.resources.now import NowItem
from visibility.resources.plans import Budgets
from visibility.resources.scores import BrandShare, VisibilityScores
from visibility.services.reading.asked_engines import require_asked
from visibility.services.reading.changes import LatestScores, change_of, latest_scores
from visibility.services.reading.now import now_item
from visibility.services.reading.reporting import measured_days, measured_span, trend_items
from visibility.services.reading.statements import DAY
from visibility.services.reading.topics import topic_items, topic_scores

Row = Sequence[Any]
_ENGINES = DAY.fields.index("engines")
MAX_TOPICS = 50
"""Of the scores; each is given where it is asked for."""
_NO_FIGURES: dict[str, Any] = {
    **dict.fromkeys(("topic", "now", "change")),
    **{name: [] for name in ("by_engine", "topics", "trend", "share_of_voice")},
    "more_topics": 0,
    "budgets": Budgets(),
}


def visibility_scores(
    caller: Caller, *, brand_id: UUID, first: date, last: date, engine: str | None = None, topic: str | None = None
) -> VisibilityScores:
    """The latest measured day, everybody on each topic, the days from `first` to `last`, all brands' shares, and what
    changed; with a `topic` nothing but its figures.

    With `engine` the figures by engine, and those of topics, are those of this one alone. Raises not_found, and
    invalid_arguments for an engine that was not asked on any of these days and for a topic that there is not.
    """
    parts = _scores(caller, brand_id=brand_id, first=first, last=last, engine=engine, topic=topic)
    return written(VisibilityScores, reader={}, **parts).read()


def written_scores(
    caller: Caller, *, brand_id: UUID, first: date, last: date, engine: str | None = None, topic: str | None = None
) -> Written[VisibilityScores]:
    """As `visibility_scores`, for agents, who get it passed on."""
    parts = _scores(caller, brand_id=brand_id, first=first, last=last, engine=engine, topic=topic)
    return written(VisibilityScores, reader=FOR_AGENTS, **parts)


@snapshot()
def _scores(
    caller: Caller, *, brand_id: UUID, first: date, last: date, engine: str | None, topic: str | None
) -> dict[str, Any]:
    """The fields of `VisibilityScores`."""
    days = measured_days(caller, brand_id=brand_id, first=first, last=last)
    first_day, _ = measured_span(caller, brand_id=brand_id)
    scores = latest_scores(caller, brand_id=brand_id)
    now = _now(scores)
    if engine is not None:
        days, now = _of_engine(brand_id, engine, days, now)
    table = _topics(scores, engine)
    if topic is not None:
        return _NO_FIGURES | {
            "site": brand_id,
            "first_day": first_day,
            "as_of": scores.day,
            "topic": topic_scores(table, topic, first=first, last=last, engine=engine),
        }
    report = change_of(scores)
    brand_subject = next(
        (subject for subject in report.subjects if subject.competitor is None and subject.change), None
    )
    if brand_subject and engine is not None:
        brand_subject.changes = [change for change in brand_subject.changes if change.engine in (None, engine)]
    return _NO_FIGURES | {
        "site": brand_id,
        "first_day": first_day,
        "as_of": report.as_of,
        "now": now,
        "by_engine": now.engines if now else [],
        "topics": topic_items(table, MAX_TOPICS),
        "more_topics": max(0, len(table.rows) - MAX_TOPICS),
        "trend": trend_items(brand_id, days, engine),
        "share_of_voice": [_share(row) for row in scores.latest],
        "change": brand_subject,
        "budgets": report.budgets,
    }


def _topics(scores: LatestScores, engine: str | None) -> TopicTable:
    rows = scores.latest
    names = {str(row["competitor_id"] or BRAND): row["competitor__name"] or row["brand__name"] for row in rows}
    return read_topic_table(scores.now.basis, names, [row.engine for row in scores.now.averaged], engine=engine)


def _now(scores: LatestScores) -> NowItem | None:
    if not scores.latest:
        return None
    latest_row = scores.latest[0]
    figures = {name: orjson.loads(latest_row[name]) if latest_row[name] is not None else None for name in DAY.stored}
    return now_item(scores.now, {name: latest_row[name] for name in DAY.fields} | figures, scores.told_rows)


def _of_engine(
    brand_id: UUID, engine: str, days: Sequence[Row], now: NowItem | None
) -> tuple[list[Row], NowItem | None]:
    """The same without the figures of the other engines."""
    measured, rows = _days_of(engine, days)
    if now:
        measured |= {row.engine for row in now.engines} | {row.engine for row in now.left_out}
        engines = [row for row in now.engines if row.engine == engine]
        told_rows = [record for record in now.change_records if record.engine in (None, engine)]
        left_out = [row for row in now.left_out if row.engine == engine]
        now = now.model_copy(update={"engines": engines, "left_out": left_out, "change_records": told_rows})
    require_asked(brand_id, engine, measured)
    return rows, now


def _days_of(engine: str, days: Sequence[Row]) -> tuple[set[str], list[Row]]:
    """The engines that these days had, and the days without the others."""
    measured: set[str] = set()
    rows: list[Row] = []
    for day in days:
        items = orjson.loads(day[_ENGINES])
        measured |= {item["engine"] for item in items}
        engine_items = orjson.dumps([item for item in items if item["engine"] == engine]).decode()
        rows.append((*day[:_ENGINES], engine_items, *day[_ENGINES + 1 :]))
    return measured, rows


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
        interval=row["interval"],
        share_of_voice_interval=row["share_of_voice_interval"],
    )

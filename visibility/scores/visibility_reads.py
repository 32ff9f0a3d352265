"""The visibility of a site as agents read it: now, by engine, of all competitors, its days and its changes."""

from datetime import date, timedelta
from uuid import UUID

from django.db.models import Max, Min

from apikeys.caller import Caller
from brands.access import readable_brand
from visibility.models import DailyScore, Topic
from visibility.scores.change_reads import changes_of
from visibility.scores.engines import asked_engine
from visibility.scores.now_reads import (
    Filter,
    days_of,
    engines_of_now,
    figures_of_now,
    left_out_of_now,
    now_of,
    standings_of,
)
from visibility.scores.now_resources import Visibility
from visibility.scores.windows import DEFAULT_DAYS, days_between
from visibility.scores.words import RECOUNTING, change_words, foreign_topic_words, score_words, standing_words

SHORT_STANDINGS = 9
SHORT_CHANGES = 3


def read_visibility(
    caller: Caller,
    brand_id: UUID,
    *,
    window: tuple[date, date] | None = None,
    engine: str | None = None,
    topic: Topic | None = None,
    full: bool = False,
) -> Visibility:
    """The visibility of a brand, or of one engine or topic of it: a filter filters everything.

    Without a window: the last 30 days, or where nothing was measured in them, the 30 days up to the last measured
    one. Raises not_found; invalid_arguments for an engine that was never asked, with those that were.
    """
    brand = readable_brand(caller, brand_id)
    if engine is not None:
        engine = asked_engine(brand, engine)
    only = Filter(engine, topic)
    measured = DailyScore.objects.of_brand(brand).aggregate(first=Min("date"), last=Max("date"))
    first, last = window or _last_days(measured["last"])
    now = now_of(brand, only)
    figures, standings = figures_of_now(now), standings_of(now)
    trend = days_of(brand, only, first, last, full=full)
    changes = changes_of(brand, first, last, full=full) if only.is_empty else []
    name = brand.name + (f" on {engine}" if engine else "") + (" in this topic" if topic else "")
    summary = [score_words(name, figures, len(now.counted.counts.averaged)), standing_words(name, standings)]
    if only.is_empty and figures:
        summary.append(change_words(brand.name, changes, len(trend)))
    if topic is not None and topic.own is False:
        summary.append(foreign_topic_words(brand.name))
    if brand.is_recounting:
        summary.append(RECOUNTING)
    return Visibility(
        site_id=brand.pk,
        engine=engine,
        topic=topic.name if topic else None,
        summary=[sentence for sentence in summary if sentence],
        now=figures,
        by_engine=engines_of_now(now),
        left_out=left_out_of_now(now) if only.is_empty else [],
        share_of_voice=[
            each
            for place, each in enumerate(standings)
            if full or place < SHORT_STANDINGS or each.competitor_id is None
        ],
        changes_total=len(changes),
        changes=changes if full else changes[:SHORT_CHANGES],
        first_day=measured["first"],
        last_day=measured["last"],
        trend=trend,
        is_recounting=brand.is_recounting,
    )


def _last_days(last: date | None) -> tuple[date, date]:
    first, today = days_between(None, None)
    if last is None or last >= first:
        return first, today
    return last - timedelta(days=DEFAULT_DAYS - 1), last

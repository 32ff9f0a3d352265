"""The visibility of a site as agents read it: now, by engine, of all competitors, its days and its changes."""

from collections.abc import Sequence
from datetime import date, timedelta
from uuid import UUID

from django.db.models import Max, Min

from apikeys.accounts.caller import Caller
from apikeys.resources import worded
from brands.access import readable_brand
from brands.later import is_counted_again
from brands.models import Brand
from visibility.counts.figures import engines_of, figures_of, left_out_of, secondary_figures, standings_of
from visibility.counts.reader import select_between, select_now
from visibility.counts.words import foreign_topic_words, score_words, standing_words
from visibility.models import DailyScore, Topic
from visibility.scores.change_reads import changes_of
from visibility.scores.days import daily_scores, day_counts
from visibility.scores.engines import asked_engine
from visibility.scores.now_resources import DayScore, Visibility
from visibility.scores.resources import TrendItem
from visibility.scores.windows import DEFAULT_DAYS, days_between
from visibility.scores.words import RECOUNTING, change_words

SHORT_STANDINGS = 8
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
    engines, topics = [engine] if engine else [], [topic] if topic else []
    is_whole = not engines and not topics
    measured = DailyScore.objects.of_brand(brand).aggregate(first=Min("date"), last=Max("date"))
    first, last = window or _last_days(measured["last"])
    now = select_now(brand).narrow(engines=engines, topics=topics)
    figures, by_engine, standings = figures_of(now), engines_of(now), standings_of(now)
    if is_whole:
        days = list(DailyScore.objects.of_brand(brand).between(first, last))
    else:
        days = _days_of_part(brand, first, last, engines, topics)
    changes = changes_of(brand, first, last, full=full) if is_whole else []
    part = (f" on {engine}" if engine else "") + (" in this topic" if topic else "")
    name = worded(lambda theirs: f"{theirs(brand.name)}{part}")
    summary = [score_words(name, figures, by_engine), standing_words(name, standings)]
    if is_whole and figures:
        summary.append(change_words(brand.name, changes, len(days)))
    if topic is not None and topic.own is False:
        summary.append(foreign_topic_words(brand.name))
    if is_recounting := is_counted_again(brand):
        summary.append(RECOUNTING)
    return Visibility(
        site_id=brand.pk,
        engine=engine,
        topic=topic.name if topic else None,
        summary=[sentence for sentence in summary if sentence],
        now=figures,
        secondary=secondary_figures(now) if full else None,
        by_engine=by_engine,
        left_out=left_out_of(now) if is_whole else [],
        share_of_voice=[
            each
            for place, each in enumerate(standings)
            if full or place < SHORT_STANDINGS or each.competitor_id is None
        ],
        changes_total=len(changes),
        changes=changes if full else changes[:SHORT_CHANGES],
        first_day=measured["first"],
        last_day=measured["last"],
        trend=[_day(day, full=full) for day in days],
        is_recounting=is_recounting,
    )


def _days_of_part(
    brand: Brand, first: date, last: date, engines: Sequence[str], topics: Sequence[Topic]
) -> list[DailyScore]:
    """The measured days of some engines or topics; they have no verdicts."""
    part = select_between(brand, first, last).narrow(engines=engines, topics=topics)
    return [daily_scores(brand, day, day_counts(brand, sums))[0] for day, sums in part.sums_of_days.items()]


def _day(day: DailyScore, *, full: bool) -> DayScore | TrendItem:
    if full:
        columns = ("date", "comparable", "change", "runs")
        return TrendItem(**day.every_figure, **{name: getattr(day, name) for name in columns})
    return DayScore(date=day.date, verdict=day.change["verdict"] if day.change else None, **day.every_figure)


def _last_days(last: date | None) -> tuple[date, date]:
    first, today = days_between(None, None)
    if last is None or last >= first:
        return first, today
    return last - timedelta(days=DEFAULT_DAYS - 1), last

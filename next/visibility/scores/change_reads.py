"""Reads of the changes that may be spoken of: what each is made of, and what else changed over the same days."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from django.db.models import Avg, Count, Q

from brands.models import Brand
from visibility.models import Answer, ChangeRecord, Citation, DailyScore, PromptVersion, Topic
from visibility.scores.now_resources import (
    ChangeResource,
    MeanBefore,
    Neighbour,
    Neighbours,
    Part,
    Parts,
    ValueOn,
)

MOST_NEIGHBOURS = 5
SHORT_PARTS = 3
LEAST_SHARE = 10.0
"""A source is listed beside a change when the share of answers that cite it differs by so many points."""


def changes_of(brand: Brand, first: date, last: date, *, full: bool) -> list[ChangeResource]:
    """The changes that were reported at some time of a window, the latest first."""
    records = ChangeRecord.objects.filter(brand=brand, known_on__lte=last, reported_until__gte=first)
    return [
        _resource(brand, record, None if full else SHORT_PARTS) for record in records.order_by("-began", "engine")
    ]


def _resource(brand: Brand, record: ChangeRecord, most: int | None) -> ChangeResource:
    return ChangeResource(
        subject=brand.name,
        engine=record.engine or None,
        since=record.began,
        from_=MeanBefore(value=record.before, days=record.before_days),
        to=ValueOn(value=record.after, day=record.after_day),
        delta=record.delta,
        low=record.low,
        high=record.high,
        known_by=record.known_by,
        state=record.state,
        parts=_parts(brand, record.parts, most),
        beside=_beside(brand, record),
    )


def _parts(brand: Brand, stored: dict[str, list[dict[str, Any]]], most: int | None) -> Parts:
    topics, wordings = (stored.get(name, []) for name in ("topics", "wordings"))
    of_topics = Topic.objects.filter(brand=brand, pk__in=_keys(topics))
    of_wordings = PromptVersion.objects.filter(prompt__brand=brand, pk__in=_keys(wordings))
    topic_names = {str(pk): name for pk, name in of_topics.values_list("pk", "name")}
    texts = {str(pk): text for pk, text in of_wordings.values_list("pk", "text")}
    engines = stored.get("engines", [])
    return Parts(
        topics=_named(topics, topic_names, most),
        engines=_named(engines, {key: key for key in _keys(engines)}, most),
        wordings=_named(wordings, texts, most),
    )


def _keys(parts: Sequence[dict[str, Any]]) -> list[str]:
    return [part["key"] for part in parts if part["key"]]


def _named(parts: Sequence[dict[str, Any]], names: dict[str, str], most: int | None) -> list[Part]:
    """The largest parts by their names, and the others as one, so that they still sum to the change."""
    shown = [Part(name=names.get(part["key"]), points=part["points"]) for part in parts]
    if most is None or len(shown) <= most:
        return shown
    return [*shown[:most], Part(name=None, points=round(sum(part.points for part in shown[most:]), 2))]


def _beside(brand: Brand, record: ChangeRecord) -> Neighbours:
    measured = DailyScore.objects.of_brand(brand).filter(date__lt=record.began).order_by("-date")
    before = list(measured.values_list("date", flat=True)[: record.before_days])
    return Neighbours(
        competitors=_competitors(brand, before, record.after_day), sources=_sources(brand, before, record.after_day)
    )


def _competitors(brand: Brand, before: Collection[date], after: date) -> list[Neighbour]:
    scores = DailyScore.objects.filter(brand=brand, competitor__isnull=False).order_by()
    means = scores.values_list("competitor__name").annotate(
        before=Avg("score", filter=Q(date__in=before)), after=Avg("score", filter=Q(date=after))
    )
    return _largest((name, was, became) for name, was, became in means if was is not None and became is not None)


def _sources(brand: Brand, before: Collection[date], after: date) -> list[Neighbour]:
    """The sites that answers cite clearly more or less often than before."""
    answers = Answer.objects.filter(brand=brand).answered()
    of_before, of_after = answers.filter(day__in=before).count(), answers.filter(day=after).count()
    if not of_before or not of_after:
        return []
    cited = Citation.objects.filter(brand=brand, day__in=[*before, after]).order_by().values_list("domain")
    counted = cited.annotate(
        before=Count("answer", distinct=True, filter=Q(day__in=before)),
        after=Count("answer", distinct=True, filter=Q(day=after)),
    )
    shares = ((domain, 100 * was / of_before, 100 * became / of_after) for domain, was, became in counted)
    return _largest(each for each in shares if abs(each[2] - each[1]) >= LEAST_SHARE)


def _largest(neighbours: Any) -> list[Neighbour]:
    found = sorted(neighbours, key=lambda each: (-abs(each[2] - each[1]), each[0]))[:MOST_NEIGHBOURS]
    return [Neighbour(name=name, before=round(was, 2), after=round(became, 2)) for name, was, became in found]

"""Reads of the changes that may be spoken of: what each is made of, and what else changed over the same days."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from brands.models import Brand
from visibility.models import ChangeRecord, PromptVersion, Topic
from visibility.scores.now_resources import (
    ChangeResource,
    MeanBefore,
    Neighbour,
    Neighbours,
    Part,
    Parts,
    ValueOn,
)

SHORT_PARTS = 2
SHORT_NEIGHBOURS = 2


def changes_of(brand: Brand, first: date, last: date, *, full: bool) -> list[ChangeResource]:
    """The changes that were reported at some time of a window, the latest first; in short with the largest parts."""
    records = ChangeRecord.objects.filter(brand=brand, known_on__lte=last, reported_until__gte=first)
    return [_resource(brand, record, full=full) for record in records.order_by("-began", "engine")]


def _resource(brand: Brand, record: ChangeRecord, *, full: bool) -> ChangeResource:
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
        parts=_parts(brand, record.parts, None if full else SHORT_PARTS),
        beside=_beside(brand, record.context, None if full else SHORT_NEIGHBOURS),
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
        wordings=_named(wordings, texts, most) if most is None else None,
    )


def _keys(parts: Sequence[dict[str, Any]]) -> list[str]:
    return [part["key"] for part in parts if part["key"]]


def _named(parts: Sequence[dict[str, Any]], names: dict[str, str], most: int | None) -> list[Part]:
    """The largest parts by their names, and the others as one, so that they still sum to the change."""
    shown = [Part(name=names.get(part["key"]), points=part["points"]) for part in parts]
    if most is None or len(shown) <= most:
        return shown
    return [*shown[:most], Part(name=None, points=round(sum(part.points for part in shown[most:]), 2))]


def _beside(brand: Brand, stored: dict[str, list[dict[str, Any]]], most: int | None) -> Neighbours:
    """What the record says that was otherwise over its days, sources by the share of answers that cite them."""
    names = {str(competitor.pk): competitor.name for competitor in brand.competitors.all()}
    return Neighbours(
        competitors=[
            Neighbour(name=names[row["key"]], before=row["before"], after=row["after"])
            for row in stored.get("competitors", [])
            if row["key"] in names
        ][:most],
        sources=[
            Neighbour(
                name=row["domain"],
                before=round(100 * row["before"] / row["ofBefore"], 2),
                after=round(100 * row["after"] / row["ofAfter"], 2),
            )
            for row in stored.get("sources", [])[:most]
        ],
    )

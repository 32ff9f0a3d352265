"""Which generation of figures a brand has, and when it needs a next one."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from brands.models import Brand
from brands.services.access import lock_brand
from visibility.jobs.kinds import GENERATION
from visibility.jobs.lease import NO_LEASE
from visibility.jobs.queue import enqueue
from visibility.measured.names import DETECTOR, Vocabulary, classes_stamp, found_by, vocabulary_of
from visibility.models import DailyScore, Generation, LeftOutTopic, Prompt, Run, RunScore, TopicChoice

logger = logging.getLogger(__name__)

BRANDS_PER_TICK = 100
_State = Generation.State


@dataclass(frozen=True, slots=True)
class Planned:
    """The current generation of a brand, and the next one where it is being built.

    `is_measured`: whether a measured day is of the current one. `analysed` answers count in each.
    """

    current: Generation
    building: Generation | None
    is_measured: bool
    analysed: Mapping[UUID, int]


@transaction.atomic
def plan_generation(brand: Brand) -> Generation:
    """Have a next generation built where names, domains, classes, own topics or detector are no longer those of the
    figures.

    Returns the current one. Where it holds no figures, one with the names of now takes its place at once. A next one
    for names that have changed again, or back, is given up. What a newer detector makes, or has made, for the same
    names stays. Can be repeated at any time. Locks the brand's row, then those of its generations, as all do that
    need both.
    """
    locked_brand = lock_brand(brand)
    return plan_in_held(locked_brand, vocabulary_of(locked_brand)).current


def plan_in_held(brand: Brand, vocabulary: Vocabulary) -> Planned:
    """As `plan_generation`, in the transaction of who holds the brand: `vocabulary` is its own as it is now."""
    rows = {row.state: row for row in _in_use(brand)}
    current, building = rows.get(_State.CURRENT), rows.get(_State.BUILDING)
    analysed = {row.pk: row.analysed for row in rows.values()}
    if current and not _serves(current, vocabulary) and not (current.is_measured or current.is_compared):
        retire(current)
        current = None
    needed = current is not None and not _serves(current, vocabulary)
    if building and not (_serves(building, vocabulary) and (needed or _newer(building, current))):
        retire(building)
        building = None
    for generation in filter(None, (current, building)):
        _note_comparison(generation, brand, vocabulary)
    if current is None:
        return Planned(_create(brand, vocabulary, _State.CURRENT), building, False, analysed)
    if needed and building is None:
        building = _create(brand, vocabulary, _State.BUILDING, current)
        transaction.on_commit(partial(enqueue, GENERATION, building.pk))
    return Planned(current, building, current.is_measured, analysed)


def _in_use(brand: Brand) -> Iterable[Any]:
    """The current and the next generation, and what is of each, in one statement."""
    of_it = OuterRef("pk")
    answers = RunScore.objects.filter(generation=of_it).order_by().values("generation").annotate(sum=Sum("analysed"))
    compared = RunScore.objects.filter(generation=of_it, run__kind=Run.Kind.COMPARISON, stage=RunScore.Stage.ANALYSED)
    in_use: Iterable[Any] = (
        Generation.objects.filter(brand=brand)
        .exclude(state=_State.RETIRED)
        .annotate(
            analysed=Coalesce(Subquery(answers.values("sum")), 0),
            is_measured=Exists(DailyScore.of_all_generations.filter(generation=of_it)),
            is_compared=Exists(compared),
        )
    )
    return in_use


def _note_comparison(generation: Generation, brand: Brand, vocabulary: Vocabulary) -> None:
    """Remember that the generation, where it is made for these names, was compared with them as they are now."""
    now = {"names_version": brand.names_version, "classes": vocabulary.classes_stamp}
    before = {"names_version": generation.names_version, "classes": generation.classes}
    if generation.stamp == vocabulary.stamp and before != now:
        Generation.objects.filter(pk=generation.pk).update(**now)


def _serves(generation: Generation, vocabulary: Vocabulary) -> bool:
    """Whether the generation is made for these names and topics, by this detector or a newer one."""
    is_newest = generation.stamp == vocabulary.stamp and generation.detector >= DETECTOR
    return is_newest and not generation.is_outdated


def _newer(building: Generation, current: Generation | None) -> bool:
    return current is not None and building.detector > current.detector


def _create(
    brand: Brand, vocabulary: Vocabulary, state: Generation.State, before: Generation | None = None
) -> Generation:
    """One for this vocabulary, which is to follow on the one before."""
    generation: Generation = Generation.objects.create(
        brand=brand,
        state=state,
        stamp=vocabulary.stamp,
        detector=DETECTOR,
        names_version=brand.names_version,
        classes=vocabulary.classes_stamp,
        names=vocabulary.as_json(),
        **_since(vocabulary.as_json(), before, timezone.now()),
        current_since=timezone.now() if state == _State.CURRENT else None,
    )
    if state == _State.CURRENT:
        show_topics(generation)
    return generation


def _since(names: Mapping[str, Any], before: Generation | None, now: datetime) -> dict[str, datetime | None]:
    """Since when it is counted by these names, and on these topics."""
    if before is None:
        return {"names_since": now, "topics_since": None}
    are_same = before.detector == DETECTOR and found_by(before.names) == found_by(names)
    on_same = not before.is_outdated and before.names.get("not_own") == names.get("not_own")
    return {
        "names_since": before.names_since if are_same else now,
        "topics_since": before.topics_since if on_same else now,
    }


def show_topics(generation: Generation) -> None:
    """Have the brand's lists leave out the topics that this generation leaves out, in the transaction that makes it
    the current one."""
    LeftOutTopic.objects.filter(brand=generation.brand_id).delete()
    LeftOutTopic.objects.bulk_create(
        LeftOutTopic(brand_id=generation.brand_id, topic=topic) for topic in generation.names.get("not_own", ())
    )


def count_move(prompt: Prompt, before: str) -> None:
    """Have the history counted anew where the prompt has answers and came from another topic (by key), and one of
    both alone counts; in the transaction that moves it and holds its brand."""
    brand = prompt.brand
    not_own = TopicChoice.objects.filter(brand=brand, topic__in=(before, prompt.topic), is_own=False)
    if before != prompt.topic and not_own.count() == 1 and prompt.answers.exists():
        Generation.objects.filter(brand=brand).exclude(state=_State.RETIRED).update(is_outdated=True)
        plan_generation(brand)


def retire(generation: Generation) -> None:
    """Take the generation out of sight and out of the hands of its worker; a job clears it away."""
    Generation.objects.filter(pk=generation.pk).update(
        state=_State.RETIRED,
        attempt=0,
        dispatched_at=None,
        not_before=timezone.now(),
        error_message="",
        **NO_LEASE,
    )


def outdated_brands() -> QuerySet[Brand]:
    """Brands whose names, domains, classes, own topics or detector changed since they were compared with those of
    their figures.

    Two statements, however many brands there are.
    """
    up_to_date = Q(
        names_version=F("brand__names_version"), classes=classes_stamp(), detector__gte=DETECTOR, is_outdated=False
    )
    building = Generation.objects.filter(state=_State.BUILDING)
    current = Generation.objects.filter(state=_State.CURRENT)
    outdated = Q(pk__in=building.exclude(up_to_date).values("brand")) | Q(
        pk__in=current.exclude(up_to_date).exclude(brand__in=building.values("brand")).values("brand")
    )
    brands: QuerySet[Brand] = Brand.objects.filter(outdated)
    return brands


def plan_outdated() -> int:
    """Plan a next generation for brands whose names, domains or detector changed; returns how many were looked at."""
    brands = list(outdated_brands()[:BRANDS_PER_TICK])
    for brand in brands:
        try:
            plan_generation(brand)
        except Exception:  # one brand's trouble must not keep the others waiting; it is looked at again
            logger.exception("The next generation of brand %s could not be planned", brand.pk)
    return len(brands)

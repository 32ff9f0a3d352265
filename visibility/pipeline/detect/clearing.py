"""Clears away a generation that has been replaced or given up, a little at a time."""

from collections.abc import Iterator
from typing import Any

from django.db import models

from visibility.models import (
    ChangeRecord,
    Citation,
    DailyScore,
    DayCount,
    Generation,
    Mention,
    Panel,
    Preference,
    RunScore,
    SourceSighting,
    UntrackedName,
)
from visibility.pipeline.detect.detecting import Guard

CHUNK = 2_000
"""Rows that are deleted in one transaction."""


def clear_steps(generation: Generation, guard: Guard) -> Iterator[None]:
    """Delete the generation with all that belongs to it, step by step; `guard` is the fenced transaction."""
    tables: list[models.Manager[Any]] = [
        Mention.of_all_generations,
        Citation.of_all_generations,
        UntrackedName.of_all_generations,
        Preference.of_all_generations,
        SourceSighting.of_all_generations,
        DailyScore.of_all_generations,
        DayCount.of_all_generations,
        ChangeRecord.of_all_generations,
        RunScore.objects,
    ]
    for rows in tables:
        of_generation = rows.filter(generation=generation).order_by()
        while ids := list(of_generation.values_list("pk", flat=True)[:CHUNK]):
            with guard():
                rows.filter(pk__in=ids).delete()
            yield
    with guard():
        Panel.objects.filter(brand=generation.brand_id, daily_scores=None).delete()
        Generation.objects.filter(pk=generation.pk).delete()

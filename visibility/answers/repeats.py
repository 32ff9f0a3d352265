"""Answers that repeat others of their day word for word: they count once."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models.functions import MD5

from visibility.models import Answer, Run


def day_of(run: Run) -> date:
    """The UTC day that a run counts for."""
    return run.day or run.created_at.date()


def repeated_in(runs: Collection[Run]) -> set[int]:
    """Of the answers of these runs of one brand those whose text an earlier run of the day got for the same wording
    from the same engine. Two statements, however many runs there are."""
    if not runs:
        return set()
    counted = (*Run.ACTIVE, Run.Status.SUCCEEDED, Run.Status.PARTIAL)
    same_days = Run.objects.filter(
        brand__in={run.brand_id for run in runs}, day__in={day_of(run) for run in runs}, status__in=counted
    )
    of_days: dict[tuple[Any, ...], list[Run]] = defaultdict(list)
    for run in same_days:
        of_days[run.brand_id, run.day, run.kind].append(run)
    earlier = {
        run.pk: [each.pk for each in of_days[run.brand_id, day_of(run), run.kind] if each.created_at < run.created_at]
        for run in runs
    }
    texts = _texts({pk for run, those in earlier.items() if those for pk in (run, *those)})
    repeated: set[int] = set()
    for run_id, those in earlier.items():
        given = {text for each in those for _, text in texts[each]}
        repeated |= {pk for pk, text in texts[run_id] if text in given}
    return repeated


def _texts(runs: Collection[UUID]) -> dict[UUID, list[tuple[int, tuple[Any, ...]]]]:
    """By run its answers, each with its place and a digest of its text."""
    texts: dict[UUID, list[tuple[int, tuple[Any, ...]]]] = defaultdict(list)
    if runs:
        answers = Answer.objects.filter(run__in=runs).answered().annotate(digest=MD5("text"))
        for pk, run, *text in answers.values_list("pk", "run", "engine", "surface", "version", "digest"):
            texts[run].append((pk, tuple(text)))
    return texts

"""Measure: from the stored answers of a run to its figures. Starts by looking at rows, and may run twice."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from visibility.answers.detect import Reader, detect
from visibility.models import DailyScore, Run
from visibility.scores.cells import write_cells
from visibility.scores.history import write_history


def measure_run(
    run_id: UUID, reader: Reader | None = None, progress: Callable[[int], None] = lambda number: None
) -> bool:
    """Read what is left of a run's answers, count them, write its day and what is true now.

    Returns whether that was still to be done. `reader` is one that was prepared for the brand already.
    """
    run = Run.objects.active().filter(pk=run_id).select_related("brand").first()
    if run is None:
        return False
    reader = reader or Reader(run.brand)
    detect(reader, run.answers.all(), progress)
    with transaction.atomic():
        run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
        if run is None:
            return False  # another measured it, or it was cancelled, meanwhile
        write_cells(reader, run)
        write_history(reader.brand, {run.day or run.created_at.date()})
        _finish(run)
    return True


def _finish(run: Run) -> None:
    score = DailyScore.objects.of_brand(run.brand).filter(date=run.day).first()
    run.status = Run.Status.SUCCEEDED if not run.failed else Run.Status.PARTIAL
    run.finished_at = run.finished_at or timezone.now()
    run.score, run.low, run.high = (score.score, score.low, score.high) if score else (None, None, None)
    run.save(update_fields=["status", "finished_at", "score", "low", "high"])

"""Measure: from the stored answers of runs to figures. Starts by looking at rows, and may run twice."""

from collections.abc import Callable, Collection
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Value
from django.db.models.functions import Least

from brands.models import Brand
from visibility.answers.detect import Reader, detect, forget_unwatched
from visibility.answers.repeats import day_of
from visibility.models import Answer, Run
from visibility.runs.finish import finish
from visibility.scores.cells import write_cells, write_served
from visibility.scores.history import lock_history, write_history
from visibility.scores.watched import watch_names

RUNS_TOGETHER = 100
"""Runs that are measured in one transaction."""


def measure_waiting(brand: Brand, progress: Callable[[int, int], None] = lambda number, total: None) -> None:
    """Measure the brand's scans and imports whose answers are all there, the oldest day first.

    `progress` is called with the number of answers read since the last call, and of all that are to be read.
    """
    pending = Answer.objects.pending().filter(run=OuterRef("pk"))
    waiting = Run.objects.active().filter(~Exists(pending), brand=brand, kind=Run.Kind.VISIBILITY)
    run_ids = list(waiting.order_by("day", "pk").values_list("pk", flat=True))
    if not run_ids:
        return
    reader, total = Reader(brand), Answer.objects.filter(run__in=run_ids).count()
    for start in range(0, len(run_ids), RUNS_TOGETHER):
        measure_runs(reader, run_ids[start : start + RUNS_TOGETHER], lambda number: progress(number, total))
    watch_names(brand)


def measure_runs(
    reader: Reader, run_ids: Collection[UUID], progress: Callable[[int], None] = lambda number: None
) -> None:
    """Detect mentions in the answers of a brand's runs as far as that is not done, count them, and write their days
    and the figures of now.

    Runs that are not active are skipped: they are measured already, or cancelled.
    """
    detect(reader, Answer.objects.filter(run__in=run_ids), progress)
    with transaction.atomic():
        lock_history(reader.brand.pk)
        forget_unwatched(reader)
        active = Run.objects.active().filter(pk__in=run_ids, brand=reader.brand)
        runs = list(active.select_for_update(of=("self",), no_key=True).order_by("pk"))
        for run in runs:
            if run.done:  # a run without any answer measured nothing
                write_cells(reader, run)
            write_served(run)
        write_history(reader.brand, {day_of(run) for run in runs})
        for run in runs:
            finish(run)
        # Where names changed since the reader was made, and were counted without these runs: count again.
        changed = Brand.objects.filter(pk=reader.brand.pk).exclude(names_version=reader.names_version)
        changed.update(counted_version=Least("counted_version", Value(reader.names_version)))

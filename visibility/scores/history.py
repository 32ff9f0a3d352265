"""History: the scores of a brand's days and of now, written from cells in the transaction of their cause."""

from collections.abc import Collection
from datetime import date
from functools import lru_cache
from itertools import pairwise
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.utils import timezone

from brands.later import defer_advise, defer_for_brand
from brands.models import Brand
from visibility.answers.detect import Reader
from visibility.models import Cell, DailyScore, Run
from visibility.scores.cells import write_cells, write_served
from visibility.scores.changes import stored_change
from visibility.scores.days import counts_of_days, daily_scores, secondary_of_day
from visibility.scores.now import write_now, write_windows
from visibility.scores.records import DAYS_BACK, CountsOf, forget_records, write_context, write_records

REMEMBERED = DAYS_BACK + 12
"""Days, and days together, whose counts are held in memory while days are written one after the other."""

METHOD = 3
"""The version of how answers are counted and figures made: with a higher one cells and history are written again."""


def lock_history(brand_id: UUID) -> None:
    """Lock a brand's cells and scores until the transaction ends; call it first. Edits of names are not blocked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"history:{brand_id}"])


def write_history(brand: Brand, days: Collection[date] | None = None) -> None:
    """Write these days again, and the measured day after each, whose change looks back to it; then now. None: all.

    Call it inside of the transaction that changed what they are made of. A day without cells has no scores.
    """
    cells = Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY)
    measured = list(cells.order_by("day").values_list("day", flat=True).distinct())
    written = set(days or ())
    following = {after for before, after in pairwise(sorted({*measured, *written})) if before in written}
    stale = set(measured) if days is None else written | following
    were_counted = DailyScore.objects.of_brand(brand).exclude(date=None).exists()
    outdated = Brand.objects.filter(pk=brand.pk, method_version__lt=METHOD)
    is_whole = stale >= set(measured)
    if is_whole and were_counted and outdated.exists():
        _write_all_cells(brand)
    DailyScore.objects.filter(brand=brand, date__in=stale).delete()
    counts_of = lru_cache(maxsize=REMEMBERED)(lambda *days: counts_of_days(brand, days))
    unrecorded = forget_records(brand, min(stale, default=date.max))
    for last, day in zip([None, *measured], measured, strict=False):
        if day in stale:
            _write_day(brand, day, counts_of, last)
        if day >= unrecorded:
            write_records(brand, measured, day, counts_of)
    write_context(brand, measured, unrecorded)
    if stale:
        write_windows(brand, min(unrecorded, *stale), max(stale))
    write_now(brand)
    if is_whole:
        outdated.update(method_version=METHOD, **({"recounted_on": timezone.now().date()} if were_counted else {}))
    defer_advise(brand.pk)


def defer_new_method() -> None:
    """Have the history of each brand written again that an older method counted, and no recount is to write."""
    counted = Brand.objects.filter(counted_version=F("names_version"), daily_scores__isnull=False)
    outdated = counted.filter(method_version__lt=METHOD).distinct()
    for brand_id in outdated.values_list("pk", flat=True):
        defer_for_brand("rescore", brand_id)


def _write_all_cells(brand: Brand) -> None:
    reader = Reader(brand)
    for run in Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY, done__gt=0).measured():
        write_cells(reader, run)
        write_served(run)


def _write_day(brand: Brand, day: date, counts_of: CountsOf, last: date | None) -> None:
    counted = counts_of(day)
    scores = daily_scores(brand, day, counted)
    own = scores[0]  # the brand is the first of its subjects
    own.figures |= secondary_of_day(brand, day)
    if last is not None:
        own.change = stored_change(last, counts_of(last), counted)
        own.comparable = not own.change["causes"]
    DailyScore.objects.bulk_create(scores)
    Run.objects.filter(pk__in=counted.runs).update(score=own.score, low=own.low, high=own.high)

"""History: the scores of a brand's days and of now, written from cells in the transaction of their cause."""

from collections.abc import Collection
from datetime import date
from itertools import pairwise

from brands.models import Brand
from visibility.models import Cell, DailyScore, Run
from visibility.scores.changes import is_comparable, stored_change
from visibility.scores.days import DayCounts, counts_of_day, daily_scores
from visibility.scores.now import write_now


def write_history(brand: Brand, days: Collection[date] | None = None) -> None:
    """Write these days anew, and those measured next after each, which look back to them; then now. None: all days.

    Call it inside of the transaction that changed what they are made of. A day without cells has no scores.
    """
    cells = Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY)
    measured = list(cells.order_by("day").values_list("day", flat=True).distinct())
    following = {after for before, after in pairwise(measured) if days and before in days}
    stale = set(measured) if days is None else set(days) | following
    DailyScore.objects.filter(brand=brand, date__in=stale).delete()
    before: tuple[date, DayCounts] | None = None
    for day, last in zip(measured, [None, *measured], strict=False):
        if day not in stale:
            continue
        if last is not None and (before is None or before[0] != last):
            before = last, counts_of_day(brand, last)
        counted = counts_of_day(brand, day)
        _write_day(brand, day, counted, before)
        before = day, counted
    write_now(brand)


def _write_day(brand: Brand, day: date, counted: DayCounts, before: tuple[date, DayCounts] | None) -> None:
    scores = daily_scores(brand, day, counted)
    own = scores[0]  # the brand is the first of its subjects
    if before is not None:
        own.comparable = is_comparable(before[1], counted)
        own.change = stored_change(before[0], before[1], counted)
    DailyScore.objects.bulk_create(scores)

"""The window of now as it is stored: of now for lists of brands, of each measured day for the line of a chart."""

from datetime import date, timedelta

from brands.models import Brand
from visibility.counts.reader import select_now, select_window
from visibility.counts.window import WINDOW_DAYS, calendar_of, own_cells
from visibility.models import ChangeRecord, DailyScore
from visibility.scores.days import daily_scores, day_counts


def write_now(brand: Brand) -> None:
    """Write the figures of now again, in the caller's transaction."""
    DailyScore.objects.filter(brand=brand, date=None).delete()
    selection = select_now(brand)
    if selection.sums:
        runs = sorted(set(selection.cells.values_list("run", flat=True)))
        failed = sum(each.failed for each in selection.sums if each.subject is None)
        DailyScore.objects.bulk_create(daily_scores(brand, None, day_counts(brand, selection.sums, failed, runs)))


def write_windows(brand: Brand, first: date, last: date) -> None:
    """Write again the window of each measured day that may look back to these days, or that a change
    record of them cuts, in the caller's transaction."""
    records = ChangeRecord.objects.filter(brand=brand, known_on__gte=first)
    first = min((first, *records.values_list("began", flat=True)))
    cells = own_cells(brand)
    calendar = calendar_of(brand, cells, first)
    reach = calendar.reach + timedelta(days=WINDOW_DAYS)
    until = last + reach if date.max - last > reach else date.max
    scores = list(DailyScore.objects.of_brand(brand).between(first, until))
    for score in scores:
        if score.date is not None:
            counted = day_counts(brand, select_window(brand, cells, calendar, score.date).sums)
            score.window = daily_scores(brand, None, counted)[0].every_figure
    DailyScore.objects.bulk_update(scores, ["window"], batch_size=100)

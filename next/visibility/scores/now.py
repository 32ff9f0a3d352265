"""Now: what is true today, of each engine's last counted day. One figure for every door."""

from datetime import timedelta

from brands.models import Brand, Cadence
from visibility.models import Cell, DailyScore, Run
from visibility.scores.days import count_rows, daily_scores, own_rows

LEAST_DAYS = 14
CADENCE_DAYS = {Cadence.MANUAL: 0, Cadence.DAILY: 1, Cadence.WEEKLY: 7, Cadence.MONTHLY: 31}


def write_now(brand: Brand) -> None:
    """Write the figures of now anew, in the caller's transaction.

    Of each engine its last measured day within 14 days (or one and a half times the cadence) of the latest, on the
    prompts that were asked then and are still active; where all are archived, all stay.
    """
    DailyScore.objects.filter(brand=brand, date=None).delete()
    measured = Cell.objects.filter(brand=brand, competitor=None, run__kind=Run.Kind.VISIBILITY)
    latest = measured.order_by("-day").values_list("day", flat=True).first()
    if latest is None:
        return
    days = max(LEAST_DAYS, round(1.5 * CADENCE_DAYS[Cadence(brand.cadence)]))
    recent = measured.filter(day__gte=latest - timedelta(days=days))
    last_days = recent.order_by("engine", "surface", "-day").distinct("engine", "surface")
    rows, runs = [], set()
    for engine, surface, day in last_days.values_list("engine", "surface", "day"):
        cells = Cell.objects.filter(
            brand=brand, engine=engine, surface=surface, day=day, run__kind=Run.Kind.VISIBILITY
        )
        wanted = cells.filter(version__prompt__archived_at=None)
        rows += own_rows(wanted if wanted.exists() else cells)
        runs |= set(cells.values_list("run", flat=True))
    if rows:
        DailyScore.objects.bulk_create(daily_scores(brand, None, count_rows(brand, rows, sorted(runs))))

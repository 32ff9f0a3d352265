"""What changed and when: the changes that may be spoken of, two days compared, scans and what failed."""

from django.http import HttpResponse

from visibility.models import DailyScore, Run
from visibility.pages.frame import Visit, brand_page
from visibility.pages.overview import PERIODS, chart_of, days_in
from visibility.runs.reads import engine_names, run_resource
from visibility.scores.change_reads import changes_of

MOST_RUNS = 60


@brand_page
def history(visit: Visit) -> HttpResponse:
    """The line of the score, what moved it, and the runs behind it."""
    period = visit.query.get("period") if visit.query.get("period") in PERIODS else "180"
    days = days_in(visit.brand, period)
    measured = DailyScore.objects.of_brand(visit.brand).exclude(date=None)
    first, last = (days[0].date, days[-1].date) if days else (None, None)
    changes = changes_of(visit.brand, first, last, full=True) if first and last else []
    runs = list(Run.objects.filter(brand=visit.brand).not_refused().newest()[:MOST_RUNS])
    engines = engine_names(runs)
    return visit.show(
        "history.html",
        "history",
        chart=chart_of(days, "score", None),
        changes=changes,
        runs=[run_resource(visit.caller, run, engines[run.pk]) for run in runs],
        days=measured.count(),
        periods=PERIODS,
        period=period,
    )

"""Measured days for tests of charts: made by hand, each as a service gives it."""

from datetime import date, timedelta

from visibility.pages.present.charts.series import Measurement, Series, brand_series
from visibility.resources.brands import TREND_FIELDS, TrendItem

DAY = date(2026, 3, 1)


def item(day, score, *, comparable=True, low=None, high=None, **more):
    empty = dict.fromkeys(TREND_FIELDS)
    counts = {"prompts": 1, "topics": 1, "answers": 1, "failed": 0}
    lists = {"engines": [], "runs": []}
    own = {"date": DAY + timedelta(days=day), "score": score, "comparable": comparable, "low": low, "high": high}
    return TrendItem.model_validate({**empty, **counts, **lists, **own, **more})


def series(*items):
    """Of the brand, as a page makes it."""
    return brand_series("Acme", items)


def measured(day, value, **more):
    return Measurement(DAY + timedelta(days=day), value, **more)


def rival(name, *values):
    """One value a day."""
    return Series(name, [measured(day, value, answers=3) for day, value in enumerate(values)])

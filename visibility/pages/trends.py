"""The web page of a brand's trend, with rivals and engines beside it, and its picture as a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.sentences import one_line
from visibility.engines.display import display_name
from visibility.pages.chart_files import as_file
from visibility.pages.present.charts.engines import EnginePanel, engine_panels
from visibility.pages.present.charts.figure import TrendFigure, trend_figure
from visibility.pages.present.charts.files import FORMATS, svg_of
from visibility.pages.present.charts.rivals import rival_series
from visibility.pages.present.charts.series import brand_series, counted_since, day_link, engine_series
from visibility.pages.present.charts.trend import MAX_RIVALS
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.resources.brands import Trend
from visibility.services.reading import reporting
from visibility.services.reading.rescoring import counting_of
from visibility.services.reading.rival_days import competitor_names, rival_trends

FIRST_DAY = date(1970, 1, 1)
PERIODS = {"30": "30 days", "90": "90 days", "365": "a year", "all": "all days"}
USUAL_PERIOD = "90"


class LinesForm(forms.Form):
    """What the trend shows beside the score; what is not known is left out, never refused."""

    days = forms.ChoiceField(label="Period", choices=list(PERIODS.items()), required=False)
    rival = forms.MultipleChoiceField(label="Rivals", widget=forms.CheckboxSelectMultiple, required=False)
    engine = forms.MultipleChoiceField(label="Engines", widget=forms.CheckboxSelectMultiple, required=False)


@dataclass(frozen=True, slots=True)
class _Lines:
    """What was chosen, and what could be."""

    form: LinesForm
    figure: TrendFigure
    panels: Sequence[EnginePanel]
    more: int
    trend: Trend
    is_measured: bool


@require_safe
@login_required
@snapshot()
def trend_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The trend in full: a period, rivals and engines beside it, each engine by itself, the numbers, the files."""
    frame = brand_frame(request, brand_id)
    lines = _lines(request, frame)
    context: dict[str, Any] = {"lines": lines, "form": lines.form, "formats": FORMATS, "most": MAX_RIVALS}
    return render(request, "visibility/trend_page.html", frame.context("brand-page", **context))


@require_safe
@login_required
@snapshot()
def trend_file(request: HttpRequest, brand_id: UUID, extension: str) -> HttpResponseBase:
    """The picture of what the page shows, with its colours in it."""
    if extension not in FORMATS:
        raise Http404
    frame = brand_frame(request, brand_id)
    return as_file(frame.brand, "trend", svg_of(_lines(request, frame).figure), extension)


def _lines(request: HttpRequest, frame: BrandFrame) -> _Lines:
    caller, brand = frame.caller, frame.brand
    period = request.GET.get("days", "")
    period = period if period in PERIODS else USUAL_PERIOD
    _, last_day = reporting.measured_span(caller, brand_id=brand.pk)
    first, last = _period(period, last_day)
    trend = reporting.trend(caller, brand_id=brand.pk, first=first, last=last)
    engines = engine_series(trend.trend, day_link(brand.pk))
    names = competitor_names(caller, brand_id=brand.pk)
    form = _form(request, period, names, [series.key for series in engines])
    chosen = {UUID(key) for key in form["rival"].value()}
    read = partial(rival_trends, caller, brand_id=brand.pk, names=names, first=first, last=last)
    beside = [
        *rival_series(read(ids=chosen)),
        *(series for series in engines if series.key in form["engine"].value()),
    ]
    own = brand_series(brand.name, trend.trend, day_link(brand.pk), **counted_since(counting_of(brand)))
    figure = trend_figure(own, beside, page=request.GET.get("page", "1"))
    return _Lines(form, figure, engine_panels(engines), max(0, len(beside) - MAX_RIVALS), trend, last_day is not None)


def _period(period: str, last_day: date | None) -> tuple[date, date]:
    """The days up to the last measured one, which may lie long ago."""
    last = last_day or timezone.now().date()
    return (FIRST_DAY if period == "all" else last - timedelta(days=int(period) - 1)), last


def _form(request: HttpRequest, period: str, names: dict[UUID, str], engines: Sequence[str]) -> LinesForm:
    known = {str(key) for key in names}
    form = LinesForm(
        initial={
            "days": period,
            "rival": [key for key in request.GET.getlist("rival") if key in known],
            "engine": [engine for engine in request.GET.getlist("engine") if engine in engines],
        }
    )
    form.fields["rival"].choices = [(str(key), one_line(name)) for key, name in names.items()]  # type: ignore[attr-defined]
    form.fields["engine"].choices = [(engine, display_name(engine)) for engine in engines]  # type: ignore[attr-defined]
    return form


urlpatterns = [
    path("brands/<uuid:brand_id>/trend", trend_page, name="trend-page"),
    path("brands/<uuid:brand_id>/trend.<slug:extension>", trend_file, name="trend-file"),
]

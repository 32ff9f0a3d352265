"""The web pages of what answers cite: the domains, and one of them with its pages and the answers that cite it."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import ErrorCode, ServiceError
from visibility.detection.types import SourceClass
from visibility.pages.acts import raise_404_if_missing
from visibility.pages.present.answers import CLASSES
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.links import link_to
from visibility.resources.sources import SourceItem, SourceReport
from visibility.services.reading.source_filters import SourceFilters, source_filters
from visibility.services.reading.sources import source_detail, source_report

SOURCES_OF_PAGE = 25


class FilterForm(forms.Form):
    """Which sources the address asks for; what is none is not asked for."""

    cls = forms.ChoiceField(required=False, choices=list(CLASSES.items()))
    topic = forms.ChoiceField(required=False)
    engine = forms.ChoiceField(required=False)
    absent = forms.BooleanField(required=False)
    page = forms.IntegerField(required=False, min_value=1, max_value=1_000_000)

    def __init__(self, data: QueryDict, filters: SourceFilters) -> None:
        super().__init__(data)
        self.fields["topic"].choices = list(filters.topics.items())  # type: ignore[attr-defined]
        self.fields["engine"].choices = [(engine, engine) for engine in filters.engines]  # type: ignore[attr-defined]


@require_safe
@login_required
@snapshot()
def sources_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The domains that answers of now cite, those of most answers first: of one class, topic or engine, or those
    without the brand."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        filters = source_filters(frame.caller, brand_id=brand_id)
        form = FilterForm(request.GET, filters)
        form.is_valid()
        chosen: dict[str, Any] = form.cleaned_data
        report, page = _page(frame.caller, brand_id, chosen, filters)
    context = frame.context(
        "sources-page",
        report=report,
        rows=[(source, CLASSES[source.cls.value]) for source in report.sources],
        page=page,
        chosen=chosen,
        is_narrowed=any(chosen.get(name) for name in ("cls", "topic", "engine", "absent")),
        filters=filters,
        classes=CLASSES,
    )
    return render(request, "visibility/sources_page.html", context)


def _page(caller: Caller, brand_id: UUID, chosen: dict[str, Any], filters: SourceFilters) -> tuple[SourceReport, Any]:
    """The part of the list that the address asks for; behind the last page is the last page."""
    cls = SourceClass(chosen["cls"]) if chosen.get("cls") else None

    def read(number: int) -> SourceReport:
        return source_report(
            caller,
            brand_id=brand_id,
            cls=cls,
            topic=filters.topics.get(chosen.get("topic", "")),
            engine=chosen.get("engine") or None,
            absent=bool(chosen.get("absent")),
            skip=(number - 1) * SOURCES_OF_PAGE,
            most=SOURCES_OF_PAGE,
        )

    number = chosen.get("page") or 1
    report = read(number)
    total = (number - 1) * SOURCES_OF_PAGE + len(report.sources) + report.more
    if not report.sources and number > 1:
        number, report = 1, read(1)
        total = len(report.sources) + report.more
    return report, Paginator(range(total), SOURCES_OF_PAGE).page(number)


@require_safe
@login_required
@snapshot()
def source_page(request: HttpRequest, brand_id: UUID, domain: str) -> HttpResponse:
    """One cited domain: its pages, whom the answers name that cite it, and these answers."""
    frame = brand_frame(request, brand_id)
    try:
        detail = source_detail(frame.caller, brand_id=brand_id, domain=domain)
    except ServiceError as error:
        if error.code != ErrorCode.NOT_FOUND:
            raise
        # Answers of other days lead here, too.
        return render(
            request, "visibility/source_page.html", frame.context("sources-page", domain=domain), status=404
        )
    rows = [_shown(source) for source in detail.sources]
    context = frame.context("sources-page", domain=domain, detail=detail, sources=rows)
    return render(request, "visibility/source_page.html", context)


def _shown(source: SourceItem) -> dict[str, Any]:
    pages = [(page, link_to(page.url)) for page in source.pages]
    return {"source": source, "kind": CLASSES[source.cls.value], "pages": pages}


urlpatterns = [
    path("brands/<uuid:brand_id>/sources", sources_page, name="sources-page"),
    path("brands/<uuid:brand_id>/sources/<path:domain>", source_page, name="source-page"),
]

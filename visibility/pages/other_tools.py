"""The web page that says why another tool shows another number for the same brand."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from visibility.pages.present.frame import brand_frame
from visibility.services.reading.other_tools import other_numbers


@require_safe
@login_required
@snapshot()
def other_tools_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The answers of now by five common definitions, each beside ours."""
    frame = brand_frame(request, brand_id)
    report = other_numbers(frame.caller, brand_id=brand_id)
    return render(request, "visibility/other_tools_page.html", frame.context("brand-page", report=report))


urlpatterns = [path("brands/<uuid:brand_id>/other-tools", other_tools_page, name="other-tools-page")]

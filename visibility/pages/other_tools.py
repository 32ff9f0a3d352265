"""The web page that says why another tool shows another number for the same brand."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from visibility.pages.acts import raise_404_if_missing, reader
from visibility.services.reading.other_tools import other_numbers


@require_safe
@login_required
def other_tools_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The answers of now by five common definitions, each beside ours."""
    with raise_404_if_missing():
        report = other_numbers(reader(request), brand_id=brand_id)
    return render(request, "visibility/other_tools_page.html", {"brand": report.brand, "report": report})


urlpatterns = [path("brands/<uuid:brand_id>/other-tools", other_tools_page, name="other-tools-page")]

"""The web page of all brands that a person sees: what needs attention first, searched, sorted, a page at a time."""

from collections.abc import Mapping

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from visibility.pages.acts import reader
from visibility.pages.present.charts.series import Measurement
from visibility.pages.present.charts.sparkline import sparkline
from visibility.services.overview.attention import SORTS, Attention
from visibility.services.overview.listing import MAX_SEARCH, ON_A_PAGE, BrandListing, ListedBrand, listed_brands

MAX_DIGITS = 9
WHY: Mapping[Attention, str] = {
    Attention.FELL: "its score fell",
    Attention.FAILED: "its last scan failed",
    Attention.UNMEASURED: "not measured yet",
    Attention.OLD: "measured long ago",
}
"""Why a brand needs attention, in words."""


class ListForm(forms.Form):
    """What the list is searched for, and how it is sorted."""

    q = forms.CharField(required=False, max_length=MAX_SEARCH, label="Name or domain")
    sort = forms.ChoiceField(required=False, choices=list(SORTS.items()), label="Sort by")


@require_safe
@login_required
def brand_list(request: HttpRequest) -> HttpResponse:
    """The brands that the person sees, each with its score, its trend and what comes next."""
    caller = reader(request)
    form = ListForm(request.GET)
    form.is_valid()
    wanted = form.cleaned_data
    number = request.GET.get("page", "")
    listed = listed_brands(
        caller,
        search=wanted.get("q") or "",
        sort=wanted.get("sort") or "attention",
        page=int(number) if number.isdecimal() and len(number) <= MAX_DIGITS else 1,
    )
    context = {
        "form": form,
        "search": wanted.get("q") or "",
        "sort": wanted.get("sort") or "attention",
        "rows": [(row, WHY.get(row.attention, ""), sparkline(_days(row))) for row in listed.rows],
        "page": _page(listed),
        "all_brands": caller.reach == "all",
    }
    return render(request, "visibility/brand_list.html", context)


def _days(row: ListedBrand) -> list[Measurement]:
    return [Measurement(day.day, day.score, day.low, day.high, day.answers) for day in row.trend]


def _page(listed: BrandListing) -> Page[int]:
    """The page for its links to those before and after."""
    return Paginator(range(listed.total), ON_A_PAGE).page(listed.page)


urlpatterns = [path("", brand_list, name="brand-list")]

"""The web page of a brand's competitors: their figures, who else answers recommend, and the names that need care."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from apikeys.staff.fields import LinesField
from brands.services.access import readable_brand
from brands.services.policies import set_name_policy
from visibility.pages.acts import attempt, attempt_in, person, problems
from visibility.pages.present.charts.intervals import interval_figure
from visibility.pages.present.charts.rivals import standings_of
from visibility.pages.present.frame import brand_frame
from visibility.resources.competitors import AddedCompetitor
from visibility.services.competitors.listing import (
    SUGGESTED,
    add_suggested,
    competitors_beside,
    names_and_generation,
    unwatch_competitor,
    watch_competitor,
)
from visibility.services.competitors.names import checks_of, warning_of
from visibility.services.competitors.suggestions import dismiss_suggestion


class CompetitorForm(forms.Form):
    """A rival to watch; the service checks it."""

    name = forms.CharField(help_text="As answers write it.")
    domain = forms.CharField(help_text="Its main domain, such as rival.com.")
    aliases = LinesField(help_text="Other names that answers use for it, one on each line.")


class SuggestedForm(forms.Form):
    """What to watch a suggested name as."""

    name = forms.CharField()
    domain = forms.CharField(required=False)


class PolicyForm(forms.Form):
    """When a name counts; all empty: by the rules for all names."""

    text = forms.CharField(widget=forms.HiddenInput)
    case_sensitive = forms.BooleanField(required=False)
    required_near = forms.CharField(required=False)
    forbidden_near = forms.CharField(required=False)


@require_safe
@login_required
def competitors_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The competitors of a brand with their figures, suggestions of others, and names that need care."""
    return _page(request, brand_id, CompetitorForm())


@require_POST
@login_required
def add_competitor(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Watch a rival. What is refused stays in the form, with the reason."""
    form = CompetitorForm(request.POST)
    if form.is_valid():
        added = attempt_in(form, lambda: watch_competitor(person(request), brand_id=brand_id, **form.cleaned_data))
        if added:
            return _added(request, brand_id, added)
    return _page(request, brand_id, form)


@require_POST
@login_required
def remove(request: HttpRequest, brand_id: UUID, competitor_id: UUID) -> HttpResponse:
    """Watch a rival no more."""
    name = attempt(
        request, lambda: unwatch_competitor(person(request), brand_id=brand_id, competitor_id=competitor_id)
    )
    if name:
        messages.success(request, f"{name} is no longer watched. Stored answers are analysed without it.")
    return redirect("competitors-page", brand_id=brand_id)


@require_POST
@login_required
def add_suggestion(request: HttpRequest, brand_id: UUID, suggestion_id: UUID) -> HttpResponse:
    """Watch a name that answers recommend. What is refused stays where it was typed."""
    form = SuggestedForm(request.POST)
    if form.is_valid():
        fields = form.cleaned_data
        added = attempt(
            request, lambda: add_suggested(person(request), brand_id=brand_id, suggestion_id=suggestion_id, **fields)
        )
        if added:
            return _added(request, brand_id, added)
    else:
        messages.error(request, problems(form))
    typed = {**request.POST.dict(), "suggestion": str(suggestion_id)}
    return _page(request, brand_id, CompetitorForm(), typed)


@require_POST
@login_required
def dismiss(request: HttpRequest, brand_id: UUID, suggestion_id: UUID) -> HttpResponse:
    """Suggest a name no more."""

    def act() -> bool:
        dismiss_suggestion(person(request), brand_id=brand_id, suggestion_id=suggestion_id)
        return True

    if attempt(request, act):
        messages.success(request, "It will not be suggested again.")
    return redirect("competitors-page", brand_id=brand_id)


@require_POST
@login_required
def set_policy(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Say when a name that also means something else counts. What is refused stays where it was typed."""
    form = PolicyForm(request.POST)
    if not form.is_valid():
        messages.error(request, problems(form))
        return _page(request, brand_id, CompetitorForm(), request.POST.dict())
    fields = form.cleaned_data

    def act() -> str:
        policy = set_name_policy(
            person(request),
            brand=readable_brand(person(request), brand_id),
            text=fields["text"],
            case_sensitive=fields["case_sensitive"],
            required_near=fields["required_near"].replace(",", " ").split(),
            forbidden_near=fields["forbidden_near"].replace(",", " ").split(),
        )
        return f"{policy}." if policy else f"{fields['text']} counts by the rules for all names again."

    if sentence := attempt(request, act):
        messages.success(request, f"{sentence} Stored answers are analysed again with it.")
        return redirect("competitors-page", brand_id=brand_id)
    return _page(request, brand_id, CompetitorForm(), request.POST.dict())


def _added(request: HttpRequest, brand_id: UUID, added: AddedCompetitor) -> HttpResponse:
    """Say what was added, and at once which of its names need care."""
    again = " Stored answers are analysed for it." if added.rescoring else ""
    messages.success(request, f"{added.competitor.name} is now watched.{again}")
    for name in added.ambiguous_names:
        messages.warning(request, f"{warning_of(name)} See “Names that need care” below.")
    return redirect("competitors-page", brand_id=brand_id)


def _page(
    request: HttpRequest, brand_id: UUID, form: CompetitorForm, typed: Mapping[str, Any] | None = None
) -> HttpResponse:
    """The page; `typed` are the fields of a small form on it that was refused."""
    refused = typed or {}
    with snapshot():
        frame = brand_frame(request, brand_id)
        names = names_and_generation(frame.brand)
        listed, stands = competitors_beside(names)
        checks = checks_of(names)
        context = frame.context("competitors-page")
    standings = standings_of(stands.subjects)
    places = {str(item.id): place for place, item in enumerate(listed.suggestions)}
    place = places.get(refused.get("suggestion", ""))
    number = request.GET.get("page") if place is None else place // SUGGESTED + 1
    context |= {
        "listed": listed,
        "checks": checks,
        "page": Paginator(listed.suggestions, SUGGESTED).get_page(number),
        "typed": refused,
        "aliases": names.aliases,
        "own": stands.subjects[0].overall if stands.subjects else None,
        "plot": interval_figure(standings) if len(standings) > 1 else None,
        "form": form,
    }
    return render(request, "visibility/competitors_page.html", context, status=400 if form.errors or typed else 200)


urlpatterns = [
    path("brands/<uuid:brand_id>/competitors", competitors_page, name="competitors-page"),
    path("brands/<uuid:brand_id>/competitors/add", add_competitor, name="add-competitor"),
    path("brands/<uuid:brand_id>/competitors/<uuid:competitor_id>/remove", remove, name="remove-competitor"),
    path("brands/<uuid:brand_id>/suggestions/<uuid:suggestion_id>/add", add_suggestion, name="add-suggestion"),
    path("brands/<uuid:brand_id>/suggestions/<uuid:suggestion_id>/dismiss", dismiss, name="dismiss-suggestion"),
    path("brands/<uuid:brand_id>/names", set_policy, name="name-policy"),
]

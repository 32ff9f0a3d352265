"""The web page that says how many prompts a brand needs, for a margin or to see a change, before they are asked."""

from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from visibility.pages.present.frame import brand_frame
from visibility.services.scans.planning import USUAL, panel_of

MIN_POINTS, MAX_POINTS = 1.0, 50.0


class GoalForm(forms.Form):
    """How precise the score shall be, and which change shall be seen, in points."""

    margin = forms.FloatField(required=False, label="Score within ±", min_value=MIN_POINTS, max_value=MAX_POINTS)
    change = forms.FloatField(required=False, label="Change of", min_value=MIN_POINTS, max_value=MAX_POINTS)


@require_safe
@login_required
@snapshot()
def plan_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """What a scan has to ask for the margin and the change in the address, or for the usual ones."""
    frame = brand_frame(request, brand_id)
    panel = panel_of(frame.caller, brand_id=brand_id)
    usual = {"margin": USUAL["score"], "change": USUAL["change"]}
    form = GoalForm({name: request.GET.get(name) or f"{default:g}" for name, default in usual.items()})
    form.is_valid()
    margin, change = (form.cleaned_data.get(name) or default for name, default in usual.items())
    context = {
        "panel": panel,
        "form": form,
        "goals": [panel.goal("score", margin), panel.goal("change", change)],
    }
    return render(request, "visibility/plan_page.html", frame.context("brand-page", **context))


urlpatterns = [path("brands/<uuid:brand_id>/plan", plan_page, name="plan-page")]

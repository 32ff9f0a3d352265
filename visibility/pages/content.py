"""Web pages where people have things written: prompts for their scans, and drafts for their site."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from brands.services.access import may_edit, readable_brand
from visibility.models import Stage
from visibility.pages.acts import attempt, person, problems, raise_404_if_missing, reader
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.links import link_to
from visibility.pages.topics import topics_question
from visibility.services.content.drafts import prepare_draft
from visibility.services.content.opportunities import content_report
from visibility.services.prompts.generating import DEFAULT_PROMPTS, MAX_PROMPTS, prepare_prompts
from visibility.services.prompts.listing import prompts_of
from visibility.services.scans.planning import usual_goal
from visibility.writers.tasks import DraftFormat

ANY = ("", "any")


class SuggestForm(forms.Form):
    """What new prompts should be about; the service checks it."""

    count = forms.IntegerField(label="How many", initial=DEFAULT_PROMPTS, min_value=1, max_value=MAX_PROMPTS)
    topic = forms.CharField(required=False, help_text="Empty: what the brand's description and pages are about.")
    stage = forms.ChoiceField(required=False, choices=[ANY, *Stage.choices])
    persona = forms.CharField(required=False, label="Who asks")
    locale = forms.CharField(required=False, help_text="Such as en-GB. Empty: that of most prompts.")


class DraftForm(forms.Form):
    """What to write; the service checks it."""

    opportunity = forms.CharField(required=False, widget=forms.HiddenInput)
    topic = forms.CharField(required=False)
    format = forms.ChoiceField(
        required=False,
        choices=[("", "what suits"), *((draft_format.value, draft_format.value) for draft_format in DraftFormat)],
    )


@require_safe
@login_required
def prompts_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The prompts of a brand, and a form to have more of them written."""
    with raise_404_if_missing():
        brand = readable_brand(reader(request), brand_id)
        listed = prompts_of(reader(request), brand_id=brand_id)
        archived = prompts_of(reader(request), brand_id=brand_id, active=False).prompts
    context = {"brand": brand, "listed": listed, "archived": archived, "form": SuggestForm()}
    context |= {"plan": usual_goal(reader(request), brand_id=brand_id), **_rights(request, brand_id)}
    context |= topics_question(request, brand)
    return render(request, "visibility/prompts_page.html", context)


@require_POST
@login_required
def suggest_prompts(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Have prompts written and add them."""
    form = SuggestForm(request.POST)
    if not form.is_valid():
        messages.error(request, problems(form))
    else:
        wishes = form.cleaned_data
        result = attempt(request, lambda: prepare_prompts(person(request), brand_id=brand_id, **wishes)())
        if result:
            messages.success(request, f"{len(result.created)} prompts were added. The next scan asks them.")
    return redirect("prompts-page", brand_id=brand_id)


@require_safe
@login_required
def content_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """What is worth writing, and what has been written."""
    frame = brand_frame(request, brand_id)
    report = content_report(frame.caller, brand_id=brand_id)
    context = frame.context("content-page", report=report, form=DraftForm(), may_write=frame.may_edit)
    context["opportunities"] = [
        (opportunity, [(evidence, link_to(evidence.url)) for evidence in opportunity.evidence])
        for opportunity in report.opportunities
    ]
    return render(request, "visibility/content_page.html", context)


@require_POST
@login_required
def write_draft(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Have a draft written and show it."""
    form = DraftForm(request.POST)
    if not form.is_valid():
        messages.error(request, problems(form))
        return redirect("content-page", brand_id=brand_id)
    values = form.cleaned_data

    def write() -> Any:
        return prepare_draft(
            person(request),
            brand_id=brand_id,
            opportunity_id=values["opportunity"],
            topic=values["topic"],
            format=values["format"],
        )()

    written = attempt(request, write)
    if not written:
        return redirect("content-page", brand_id=brand_id)
    return redirect("draft-page", draft_id=written.draft.id)


def _rights(request: HttpRequest, brand_id: UUID) -> dict[str, bool]:
    return {"may_write": may_edit(person(request), brand_id)}


urlpatterns = [
    path("brands/<uuid:brand_id>/prompts", prompts_page, name="prompts-page"),
    path("brands/<uuid:brand_id>/prompts/suggest", suggest_prompts, name="suggest-prompts"),
    path("brands/<uuid:brand_id>/content", content_page, name="content-page"),
    path("brands/<uuid:brand_id>/drafts", write_draft, name="write-draft"),
]

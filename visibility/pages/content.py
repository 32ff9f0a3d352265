"""The web page of what is worth writing, where people have drafts for their site written."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from visibility.pages.acts import attempt, person, problems
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.links import link_to
from visibility.services.content.drafts import prepare_draft
from visibility.services.content.opportunities import content_report
from visibility.writers.tasks import DraftFormat


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
@snapshot()
def content_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """What is worth writing, and what has been written."""
    return _page(request, brand_id, DraftForm())


@require_POST
@login_required
def write_draft(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Have a draft written and show it. What is refused stays in the form."""
    form = DraftForm(request.POST)
    if not form.is_valid():
        messages.error(request, problems(form))
        return _page(request, brand_id, form, status=400)
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
        # An opportunity has a button of its own: what is written below it is on another topic.
        return _page(request, brand_id, DraftForm() if values["opportunity"] else form, status=400)
    return redirect("draft-page", draft_id=written.draft.id)


def _page(request: HttpRequest, brand_id: UUID, form: DraftForm, status: int = 200) -> HttpResponse:
    frame = brand_frame(request, brand_id)
    report = content_report(frame.caller, brand_id=brand_id)
    context = frame.context("content-page", report=report, form=form, may_write=frame.may_edit)
    context["opportunities"] = [
        (opportunity, [(evidence, link_to(evidence.url)) for evidence in opportunity.evidence])
        for opportunity in report.opportunities
    ]
    return render(request, "visibility/content_page.html", context, status=status)


urlpatterns = [
    path("brands/<uuid:brand_id>/content", content_page, name="content-page"),
    path("brands/<uuid:brand_id>/drafts", write_draft, name="write-draft"),
]

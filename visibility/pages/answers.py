"""The web page of one answer, whole: as it is read, or its raw text."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.untrusted import clean
from visibility.pages.acts import raise_404_if_missing
from visibility.pages.present.answers import shown_answer
from visibility.pages.present.frame import brand_frame
from visibility.services.prompts.browsing import whole_answer


@require_safe
@login_required
@snapshot()
def answer_page(request: HttpRequest, brand_id: UUID, answer_id: UUID) -> HttpResponse:
    """One answer with its sources; with `?raw=1` its text as it came."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        answer = whole_answer(frame.caller, brand_id=brand_id, answer_id=answer_id)
    context = frame.context(
        "prompts-page",
        whole=answer,
        shown=shown_answer(answer.resource),
        raw=clean(answer.raw) if "raw" in request.GET else None,
        open=True,
    )
    return render(request, "visibility/answer_page.html", context)


urlpatterns = [path("brands/<uuid:brand_id>/answers/<uuid:answer_id>", answer_page, name="answer-page")]

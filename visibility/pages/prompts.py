"""The web page of one prompt: its results, whom answers name beside the brand, what they say word for word; and the
buttons that take it out of use and back."""

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from visibility.pages.acts import attempt, person, raise_404_if_missing
from visibility.pages.present.answers import shown_answer
from visibility.pages.present.frame import brand_frame
from visibility.resources.writing import RefinedPrompt
from visibility.services.prompts.browsing import ANSWERS_OF_PAGE, AnswerChoice, prompt_answers
from visibility.services.prompts.detail import prompt_reports
from visibility.services.prompts.effects import effects_of
from visibility.services.prompts.writing import archived_prompt, editable_prompt, restored_prompt


class ChoiceForm(forms.Form):
    """Which answers the address asks for; what is none is not asked for."""

    run = forms.UUIDField(required=False)
    day = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
    engine = forms.CharField(required=False)
    page = forms.IntegerField(required=False, min_value=1)


@require_safe
@login_required
@snapshot()
def prompt_page(request: HttpRequest, brand_id: UUID, prompt_id: UUID) -> HttpResponse:
    """One prompt of the brand, with its answers in which the names are marked: those of `run`, `day` and `engine`,
    where the address names them."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        detail, results = prompt_reports(frame.caller, prompt_id=prompt_id)
    if detail.site != brand_id:
        raise Http404
    context = frame.context(
        "prompts-page",
        detail=detail,
        prompt=detail.prompt,
        subjects=[subject for subject in results.subjects if subject.competitor is None or subject.named],
        may_write=frame.may_edit,
        effect=effects_of(frame.brand).of_archiving([prompt_id]) if frame.may_edit else "",
        **_answers(request, frame.caller, prompt_id),
    )
    return render(request, "visibility/prompt_page.html", context)


def _answers(request: HttpRequest, caller: Caller, prompt_id: UUID) -> dict[str, object]:
    """The answers that the address asks for, and the form to choose others."""
    form = ChoiceForm(request.GET)
    form.is_valid()
    chosen = form.cleaned_data
    choice = AnswerChoice(chosen.get("run"), chosen.get("engine") or "", chosen.get("day"))
    browsed = prompt_answers(caller, prompt_id=prompt_id, choice=choice, page=chosen.get("page") or 1)
    return {
        "answers": [shown_answer(answer) for answer in browsed.answers],
        "browsed": browsed,
        "chosen": chosen,
        "page": Paginator(range(browsed.total), ANSWERS_OF_PAGE).page(browsed.number),
    }


@require_POST
@login_required
def archive(request: HttpRequest, brand_id: UUID, prompt_id: UUID) -> HttpResponse:
    """Ask the prompt no more."""
    return _act(
        request, brand_id, prompt_id, archived_prompt, "Scans no longer ask this prompt. Its history is kept."
    )


@require_POST
@login_required
def restore(request: HttpRequest, brand_id: UUID, prompt_id: UUID) -> HttpResponse:
    """Ask an archived prompt again."""
    return _act(request, brand_id, prompt_id, restored_prompt, "The next scan asks this prompt again.")


def _act(
    request: HttpRequest, brand_id: UUID, prompt_id: UUID, act: Callable[..., RefinedPrompt], said: str
) -> HttpResponse:
    caller: Caller = person(request)

    def of_this_brand() -> RefinedPrompt:
        if editable_prompt(caller, prompt_id).brand_id != brand_id:
            raise Http404
        return act(caller, prompt_id=prompt_id)

    refinement = attempt(request, of_this_brand)
    if refinement:
        quota = refinement.quota
        messages.success(request, f"{said} The plan has {quota.used} of {quota.limit} active prompts in use.")
    return redirect("prompt-page", brand_id=brand_id, prompt_id=prompt_id)


_PROMPT = "brands/<uuid:brand_id>/prompts/<uuid:prompt_id>"
urlpatterns = [
    path(_PROMPT, prompt_page, name="prompt-page"),
    path(f"{_PROMPT}/archive", archive, name="archive-prompt"),
    path(f"{_PROMPT}/restore", restore, name="restore-prompt"),
]

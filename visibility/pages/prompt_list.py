"""The web page of a brand's prompts: chosen by filters that stand in its address, archived and restored together."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.sentences import counted
from visibility.models import Intent, Stage
from visibility.models.prompts import MAX_PROMPT, MAX_TOPIC
from visibility.pages.acts import attempt, person, reader
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.services.prompts.effects import effects_of
from visibility.services.prompts.generating import DEFAULT_PROMPTS, MAX_PROMPTS, prepare_prompts
from visibility.services.prompts.keeping import archive_prompts, restore_prompts
from visibility.services.prompts.paging import (
    ACTIVE,
    ARCHIVED,
    PAGE_SIZE,
    BrowsedPrompts,
    PromptChoice,
    browse_prompts,
)

ANY = ("", "any")
FILTERS = ("state", "text", "topic", "stage", "intent")


class FilterForm(forms.Form):
    """Which prompts the page lists; the choices of topics are those that there are."""

    state = forms.ChoiceField(required=False, label="Asked", choices=[(ACTIVE, "By scans"), (ARCHIVED, "No longer")])
    text = forms.CharField(required=False, label="Search", widget=forms.TextInput(attrs={"type": "search"}))
    topic = forms.ChoiceField(required=False)
    stage = forms.ChoiceField(required=False, choices=[("", "Any stage"), *Stage.choices])
    intent = forms.ChoiceField(required=False, choices=[("", "Any intent"), *Intent.choices])

    def __init__(self, browsed: BrowsedPrompts) -> None:
        choice = browsed.choice
        super().__init__({name: getattr(choice, name) for name in FILTERS})
        offered = [(topic.key, f"{topic.name} ({topic.prompts})") for topic in browsed.topics]
        if choice.topic and choice.topic not in dict(offered):
            offered.insert(0, (choice.topic, choice.topic))
        self.fields["topic"].choices = [("", "Any topic"), *offered]  # type: ignore[attr-defined]


class SuggestForm(forms.Form):
    """What new prompts should be about; the service checks it."""

    count = forms.IntegerField(label="How many", initial=DEFAULT_PROMPTS, min_value=1, max_value=MAX_PROMPTS)
    topic = forms.CharField(required=False, help_text="Empty: what the brand's description and pages are about.")
    stage = forms.ChoiceField(required=False, choices=[ANY, *Stage.choices])
    persona = forms.CharField(required=False, label="Who asks")
    locale = forms.CharField(required=False, help_text="Such as en-GB. Empty: that of most prompts.")


class ChosenForm(forms.Form):
    """The prompts that are ticked on a page, and the filters of that page, to come back to it."""

    prompt = forms.TypedMultipleChoiceField(coerce=UUID, error_messages={"required": "Tick at least one."})
    back = forms.CharField(required=False, max_length=4 * MAX_PROMPT)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        ticked = [(value, value) for value in data.getlist("prompt")[:PAGE_SIZE]]
        self.fields["prompt"].choices = ticked  # type: ignore[attr-defined]


@require_safe
@login_required
@snapshot()
def prompts_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The prompts of a brand that fit the filters, and a form to have more of them written."""
    return _page(request, brand_frame(request, brand_id), SuggestForm())


@require_POST
@login_required
def suggest_prompts(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Have prompts written and add them. What is refused stays in the form."""
    form = SuggestForm(request.POST)
    if form.is_valid():
        wishes = form.cleaned_data
        result = attempt(request, lambda: prepare_prompts(person(request), brand_id=brand_id, **wishes)())
        if result:
            added = counted(len(result.created), "prompt")
            were = "was" if len(result.created) == 1 else "were"
            messages.success(request, f"{added} {were} added. The next scan asks them.")
            return redirect("prompts-page", brand_id=brand_id)
    return _page(request, brand_frame(request, brand_id), form, status=400)


@require_POST
@login_required
def archive_chosen(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Ask the ticked prompts no more."""
    return _with_chosen(
        request,
        brand_id,
        archive_prompts,
        "no longer asked: what was measured is kept, and places in the plan are free",
    )


@require_POST
@login_required
def restore_chosen(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Ask the ticked prompts again."""
    return _with_chosen(request, brand_id, restore_prompts, "asked again by the next scan")


def _with_chosen(request: HttpRequest, brand_id: UUID, act: Any, what: str) -> HttpResponse:
    form = ChosenForm(request.POST)
    if not form.is_valid():
        brand_frame(request, brand_id)
        messages.error(request, "No prompt is chosen. Tick some, then press the button again.")
    else:
        chosen = form.cleaned_data["prompt"]
        changed = attempt(request, lambda: act(person(request), brand_id=brand_id, prompt_ids=chosen))
        if changed is not None:
            messages.success(request, f"{counted(changed, 'prompt')}: {what}.")
    return redirect(_address(brand_id, QueryDict(request.POST.get("back", "")[:4_000])))


def _page(request: HttpRequest, frame: BrandFrame, form: SuggestForm, status: int = 200) -> HttpResponse:
    browsed = browse_prompts(
        reader(request), brand=frame.brand, choice=_choice(request.GET), number=request.GET.get("page", "1")
    )
    effects = effects_of(frame.brand) if frame.may_edit else None
    context = frame.context(
        "prompts-page",
        browsed=browsed,
        effect_of_archiving=effects.of_archiving_some() if effects else "",
        effect_of_adding=effects.of_adding(DEFAULT_PROMPTS) if effects else "",
        page=browsed.page,
        ages={row.engine: row.age for item in browsed.page.object_list for row in item.engines if row.age},
        filters=FilterForm(browsed),
        back=request.GET.urlencode(),
        form=form,
    )
    return render(request, "visibility/prompts_page.html", context, status=status)


def _choice(query: QueryDict) -> PromptChoice:
    stage, intent = query.get("stage", ""), query.get("intent", "")
    return PromptChoice(
        state=ARCHIVED if query.get("state") == ARCHIVED else ACTIVE,
        text=_searchable(query.get("text", ""), MAX_PROMPT),
        topic=_searchable(query.get("topic", ""), MAX_TOPIC),
        stage=stage if stage in Stage.values else "",
        intent=intent if intent in Intent.values else "",
    )


def _searchable(text: str, longest: int) -> str:
    """What can be looked for: no more than a prompt can hold."""
    return text.strip()[:longest]


def _address(brand_id: UUID, query: QueryDict) -> str:
    """That of the list with these filters, none of which leads anywhere else."""
    kept = {name: str(query[name]) for name in (*FILTERS, "page") if query.get(name)}
    return reverse("prompts-page", args=[brand_id]) + (f"?{urlencode(kept)}" if kept else "")


_PROMPTS = "brands/<uuid:brand_id>/prompts"
urlpatterns = [
    path(_PROMPTS, prompts_page, name="prompts-page"),
    path(f"{_PROMPTS}/suggest", suggest_prompts, name="suggest-prompts"),
    path(f"{_PROMPTS}/archive", archive_chosen, name="archive-prompts"),
    path(f"{_PROMPTS}/restore", restore_chosen, name="restore-prompts"),
]

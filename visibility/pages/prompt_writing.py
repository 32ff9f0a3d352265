"""The web pages where people write prompts: add one, paste many, change one."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.sentences import counted, joined
from visibility.models import Intent, Prompt, Stage
from visibility.models.prompts import MAX_PERSONA, MAX_PROMPT, MAX_TOPIC
from visibility.pages.acts import attempt_in, person, reader
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.services.prompts.editing import AddedPrompts, PromptDraft, prompt_quota
from visibility.services.prompts.effects import effects_of
from visibility.services.prompts.files import MAX_FILE, lines_of_file
from visibility.services.prompts.keeping import add_prompt, change_prompt
from visibility.services.prompts.pasting import MAX_LINES, Pasted, Preview, paste_prompts, preview_prompts

NOT_STATED = ("", "not stated")
ONE, MANY = "one_%s", "many_%s"
"""Ids of the fields of two forms on one page."""


class PromptFields(forms.Form):
    """What a prompt may state beside its wording; the service checks it."""

    topic = forms.CharField(
        required=False, max_length=MAX_TOPIC, help_text="Prompts of one topic are wordings of one need."
    )
    stage = forms.ChoiceField(required=False, choices=[NOT_STATED, *Stage.choices])
    intent = forms.ChoiceField(required=False, choices=[NOT_STATED, *Intent.choices])
    persona = forms.CharField(required=False, max_length=MAX_PERSONA, label="Who asks")
    locale = forms.CharField(required=False, help_text="Language and region, such as en-GB.")


class PromptForm(PromptFields):
    """One prompt."""

    text = forms.CharField(
        label="Prompt",
        max_length=MAX_PROMPT,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="Ask as a buyer would ask an assistant, without your name in it: prompts that name you are no part "
        "of the score.",
    )
    field_order = ("text", "topic", "stage", "intent", "persona", "locale")


class PasteForm(PromptFields):
    """Many prompts, and what holds for those lines that state nothing else."""

    text = forms.CharField(
        label="Prompts, one on each line",
        widget=forms.Textarea(attrs={"rows": 12, "dir": "auto"}),
        strip=False,
        required=False,
        help_text="From a spreadsheet, copy the columns text, topic, stage, intent, persona, locale; all but the "
        "first may be missing.",
    )
    file = forms.FileField(
        required=False,
        label="Or a file",
        help_text="A text with a prompt on each line, or a CSV with a column prompt; "
        f"{MAX_FILE // 2**20} MB at most. "
        "It is shown here first, and nothing is added yet.",
    )
    field_order = ("text", "file", "topic", "stage", "intent", "persona", "locale")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("file") and cleaned.get("text", "").strip():
            self.add_error("file", "There are lines in the field above, too: add those first, or empty it.")
        elif not cleaned.get("file") and not cleaned.get("text") and not self.errors:
            self.add_error("text", "This field is required, or a file.")
        return cleaned


class EditForm(PromptForm):
    """A prompt, and the version that was seen when it was opened."""

    seen_version = forms.IntegerField(widget=forms.HiddenInput)


@require_safe
@login_required
def add_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The forms that add one prompt, or many."""
    return _add_page(request, brand_frame(request, brand_id))


@require_POST
@login_required
def add(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Add one prompt. What is refused stays in the form, with the reason."""
    frame = brand_frame(request, brand_id)
    form = PromptForm(request.POST, auto_id=ONE)
    if form.is_valid():
        draft = PromptDraft(**form.cleaned_data)
        added = attempt_in(form, lambda: add_prompt(person(request), brand_id=brand_id, draft=draft))
        if added and (added.created or added.restored):
            messages.success(request, _said_of(added))
            return redirect("add-prompts", brand_id=brand_id)
        if added:
            form.add_error("text", "This is asked already, in these words and this locale.")
    return _add_page(request, frame, one=form, status=400)


@require_POST
@login_required
def paste(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Add many prompts. Lines that are refused stay in the form, each with its reason; repeats are told of."""
    frame = brand_frame(request, brand_id)
    form = PasteForm(request.POST, request.FILES, auto_id=MANY)
    if not form.is_valid():
        return _add_page(request, frame, many=form, status=400)
    file = form.cleaned_data.pop("file")
    text, shared = form.cleaned_data["text"], PromptDraft(**{**form.cleaned_data, "text": ""})
    if file or "check" in request.POST:
        return _preview(request, frame, form, file)
    pasted = attempt_in(form, lambda: paste_prompts(person(request), brand_id=brand_id, text=text, shared=shared))
    if pasted is None:
        return _add_page(request, frame, many=form, status=400)
    messages.success(request, _said_of(pasted))
    if not pasted.refused and not pasted.repeated:
        return redirect("prompts-page", brand_id=brand_id)
    left = {**form.cleaned_data, "text": "\n".join(line.text for line in pasted.refused)}
    status = 400 if pasted.refused else 200
    return _add_page(request, frame, many=PasteForm(initial=left, auto_id=MANY), pasted=pasted, status=status)


def _preview(request: HttpRequest, frame: BrandFrame, form: PasteForm, file: Any) -> HttpResponse:
    """The list, or that of the file, in the field, and what adding it would do; nothing is added."""
    fields = form.cleaned_data

    def look() -> tuple[str, Preview]:
        text = lines_of_file(file, size=file.size) if file else fields["text"]
        shared = PromptDraft(**{**fields, "text": ""})
        return text, preview_prompts(person(request), brand_id=frame.brand.pk, text=text, shared=shared)

    looked = attempt_in(form, look)
    if looked is None:
        return _add_page(request, frame, many=form, status=400)
    text, preview = looked
    filled = PasteForm(initial={**fields, "text": text}, auto_id=MANY)
    return _add_page(request, frame, many=filled, preview=preview)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_page(request: HttpRequest, brand_id: UUID, prompt_id: UUID) -> HttpResponse:
    """One prompt to change, what a change means for its history, and its earlier wordings."""
    frame = brand_frame(request, brand_id)
    prompt = _prompt(request, brand_id, prompt_id)
    form = EditForm(request.POST) if request.method == "POST" else EditForm(initial=_fields(prompt))
    if form.is_valid():
        changed = attempt_in(form, lambda: _change(request, prompt, form.cleaned_data))
        if changed:
            messages.success(request, _said_of_change(prompt, changed))
            return redirect("prompt-page", brand_id=brand_id, prompt_id=prompt_id)
    if form.errors:
        # Whoever saves again has read what it is now.
        form.data = {**request.POST.dict(), "seen_version": prompt.version}
    versions = prompt.versions.order_by("-number")
    effect = effects_of(frame.brand).of_rewording(prompt.pk)
    context = frame.context("prompts-page", form=form, prompt=prompt, versions=list(versions), effect=effect)
    return render(request, "visibility/prompt_edit_page.html", context, status=400 if form.errors else 200)


@snapshot()
def _prompt(request: HttpRequest, brand_id: UUID, prompt_id: UUID) -> Prompt:
    prompt: Prompt | None = (
        Prompt.objects.restrict(reader(request), "view").tracked().filter(brand=brand_id, pk=prompt_id).first()
    )
    if prompt is None:
        raise Http404
    return prompt


def _change(request: HttpRequest, prompt: Prompt, fields: dict[str, Any]) -> Prompt:
    seen_version = fields["seen_version"]
    draft = PromptDraft(**{name: value for name, value in fields.items() if name != "seen_version"})
    return change_prompt(
        person(request), brand_id=prompt.brand_id, prompt_id=prompt.pk, draft=draft, seen_version=seen_version
    )


def _fields(prompt: Prompt) -> dict[str, Any]:
    """The prompt as it stands; a topic that is the text itself is none that anybody stated."""
    fields = {name: getattr(prompt, name) for name in ("text", "topic", "stage", "intent", "persona", "locale")}
    if prompt.topic == prompt.text[:MAX_TOPIC]:
        fields["topic"] = ""
    return fields | {"seen_version": prompt.version}


def _add_page(
    request: HttpRequest,
    frame: BrandFrame,
    *,
    one: PromptForm | None = None,
    many: PasteForm | None = None,
    pasted: Pasted | None = None,
    preview: Preview | None = None,
    status: int = 200,
) -> HttpResponse:
    context = frame.context(
        "prompts-page",
        one=one or PromptForm(auto_id=ONE),
        many=many or PasteForm(auto_id=MANY),
        pasted=pasted,
        preview=preview,
        quota=prompt_quota(frame.brand),
        effect=effects_of(frame.brand).of_adding(len(preview.created) + len(preview.restored) if preview else 1),
        max_lines=MAX_LINES,
    )
    return render(request, "visibility/prompts_add_page.html", context, status=status)


def _said_of(added: AddedPrompts | Pasted) -> str:
    """What was added, and what came back from the archive."""
    parts = []
    if added.created:
        parts.append(f"{counted(len(added.created), 'prompt')} added")
    if added.restored:
        parts.append(f"{counted(len(added.restored), 'prompt')} restored from the archive")
    if not parts:
        return "Nothing new: no prompt was added."
    return f"{joined(parts)}. The next scan asks {'it' if len(added.created) + len(added.restored) == 1 else 'them'}."


def _said_of_change(before: Prompt, after: Prompt) -> str:
    if before.version != after.version:
        return f"Saved as wording {after.version}. It counts from the next scan; until then the earlier wording does."
    return "Saved. The wording is the same, so its answers go on counting."


_PROMPTS = "brands/<uuid:brand_id>/prompts"
urlpatterns = [
    path(f"{_PROMPTS}/add", add_page, name="add-prompts"),
    path(f"{_PROMPTS}/add/one", add, name="add-prompt"),
    path(f"{_PROMPTS}/add/many", paste, name="paste-prompts"),
    path(f"{_PROMPTS}/<uuid:prompt_id>/edit", edit_page, name="edit-prompt"),
]

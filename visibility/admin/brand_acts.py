"""What operators do for a brand from its page: start a scan, bring prompts."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from apikeys.errors import ServiceError
from apikeys.staff.base import Act, BeforeTheAct, operator_caller
from apikeys.staff.pages import page_of
from apikeys.text.sentences import counted
from brands.models import Brand
from visibility.models import Run
from visibility.models.prompts import MAX_TOPIC, Stage
from visibility.services.prompts.editing import PromptDraft
from visibility.services.prompts.files import MAX_FILE, lines_of_file
from visibility.services.prompts.pasting import COLUMNS, Preview, paste_prompts, preview_prompts
from visibility.services.scans.starting import start_scan


class ImportPromptsForm(forms.Form):
    """Prompts, one on each line or from a file, and what holds for all of them that say nothing else."""

    prompts = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 15, "cols": 90, "dir": "auto"}),
        help_text=f"One on each line, as people would ask it; or the cells {', '.join(COLUMNS)} between tabs.",
    )
    file = forms.FileField(
        required=False,
        label="Or a file",
        help_text="A text with a prompt on each line, or a CSV with a column prompt; "
        f"{MAX_FILE // 2**20} MB at most. "
        "It is shown before anything is added.",
    )
    topic = forms.CharField(required=False, max_length=MAX_TOPIC, help_text="Of all of them. Empty: each its own.")
    stage = forms.ChoiceField(required=False, choices=[("", "not stated"), *Stage.choices])
    locale = forms.CharField(required=False, max_length=35, help_text="Such as en-GB. Empty: not stated.")
    is_seen = forms.BooleanField(
        required=False,
        label="Leave out refused lines",
        help_text="Add the others. Without it nothing is added while a line is refused.",
    )

    def clean(self) -> dict[str, Any]:
        """The lines, of whichever of the two they are; a file is read only where it is short enough."""
        cleaned = super().clean() or {}
        file, typed = cleaned.get("file"), cleaned.get("prompts", "")
        if file and typed.strip():
            self.add_error("file", "There are lines in the field above, too: add those first, or empty it.")
        elif file:
            try:
                cleaned["prompts"] = lines_of_file(file, size=file.size)
            except ServiceError as refusal:
                self.add_error("file", refusal.message)
        elif not typed.strip() and not self.errors:
            self.add_error("prompts", "This field is required, or a file.")
        return cleaned


def start_and_say(request: HttpRequest, brand: Brand) -> str:
    """Start a scan of the brand; what came of it, in a sentence."""
    started = start_scan(operator_caller(request), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR)
    if started.started:
        return f"The scan has started: {counted(started.run.total, 'question')}, {started.credits_spent} credits."
    when = f"{started.next_allowed_at:%-d %b %Y %H:%M} UTC"
    return f"No new scan ({started.reason}), and nothing was charged. The next can start at {when}."


def _start(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    return start_and_say(request, brand)


def _import(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str | HttpResponse:
    """Add the prompts; those of a file, and lists with lines that would be refused, are shown first."""
    shared = PromptDraft(text="", topic=values["topic"], stage=values["stage"], locale=values["locale"])
    wanted: dict[str, Any] = {"brand_id": brand.pk, "text": values["prompts"], "shared": shared}
    caller = operator_caller(request)
    preview = preview_prompts(caller, **wanted)
    if values["file"] or (preview.refused and not values["is_seen"]):
        return _previewed(request, brand, values, preview)
    added = paste_prompts(caller, **wanted)
    left_out = f" {counted(len(added.refused), 'line was', 'lines were')} left out." if added.refused else ""
    return (
        f"{counted(len(added.created), 'prompt')} added, {len(added.restored)} restored from the archive, "
        f"{len(added.repeated)} were asked already. The next scan asks them.{left_out}"
    )


def _previewed(request: HttpRequest, brand: Brand, values: dict[str, Any], preview: Preview) -> HttpResponse:
    """The lines in the form, with what adding them would do; nothing is added."""
    context = {
        **admin.site.each_context(request),
        "title": "Import prompts",
        "subtitle": str(brand),
        "explanation": "Nothing is added yet. This is what adding these lines would do:",
        "form": ImportPromptsForm(initial={**values, "file": None}),
        "preview": preview,
        "submit_label": "Import prompts",
        "opts": Brand._meta,
        "original": brand,
        "back": page_of(brand),
    }
    return BeforeTheAct(request, "admin/act.html", context)


BRAND_ACTS = (
    Act(
        slug="scan",
        label="Start a scan",
        permission="visibility.add_run",
        explanation="Asks the brand's prompts now, with the credits of its owner. Nothing starts while a scan is "
        "active or within its cooldown.",
        perform=_start,
    ),
    Act(
        slug="import-prompts",
        label="Import prompts",
        permission="visibility.add_prompt",
        explanation="Adds many prompts at once, within the plan of the brand's owner. A file, and a list with lines "
        "that would be refused, is shown first. Wordings that are asked already stay as they are.",
        perform=_import,
        form=ImportPromptsForm,
    ),
)

"""What operators do for a brand from its page: start a scan, bring prompts."""

from typing import Any

from django import forms
from django.http import HttpRequest

from apikeys.staff.base import Act, operator_caller
from apikeys.staff.fields import LinesField
from apikeys.text.sentences import counted
from brands.models import Brand
from visibility.models import Run
from visibility.models.prompts import Stage
from visibility.services.prompts.editing import PromptDraft, add_prompts
from visibility.services.scans.starting import start_scan


class ImportPromptsForm(forms.Form):
    """Prompts, one on each line, and what holds for all of them."""

    prompts = LinesField(
        required=True,
        widget=forms.Textarea(attrs={"rows": 15, "cols": 90}),
        help_text="One on each line, as people would ask it.",
    )
    topic = forms.CharField(required=False, max_length=200, help_text="Of all of them. Empty: each its own.")
    stage = forms.ChoiceField(required=False, choices=[("", "not stated"), *Stage.choices])
    locale = forms.CharField(required=False, max_length=35, help_text="Such as en-GB. Empty: not stated.")


def _start(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    started = start_scan(operator_caller(request), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR)
    if started.started:
        return f"The scan has started: {counted(started.run.total, 'question')}, {started.credits_spent} credits."
    when = f"{started.next_allowed_at:%-d %b %Y, %H:%M} UTC"
    return f"No new scan ({started.reason}), and nothing was charged. The next can start at {when}."


def _import(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    more = {name: values[name] for name in ("topic", "stage", "locale")}
    drafts = [PromptDraft(text=text, **more) for text in values["prompts"]]
    added = add_prompts(operator_caller(request), brand=brand, drafts=drafts)
    known = len(added.prompts) - len(added.created) - len(added.restored)
    return (
        f"{counted(len(added.created), 'prompt')} added, {len(added.restored)} restored from the archive, "
        f"{known} were asked already. The next scan asks them."
    )


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
        explanation="Adds many prompts at once, within the plan of the brand's owner: all of them or none. Wordings "
        "that are asked already stay as they are.",
        perform=_import,
        form=ImportPromptsForm,
    ),
)

"""The forms of a brand's first hour: its address, what is proposed from its site, prompts, a file of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from apikeys.errors import ServiceError
from brands.models import LONGEST_DESCRIPTION, LONGEST_NAME
from visibility.content.resources import GeneratedPrompt
from visibility.onboarding.site import FIRST_PAGES
from visibility.pages.forms import LONGEST_ADDRESS, LinesField, PageForm, TextField, TicksField, VerbField
from visibility.pages.prompts import FORM_EXAMPLES

LARGEST_FILE = 5 * 2**20
"""Bytes; they are counted within a minute, while somebody waits."""
FILES = {
    "": gettext_lazy("a table: JSON Lines, JSON or CSV"),
    "chatgpt": gettext_lazy("an export of ChatGPT (conversations.json)"),
    "promptfoo": gettext_lazy("results of promptfoo (JSON)"),
}


@dataclass(frozen=True, slots=True)
class Again:
    """A step that is shown again, with what its forms say: they were refused, or there is more to look at."""

    form: dict[str, Any]
    is_refused: bool = True


class AddForm(PageForm):
    """A new brand: its address is enough."""

    fold, folded = gettext_lazy("Name, what it sells, reading"), ("name", "description", "reads")

    domain = forms.CharField(
        label=gettext_lazy("Address of your site"),
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput({"placeholder": "example.com", "autocomplete": "url", "inputmode": "url"}),
    )
    name = forms.CharField(label=gettext_lazy("Name, as people write it"), max_length=LONGEST_NAME, required=False)
    description = TextField(
        label=gettext_lazy("What it sells, in a sentence"), max_length=LONGEST_DESCRIPTION, required=False
    )
    reads = forms.BooleanField(
        label=format_lazy(
            gettext_lazy("Read the site for proposals: up to {pages} pages, one credit each"), pages=FIRST_PAGES
        ),
        required=False,
        initial=True,
    )


class FirstPromptsForm(PageForm):
    """Prompts to ask: those that are ticked of the suggested ones, and a list."""

    suggested = TicksField(label=gettext_lazy("Suggested: untick what nobody would ask"), required=False)
    prompts = LinesField(
        label=gettext_lazy("Your prompts, one a line"),
        rows=7,
        required=False,
        placeholder=FORM_EXAMPLES,
        help_text=gettext_lazy("Paste a list, or write as buyers speak. Each goes to the topic whose words it has."),
    )

    def offer(self, prompts: Sequence[GeneratedPrompt]) -> None:
        """Show a ticked box for each suggestion, and for those that were sent."""
        boxes = {f"{each.topic}\n{each.text}": labelled(each.text, each.topic) for each in prompts}
        sent = self["suggested"].value() or [] if self.is_bound else []
        boxes |= {value: labelled(*reversed(split_suggestion(value))) for value in sent if value not in boxes}
        if boxes:
            self.fields["suggested"].choices = list(boxes.items())  # type: ignore[attr-defined]
            self.initial["suggested"] = list(boxes)
        else:
            self.fields["suggested"].widget = forms.MultipleHiddenInput()

    @property
    def drafts(self) -> list[tuple[str, str]]:
        """The topic and text of each suggestion that is ticked."""
        return [split_suggestion(value) for value in self.cleaned_data["suggested"]]


class FileForm(PageForm):
    """A file of answers that were captured elsewhere."""

    fold, folded = gettext_lazy("Its form, times and columns"), ("kind", "zone", "columns")

    file = forms.FileField(
        label=gettext_lazy("File of answers"),
        help_text=format_lazy(
            gettext_lazy("With prompt, engine, time and text of each; up to {size} MB."), size=LARGEST_FILE // 2**20
        ),
    )
    kind = forms.ChoiceField(label=gettext_lazy("It is"), choices=list(FILES.items()), required=False)
    zone = forms.CharField(
        label=gettext_lazy("Time zone of times that state none"), max_length=50, required=False, initial="UTC"
    )
    columns = LinesField(
        label=gettext_lazy("Columns that are called otherwise, one a line"),
        required=False,
        placeholder="text=Response",
    )

    def clean_file(self) -> Any:
        """The file, if it is of a size that a page takes."""
        file = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(
                gettext("It is larger than {size} MB. Split it.").format(size=LARGEST_FILE // 2**20)
            )
        return file

    def clean_zone(self) -> ZoneInfo | None:
        """The zone by its name."""
        name = self.cleaned_data["zone"]
        try:
            return ZoneInfo(name) if name else None
        except (ValueError, OSError, ZoneInfoNotFoundError) as error:
            raise forms.ValidationError(
                gettext("There is no such time zone. Name one such as Europe/Berlin.")
            ) from error

    def clean_columns(self) -> dict[str, str]:
        """The columns by their fields."""
        columns = {}
        for line in self.cleaned_data["columns"]:
            field, sign, name = line.partition("=")
            if not (sign and field.strip() and name.strip()):
                raise forms.ValidationError(
                    gettext("“{line}” has another form than text=Response.").format(line=line[:50])
                )
            columns[field.strip().lower()] = name.strip()
        return columns

    def refuse(self, refusal: ServiceError) -> bool:
        """Name each bad line of the file."""
        lines = refusal.details.get("lines") or []
        if not lines:
            return super().refuse(refusal)
        self.add_error("file", gettext("Nothing was imported. Correct these and drop it again:"))
        for line in lines:
            self.add_error(
                "file", gettext("Line {number}: {reason}").format(number=line["line"], reason=line["reason"])
            )
        return True

    def clean(self) -> dict[str, Any]:
        """The values with the file as text; reading it raises UnicodeDecodeError where it is not UTF-8."""
        file = self.cleaned_data.get("file")
        return {**self.cleaned_data, "text": file and TextIOWrapper(file.file, encoding="utf-8", newline="")}


class FirstScanForm(PageForm):
    """Starting the first scan, or one each week from then on; how often it asks each prompt."""

    verb = VerbField("start", "samples", "weekly")
    samples = forms.IntegerField(label=gettext_lazy("Times"), min_value=1, required=False)

    def clean(self) -> dict[str, Any]:
        """A number where one is to be saved."""
        if self.cleaned_data.get("verb") == "samples" and not self.cleaned_data.get("samples"):
            self.add_error("samples", gettext("Give a number."))
        return self.cleaned_data


def labelled(text: str, because: str) -> SafeString:
    """The words of a box, and below where they are from."""
    return format_html("<b>{}</b><small>{}</small>", text, because) if because else format_html("<b>{}</b>", text)


def split_suggestion(value: str) -> tuple[str, str]:
    """Topic and text of a suggested prompt as a box has it."""
    topic, _, text = value.partition("\n")
    return (topic.strip(), text.strip()) if text else ("", topic.strip())

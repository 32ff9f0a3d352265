"""The forms of a brand's first hour: its address, what is proposed from its site, prompts, a file of answers."""

from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apikeys.errors import ServiceError
from brands.models import LONGEST_DESCRIPTION, LONGEST_NAME
from visibility.audit import Proposal
from visibility.content.resources import GeneratedPrompt
from visibility.onboarding.site import FIRST_PAGES
from visibility.pages.forms import LONGEST_ADDRESS, LinesField, PageForm, TextField, TicksField, VerbField
from visibility.pages.prompts import FORM_EXAMPLES

BLANK_ROWS, MOST_ROWS = 2, 30
LARGEST_FILE = 20 * 2**20
FILES = {
    "": "a table: JSON Lines, JSON or CSV",
    "chatgpt": "an export of ChatGPT (conversations.json)",
    "promptfoo": "results of promptfoo (JSON)",
}


class AddForm(PageForm):
    """A new brand: its address is enough."""

    domain = forms.CharField(
        label="Address of your site",
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput({"placeholder": "example.com", "autocomplete": "url", "inputmode": "url"}),
    )
    name = forms.CharField(label="Name, as people write it", max_length=LONGEST_NAME, required=False)
    description = TextField(label="What it sells, in a sentence", max_length=LONGEST_DESCRIPTION, required=False)
    reads = forms.BooleanField(
        label=f"Read the site for proposals: up to {FIRST_PAGES} pages, one credit each", required=False, initial=True
    )


class AboutForm(PageForm):
    """Who the brand is and what it sells; what is proposed has a box."""

    beside: ClassVar[dict[str, str]] = {"alias": "more_names", "topic": "more_topics", "topics": "more_topics"}
    name = forms.CharField(label="Name, as people write it", max_length=LONGEST_NAME)
    names = TicksField(label="Other names that answers may use", required=False)
    more_names = LinesField(label="More names, one a line", rows=2, required=False)
    description = TextField(
        label="What you sell, in a sentence",
        max_length=LONGEST_DESCRIPTION,
        required=False,
        help_text="It tells you apart where your name is also a word.",
    )
    topics = TicksField(label="Your topics: needs of buyers. Five to ten are a good start.", required=False)
    more_topics = LinesField(label="More topics, one a line", rows=3, required=False)

    def offer(self, names: Sequence[Proposal], topics: Sequence[Proposal]) -> None:
        """Show a box for each of these, and for those that were sent."""
        for field, proposals in (("names", names), ("topics", topics)):
            boxes = {each.text: labelled(each.text, each.because) for each in proposals}
            if self.is_bound:
                sent = self[field].value() or []
                boxes |= {text: labelled(text, "") for text in sent[: TicksField.MOST] if text not in boxes}
            if boxes:
                self.fields[field].choices = list(boxes.items())  # type: ignore[attr-defined]
            else:
                self.fields[field].widget = forms.MultipleHiddenInput()

    @property
    def all_names(self) -> list[str]:
        """The names that are ticked or typed."""
        return _distinct([*self.cleaned_data["names"], *self.cleaned_data["more_names"]])

    @property
    def all_topics(self) -> list[str]:
        """The topics that are ticked or typed."""
        return _distinct([*self.cleaned_data["topics"], *self.cleaned_data["more_topics"]])


class RivalForm(PageForm):
    """One competitor, proposed or typed; a row without words is none."""

    takes = forms.BooleanField(label="Track", required=False, initial=True)
    name = forms.CharField(label="Competitor, as answers write it", max_length=LONGEST_NAME, required=False)
    domain = forms.CharField(
        label="Its site",
        max_length=LONGEST_ADDRESS,
        required=False,
        widget=forms.TextInput({"placeholder": "example.com"}),
    )
    because = forms.CharField(max_length=500, required=False, widget=forms.HiddenInput)

    @property
    def is_taken(self) -> bool:
        """Whether it says a competitor to track."""
        values = self.cleaned_data
        return bool(values.get("takes") and (values.get("name") or values.get("domain")))

    def clean(self) -> dict[str, Any]:
        """A competitor has a name and a site."""
        if self.is_taken:
            for field, words in (("name", "Write its name."), ("domain", "Give its site, or untick it.")):
                if field not in self.errors and not self.cleaned_data.get(field):
                    self.add_error(field, words)
        return self.cleaned_data


class Rows:
    """The rows of competitors of a page."""

    def __init__(self, data: Any = None, proposals: Sequence[Proposal] = ()) -> None:
        number = _number(data.get("rivals", "")) if data is not None else len(proposals) + BLANK_ROWS
        self.forms = [
            RivalForm(
                data,
                key=place,
                prefix=f"rival{place}",
                initial=_of(proposals[place]) if place < len(proposals) else None,
            )
            for place in range(min(number, MOST_ROWS))
        ]

    @property
    def taken(self) -> list[RivalForm]:
        """The rows with a competitor to track; all are valid."""
        return [form for form in self.forms if form.is_taken]

    def is_valid(self) -> bool:
        """Whether each row is."""
        valid = [form.is_valid() for form in self.forms]
        return all(valid)


class FirstPromptsForm(PageForm):
    """Prompts to ask: those that are ticked of the suggested ones, and a list."""

    suggested = TicksField(label="Suggested: untick what nobody would ask", required=False)
    prompts = LinesField(
        label="Your prompts, one a line",
        rows=7,
        required=False,
        placeholder=FORM_EXAMPLES,
        help_text="Paste a list, or write as buyers speak. Each goes to the topic whose words it has.",
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

    file = forms.FileField(
        label="File of answers", help_text="With prompt, engine, time and text of each; up to 20 MB."
    )
    kind = forms.ChoiceField(label="It is", choices=list(FILES.items()), required=False)
    zone = forms.CharField(label="Time zone of times that state none", max_length=50, required=False, initial="UTC")
    columns = LinesField(
        label="Columns that are called otherwise, one a line",
        required=False,
        placeholder="text=Response",
    )

    def clean_file(self) -> Any:
        """The file, if it is of a size that a page takes."""
        file = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(f"It is larger than {LARGEST_FILE // 2**20} MB. Split it.")
        return file

    def clean_zone(self) -> ZoneInfo | None:
        """The zone by its name."""
        name = self.cleaned_data["zone"]
        try:
            return ZoneInfo(name) if name else None
        except (ValueError, OSError, ZoneInfoNotFoundError) as error:
            raise forms.ValidationError("There is no such time zone. Name one such as Europe/Berlin.") from error

    def clean_columns(self) -> dict[str, str]:
        """The columns by their fields."""
        columns = {}
        for line in self.cleaned_data["columns"]:
            field, sign, name = line.partition("=")
            if not (sign and field.strip() and name.strip()):
                raise forms.ValidationError(f"“{line[:50]}” has another form than text=Response.")
            columns[field.strip().lower()] = name.strip()
        return columns

    def refuse(self, refusal: ServiceError) -> bool:
        """Name each bad line of the file."""
        lines = refusal.details.get("lines") or []
        if not lines:
            return super().refuse(refusal)
        self.add_error("file", "Nothing was imported. Correct these and drop it again:")
        for line in lines:
            self.add_error("file", f"Line {line['line']}: {line['reason']}")
        return True

    def clean(self) -> dict[str, Any]:
        """The values with the file as text; reading it raises UnicodeDecodeError where it is not UTF-8."""
        file = self.cleaned_data.get("file")
        return {**self.cleaned_data, "text": file and TextIOWrapper(file.file, encoding="utf-8", newline="")}


class FirstScanForm(PageForm):
    """Starting the first scan, or one each week from then on; how often it asks each prompt."""

    verb = VerbField("start", "samples", "weekly")
    samples = forms.IntegerField(label="Times", min_value=1, required=False)

    def clean(self) -> dict[str, Any]:
        """A number where one is to be saved."""
        if self.cleaned_data.get("verb") == "samples" and not self.cleaned_data.get("samples"):
            self.add_error("samples", "Give a number.")
        return self.cleaned_data


def labelled(text: str, because: str) -> SafeString:
    """The words of a box, and below where they are from."""
    return format_html("<b>{}</b><small>{}</small>", text, because) if because else format_html("<b>{}</b>", text)


def split_suggestion(value: str) -> tuple[str, str]:
    """Topic and text of a suggested prompt as a box has it."""
    topic, _, text = value.partition("\n")
    return (topic.strip(), text.strip()) if text else ("", topic.strip())


def _distinct(texts: Sequence[str]) -> list[str]:
    return list({" ".join(text.split()).casefold(): text for text in reversed(texts) if text.strip()}.values())[::-1]


def _of(proposal: Proposal) -> dict[str, str]:
    return {"name": proposal.text, "domain": proposal.domain, "because": proposal.because}


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 3 else 0

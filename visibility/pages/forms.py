"""What forms of pages share: they parse and bound what was sent; services decide whether it is allowed."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext

from apikeys.errors import ServiceError

LONGEST_ADDRESS = 2_000
LONGEST_TEXT = 100_000
"""Characters of a field of many lines."""


class PageForm(forms.Form):
    """A form of a page. `next`: where to go back to. Several forms of a page have ids of their own by `key`."""

    beside: ClassVar[Mapping[str, str]] = {}
    """The field beside which a refusal stands, where it names an argument otherwise."""
    fold: ClassVar[Any] = ""
    folded: ClassVar[Sequence[str]] = ()
    """Fields that few need, and the words that unfold them."""
    next = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, files: Any = None, *, key: object = "", **options: Any) -> None:
        self.key = str(key)
        auto_id = f"{type(self).__name__.removesuffix('Form').lower()}{key}-%s"
        super().__init__(data, files, auto_id=auto_id, **options)

    def refuse(self, refusal: ServiceError) -> bool:
        """Show what a service refused beside the field that it names; returns whether there is such a field."""
        field = str(refusal.details.get("argument", ""))
        field = self.beside.get(field, field)
        if field not in self.fields:
            return False
        self.add_error(field, refusal.message)
        return True

    @property
    def problem(self) -> str:
        """The first error in words."""
        for name, errors in self.errors.items():
            label = self.fields[name].label if name in self.fields else ""
            return f"{label}: {errors[0]}" if label else str(errors[0])
        return ""

    @property
    def is_unfolded(self) -> bool:
        """Whether a folded field was refused."""
        return any(name in self.errors for name in self.folded)

    @property
    def is_of_nothing(self) -> bool:
        """Whether what it is about is none of the things that the page offers: an id, a verb, a hidden value."""
        return any(name in self.fields and self.fields[name].widget.is_hidden for name in self.errors)


class IdForm(PageForm):
    """A button that does something to a row."""

    id = forms.UUIDField(widget=forms.HiddenInput)


class VerbField(forms.ChoiceField):
    """Which of its buttons sent the form."""

    widget = forms.HiddenInput

    def __init__(self, *verbs: str, **options: Any) -> None:
        super().__init__(choices=[(verb, verb) for verb in verbs], **options)


class TextField(forms.CharField):
    """A text of some lines."""

    def __init__(self, *, rows: int = 2, placeholder: Any = "", **options: Any) -> None:
        attributes = {"rows": rows, **({"placeholder": placeholder} if placeholder else {})}
        super().__init__(widget=forms.Textarea(attributes), **{"max_length": LONGEST_TEXT, **options})

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Without the bound, which would cut off a paste without a word."""
        return {}


class LinesField(TextField):
    """What is on its lines, or between its signs, the empty ones left out."""

    def __init__(self, *, sign: str = "\n", **options: Any) -> None:
        self.sign = sign
        super().__init__(**options)
        if sign != "\n":
            self.widget = forms.TextInput()

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        """The lines of what was sent."""
        text = (super().to_python(value) or "").replace("\r\n", "\n").replace("\r", "\n")
        return [line.strip() for line in text.split(self.sign) if line.strip()]

    def run_validators(self, value: Any) -> None:
        """The bounds are those of the whole."""
        super().run_validators(self.sign.join(value))

    def prepare_value(self, value: Any) -> Any:
        """A list as lines."""
        separator = "\n" if self.sign == "\n" else f"{self.sign} "
        return separator.join(value) if isinstance(value, list | tuple) else value


class TicksField(forms.MultipleChoiceField):
    """Boxes of what is proposed; what comes back is bounded, and need not be proposed again."""

    widget = forms.CheckboxSelectMultiple
    MOST: ClassVar[int] = 200
    LONGEST: ClassVar[int] = 2_000

    def validate(self, value: list[str]) -> None:
        """Refuse more than people tick."""
        if len(value) > self.MOST or any(len(each) > self.LONGEST or "\0" in each for each in value):
            raise forms.ValidationError(gettext("That is more than this page offers."))


def form_or(sent: PageForm | None, make: type[PageForm], *, key: object = "", **options: Any) -> PageForm:
    """The form that was sent and refused, if it is this one of the page, else an empty one."""
    if isinstance(sent, make) and sent.key == str(key):
        return sent
    return make(key=key, **options)

"""Form fields of the staff pages."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator

from apikeys.models import User

if TYPE_CHECKING:
    UserChoiceField = forms.ModelChoiceField[User]
else:
    UserChoiceField = forms.ModelChoiceField


class PersonField(UserChoiceField):
    """An account, named by its email address in whatever case."""

    widget = forms.EmailInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(queryset=User.objects.all(), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """The address of an account given as such or by its id; what was typed stays as typed."""
        if isinstance(value, int):
            value = User.objects.filter(pk=value).first()
        return value.email if isinstance(value, User) else value

    def to_python(self, value: Any) -> User | None:
        if value in self.empty_values:
            return None
        ProhibitNullCharactersValidator()(value)
        # A disabled field hands over its initial value, the id; from a browser only text comes.
        lookup = {"pk": value} if isinstance(value, int) else {"email__iexact": str(value).strip()}
        user = User.objects.filter(**lookup).first()
        if user is None:
            raise ValidationError("No account has this email address. Create it first, or check the spelling.")
        return user


class LinesField(forms.CharField):
    """A list of short texts, one on each line; empty lines are left out."""

    def __init__(self, **kwargs: Any) -> None:
        defaults: dict[str, Any] = {"required": False, "widget": forms.Textarea(attrs={"rows": 4, "cols": 40})}
        super().__init__(**{**defaults, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in str(value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(list(initial or []) != self.to_python(data))

"""Which mails somebody gets that nobody has to get: letters on brands, and alerts."""

from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.translation import get_language, gettext, gettext_lazy

from apikeys.accounts.caller import Caller
from apikeys.mail.choices import choose, wants
from apikeys.models import MailPreference, User
from brands.models import Brand
from visibility.letters.alerts import kinds_for
from visibility.letters.schedule import preference_of, subscribe, subscribed_to
from visibility.pages.forms import PageForm, TicksField
from visibility.pages.frame import account_page

MOST_BRANDS = TicksField.MOST
"""That the form offers, by name."""


class MailForm(PageForm):
    """Letters and alerts of a person: what is ticked comes."""

    letter = TicksField(label=gettext_lazy("A letter each week on"), required=False)
    weekday = forms.TypedChoiceField(label=gettext_lazy("It comes on"), choices=list(WEEKDAYS.items()), coerce=int)
    hour = forms.TypedChoiceField(
        label=gettext_lazy("at"), choices=[(hour, f"{hour:02}:00") for hour in range(24)], coerce=int
    )
    zone = forms.ChoiceField(label=gettext_lazy("in the time zone"))
    language = forms.ChoiceField(label=gettext_lazy("Language of mails"), choices=settings.LANGUAGES)
    alert = TicksField(label=gettext_lazy("Tell me at once"), required=False)

    def __init__(self, person: User, data: Any = None) -> None:
        self.person = person
        seen = Brand.objects.restrict(Caller.from_user(person), "view").order_by("name", "pk")[:MOST_BRANDS]
        self.brands: dict[str, str] = {str(pk): name for pk, name in seen.values_list("pk", "name")}
        self.kinds = kinds_for(person)
        super().__init__(data, initial=self._stored())
        choices = {
            "letter": list(self.brands.items()),
            "alert": [(kind.name, kind.label) for kind in self.kinds],
            "zone": [(zone, zone) for zone in sorted(available_timezones())],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]

    def _stored(self) -> dict[str, Any]:
        preference = preference_of(self.person)
        is_new = preference.pk is None
        return {
            "letter": [str(pk) for pk in subscribed_to(self.person)],
            "alert": [kind.name for kind in self.kinds if wants(self.person, kind.mailing, default=True)],
            **{name: getattr(preference, name) for name in ("weekday", "hour", "zone")},
            "language": get_language() if is_new else preference.language,
        }

    def store(self) -> MailPreference:
        """Store what was sent; what the form did not offer stays as it is."""
        values = self.cleaned_data
        offered = {UUID(key) for key in self.brands}
        ticked = {UUID(key) for key in values["letter"] if key in self.brands}
        times = {name: values[name] for name in ("weekday", "hour", "zone", "language")}
        for kind in self.kinds:
            if (kind.name in values["alert"]) != wants(self.person, kind.mailing, default=True):
                choose(self.person, kind.mailing, is_wanted=kind.name in values["alert"])
        return subscribe(self.person, offered=offered, wanted=ticked, **times)


@account_page
def mail(request: HttpRequest, user: User) -> HttpResponse:
    """Store which mails somebody wants; what was refused is said in a message."""
    form = MailForm(user, request.POST) if request.method == "POST" and settings.HAS_MAIL else None
    if form is None:
        raise Http404
    if form.is_valid():
        form.store()
        messages.success(request, gettext("Saved."))
        if not user.has_confirmed_address:
            messages.warning(
                request,
                gettext(
                    "Nothing comes before your address is confirmed: “Password forgotten?” sends a link that does it."
                ),
            )
    else:
        messages.error(request, form.problem)
    return HttpResponseRedirect(reverse("account"))

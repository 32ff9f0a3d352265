"""What can be changed of a brand: names, scans, engines, people; taking its data out, and deleting it."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, ClassVar, Self, cast

from django import forms
from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from apikeys.errors import ErrorCode, ServiceError, invalid
from apikeys.language import number_words
from apikeys.models import User
from brands.brands import delete_brand, update_brand
from brands.invitations import link_to_hand_on
from brands.models import LONGEST_DESCRIPTION, LONGEST_NAME, Brand, Cadence, Collaborator, Invitation
from brands.people import invite, remove_collaborator, set_role, withdraw
from visibility.answers.names import uses_of_names
from visibility.answers.reads import COLUMNS, read_answers
from visibility.counts.words import engine_name
from visibility.models import Answer, Engine, Run
from visibility.pages.forms import (
    LONGEST_ADDRESS,
    IdForm,
    LinesField,
    PageForm,
    TextField,
    TicksField,
    VerbField,
    form_or,
)
from visibility.pages.frame import Visit, act, brand_page, day_of
from visibility.pages.names import NameUseForm, PolicyForm, mend_name, policies_of, set_policy
from visibility.pages.tables import Table, wanted
from visibility.pages.trail import SHOWN_IN_SETTINGS, changes_of
from visibility.runs.engines import state_of
from visibility.runs.estimate import estimate_scan
from visibility.runs.services import choose_engines, start_scan
from visibility.scores.engines import measured_of
from visibility.scores.reads import TREND_COLUMNS, iterate_trend, trend_row

MOST_EXPORTED = 20_000
"""Answers in one file: some hundred megabytes at most."""
DAYS_EXPORTED = 30
DAY = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
ROLES = {"editor": gettext_lazy("editor: may change and scan"), "viewer": gettext_lazy("viewer: may look")}
CADENCES = {
    Cadence.WEEKLY: gettext_lazy("every week (we propose this)"),
    Cadence.DAILY: gettext_lazy("every day"),
    Cadence.MONTHLY: gettext_lazy("every month"),
    Cadence.MANUAL: gettext_lazy("only when somebody starts one"),
}


class NamesForm(PageForm):
    """How answers write the brand, and where it is on the web."""

    beside: ClassVar[Mapping[str, str]] = {"alias": "aliases"}
    name = forms.CharField(max_length=LONGEST_NAME)
    aliases = LinesField(label=gettext_lazy("Other names, one a line"), rows=3, required=False)
    domain = forms.CharField(label=gettext_lazy("Main site"), max_length=LONGEST_ADDRESS)
    domains = LinesField(label=gettext_lazy("Other sites of yours, one a line"), required=False)
    description = TextField(
        label=gettext_lazy("What it sells, in a sentence"), max_length=LONGEST_DESCRIPTION, required=False
    )
    region = forms.CharField(
        label=gettext_lazy("Country of buyers, two letters such as DE"), max_length=2, required=False
    )

    @staticmethod
    def values_of(brand: Brand) -> dict[str, Any]:
        """What is stored of a brand."""
        own = {"competitor": None, "is_main": False}
        return {
            **{name: getattr(brand, name) for name in ("name", "domain", "description", "region")},
            "aliases": [name.text for name in brand.names.all() if name.competitor_id is None and not name.is_main],
            "domains": list(brand.domains.filter(**own).values_list("domain", flat=True)),
        }


class ScheduleForm(PageForm):
    """How often scans run, and how often each asks a prompt."""

    cadence = forms.ChoiceField(label=gettext_lazy("How often"), choices=list(CADENCES.items()))
    samples = forms.IntegerField(label=gettext_lazy("Times each prompt is asked in a scan"), min_value=1)


class EnginesForm(PageForm):
    """The AI engines that scans ask."""

    engine = TicksField(
        label=gettext_lazy("Scans ask those that are ticked; with none ticked, all that can be asked."),
        required=False,
    )

    def offer(self, engines: Iterable[Engine]) -> None:
        """Show a box for each of these."""
        choices = [
            (each.name, format_html("<b>{}</b><small>{}</small>", engine_name(each.name), state_of(each)))
            for each in engines
        ]
        self.fields["engine"].choices = choices  # type: ignore[attr-defined]


class InviteForm(PageForm):
    """Who is let in, and as what."""

    email = forms.EmailField(label=gettext_lazy("Invite by email"), widget=forms.EmailInput({"autocomplete": "off"}))
    role = forms.ChoiceField(label=gettext_lazy("As"), choices=list(ROLES.items()))


class HandOverForm(PageForm):
    """To whom the brand is offered."""

    email = forms.EmailField(
        label=gettext_lazy("Email of the new owner"), widget=forms.EmailInput({"autocomplete": "off"})
    )

    def clean(self) -> dict[str, Any]:
        """The offer is that of the owner's role."""
        return {**self.cleaned_data, "role": Invitation.Role.OWNER}


class PersonForm(PageForm):
    """What becomes of somebody's access."""

    id = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)
    role = forms.ChoiceField(choices=Collaborator.Role.choices, required=False)
    verb = VerbField("remove", required=False)

    @classmethod
    def of(cls, person: Collaborator) -> Self:
        """The form of one of several people."""
        form = cls(key=person.pk, initial={"id": person.pk, "role": person.role})
        form.fields["role"].widget.attrs["aria-label"] = gettext("Role of {email}").format(email=person.user.email)
        return form


class DeleteForm(PageForm):
    """The name of the brand, to be sure."""

    name = forms.CharField(label=gettext_lazy("Its name"), widget=forms.TextInput({"autocomplete": "off"}))


class ExportForm(PageForm):
    """The days whose answers are taken out."""

    first = forms.DateField(label=gettext_lazy("Answers from"), widget=DAY)
    last = forms.DateField(label=gettext_lazy("to"), widget=DAY)


@brand_page
def settings(visit: Visit) -> HttpResponse:
    """The settings as forms, and what a scan costs."""
    return _export(visit) if visit.query.get("format") == "csv" else _page(visit)


def _page(visit: Visit, form: PageForm | None = None) -> HttpResponse:
    """The page, with a form that was refused as it was sent."""
    estimate, lacks_engine = None, False
    prefetch_related_objects([visit.brand], "names")
    try:
        estimate = estimate_scan(visit.brand)
    except ServiceError as refusal:
        lacks_engine = refusal.code == ErrorCode.NO_ENGINE_CONFIGURED
    return visit.show(
        "settings.html",
        "settings",
        uses=uses_of_names(visit.brand),
        estimate=estimate,
        lacks_engine=lacks_engine,
        changes=changes_of(visit.brand)[:SHOWN_IN_SETTINGS],
        **_names_and_scans(visit.brand, form),
        **_people(visit, form),
        **_data_out(visit.brand, form),
    )


def _names_and_scans(brand: Brand, form: PageForm | None) -> dict[str, Any]:
    chosen = list(brand.chosen_engines.values_list("engine__name", flat=True))
    engines = list(Engine.objects.asked())
    engines_form = form_or(form, EnginesForm, initial={"engine": chosen})
    cast(EnginesForm, engines_form).offer(engines)
    stored = NamesForm.values_of(brand)
    policy_form = form_or(form, PolicyForm)
    cast(PolicyForm, policy_form).offer(brand)
    return {
        "names_form": form_or(form, NamesForm, initial=stored),
        "schedule_form": form_or(form, ScheduleForm, initial={"cadence": brand.cadence, "samples": brand.samples}),
        "engines_form": engines_form,
        "engines": [(each, state_of(each)) for each in engines],
        "stored": stored,
        "policies": policies_of(brand),
        "policy_form": policy_form,
    }


def _people(visit: Visit, form: PageForm | None) -> dict[str, Any]:
    people = visit.brand.collaborators.select_related("user")
    is_owner = visit.may_edit and visit.brand.owner_id == visit.request.user.pk
    return {
        "invite_form": form_or(form, InviteForm),
        "hand_over_form": form_or(form, HandOverForm),
        "people": [(each, PersonForm.of(each)) for each in people],
        "invitations": [(each, link_to_hand_on(each) if is_owner else "") for each in visit.brand.invitations.all()],
        "is_owner": is_owner,
    }


def _data_out(brand: Brand, form: PageForm | None) -> dict[str, Any]:
    days = measured_of(brand).days
    last = days[1] if days else date.today()
    return {
        "export_form": ExportForm(initial={"first": last - timedelta(days=DAYS_EXPORTED), "last": last}),
        "delete_form": form_or(form, DeleteForm),
    }


def _export(visit: Visit) -> HttpResponse:
    """The measured days, or the answers of some days, as a file; too many answers are refused, not cut."""
    first, last = (day_of(visit.query.get(name, "")) for name in ("first", "last"))
    first, last = first or date.min, last or date.max
    if visit.query.get("table") == "answers":
        number = Answer.objects.filter(brand=visit.brand, day__range=(first, last)).count()
        if number > MOST_EXPORTED:
            why = gettext(
                "These are {number} answers; a table holds {most}. Choose fewer days, or take everything in one file."
            ).format(number=number_words(number), most=number_words(MOST_EXPORTED))
            messages.error(visit.request, why)
            return HttpResponseRedirect(visit.address(HERE))

    file = wanted(
        visit,
        Table("scores", TREND_COLUMNS, lambda: map(trend_row, iterate_trend(visit.caller, visit.brand.pk))),
        Table("answers", COLUMNS, lambda: read_answers(visit.caller, visit.brand.pk, first, last)),
    )
    if file is None:
        raise Http404
    return file


def _update(visit: Visit, values: dict[str, Any]) -> str:
    given = {name: values[name] for name in NamesForm.base_fields if name != "next"}
    update_brand(visit.caller, brand_id=visit.brand.pk, **given)
    return gettext("Saved.")


def _schedule(visit: Visit, values: dict[str, Any]) -> str:
    update_brand(visit.caller, brand_id=visit.brand.pk, cadence=values["cadence"], samples=values["samples"])
    return gettext("Saved.")


def _choose(visit: Visit, values: dict[str, Any]) -> str:
    names = values["engine"]
    choose_engines(visit.caller, brand_id=visit.brand.pk, names=names)
    return (
        gettext("Saved. The next scan asks these.") if names else gettext("Saved. The next scan asks all AI engines.")
    )


def _invite(visit: Visit, values: dict[str, Any]) -> str:
    offer = invite(visit.caller, brand_id=visit.brand.pk, email=values["email"], role=values["role"])
    if link_to_hand_on(offer):
        return gettext("Hand the link below on to {email}.").format(email=offer.email)
    return gettext("{email} gets a mail with a link.").format(email=offer.email)


def _withdraw(visit: Visit, values: dict[str, Any]) -> str:
    withdraw(visit.caller, brand_id=visit.brand.pk, invitation_id=values["id"])
    return gettext("The invitation is taken back.")


def _change_person(visit: Visit, values: dict[str, Any]) -> str:
    """Give somebody another role, or end their access."""
    user = User.objects.filter(collaborations__brand=visit.brand, collaborations__pk=values["id"]).first()
    if user is None:
        raise Http404
    if values["verb"] == "remove":
        remove_collaborator(visit.caller, brand_id=visit.brand.pk, user=user)
        return gettext("{email} no longer sees this brand.").format(email=user.email)
    role = set_role(visit.caller, brand_id=visit.brand.pk, user=user, role=values["role"]).role
    words = gettext("{email} is an editor now.") if role == "editor" else gettext("{email} is a viewer now.")
    return words.format(email=user.email)


def _scan(visit: Visit, values: dict[str, Any]) -> str:
    started = start_scan(visit.caller, brand_id=visit.brand.pk, trigger=Run.Trigger.WEB)
    if started.reason:
        return started.reason.words()
    return gettext("The scan has begun: {total} answers are asked for.").format(total=started.run.total)


def _delete(visit: Visit, values: dict[str, Any]) -> str:
    if values["name"] != visit.brand.name:
        raise invalid("name", gettext("To delete the brand, write its name exactly as it is."))
    delete_brand(visit.caller, brand_id=visit.brand.pk)
    return gettext("{name} and all that was measured of it are deleted.").format(name=visit.brand.name)


HERE = "brand-settings"
update_act, schedule_act = act(_update, HERE, NamesForm, _page), act(_schedule, HERE, ScheduleForm, _page)
invite_act, hand_over_act = act(_invite, HERE, InviteForm, _page), act(_invite, HERE, HandOverForm, _page)
withdraw_act, person_act = act(_withdraw, HERE, IdForm), act(_change_person, HERE, PersonForm)
engines_act = act(_choose, HERE, EnginesForm, _page)
name_act, policy_act = act(mend_name, HERE, NameUseForm), act(set_policy, HERE, PolicyForm, _page)
scan_act = act(_scan, "brand")
delete_act = act(_delete, lambda visit, values: reverse("start"), DeleteForm, _page)
"""Each form of the page: what it does, its own fields, and the page again where it is refused."""

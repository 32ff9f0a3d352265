"""What can be changed of a brand: names, schedule, people, export, deletion."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apikeys.errors import ServiceError
from brands.brands import delete_brand, update_brand
from brands.invitations import invite, withdraw
from brands.models import Cadence
from visibility.models import Run
from visibility.pages.frame import Visit, act, brand_page
from visibility.runs.engines import engines_of
from visibility.runs.estimate import estimate_scan
from visibility.runs.services import start_scan


@brand_page
def settings(visit: Visit) -> HttpResponse:
    """The settings as forms, and what a scan costs."""
    try:
        estimate = estimate_scan(visit.caller, visit.brand.pk)
    except ServiceError:
        estimate = None
    names = visit.brand.names.filter(competitor=None)
    return visit.show(
        "settings.html",
        "settings",
        aliases="\n".join(names.filter(is_main=False).values_list("text", flat=True)),
        cadences=Cadence.choices,
        estimate=estimate,
        engines=engines_of(visit.brand),
        people=visit.brand.collaborators.select_related("user"),
        invitations=visit.brand.invitations.all(),
        is_owner=visit.may_edit and visit.brand.owner_id == visit.request.user.pk,
    )


def _text(visit: Visit, name: str) -> str:
    return str(visit.request.POST.get(name, ""))


def _update(visit: Visit) -> str:
    post = visit.request.POST
    names = ("name", "domain", "description", "region", "cadence")
    given: dict[str, Any] = {name: str(post[name]) for name in names if name in post}
    aliases = _text(visit, "aliases").splitlines() if "aliases" in post else None
    update_brand(visit.caller, brand_id=visit.brand.pk, aliases=aliases, **given)
    return "Saved."


def _invite(visit: Visit) -> str:
    offer = invite(visit.caller, brand_id=visit.brand.pk, email=_text(visit, "email"), role=_text(visit, "role"))
    return f"{offer.email} finds the invitation after signing in."


def _withdraw(visit: Visit) -> str:
    try:
        withdraw(visit.caller, brand_id=visit.brand.pk, invitation_id=UUID(_text(visit, "id")))
    except ValueError:
        raise Http404 from None
    return "The invitation is taken back."


def _scan(visit: Visit) -> str:
    started = start_scan(visit.caller, brand_id=visit.brand.pk, trigger=Run.Trigger.WEB)
    if started.started:
        return f"The scan has begun: {started.run.total} answers are asked for."
    return "A scan is under way, or was within the last hour: nothing is asked twice."


def _address(visit: Visit) -> str:
    return reverse("brand-settings", args=[visit.brand.pk])


update_act, invite_act, withdraw_act = act(_update, _address), act(_invite, _address), act(_withdraw, _address)
scan_act = act(_scan, lambda visit: reverse("brand", args=[visit.brand.pk]))


@brand_page
def delete(visit: Visit) -> HttpResponse:
    """Delete the brand for good: by its owner, who writes its name."""
    if visit.request.method != "POST":
        raise Http404
    if _text(visit, "name").strip() != visit.brand.name:
        messages.error(visit.request, "Write the name of the brand exactly as it stands to delete it.")
        return HttpResponseRedirect(_address(visit))
    try:
        delete_brand(visit.caller, brand_id=visit.brand.pk)
    except ServiceError as refusal:
        messages.error(visit.request, refusal.message)
        return HttpResponseRedirect(_address(visit))
    messages.success(visit.request, f"{visit.brand.name} and all that was measured of it are deleted.")
    return HttpResponseRedirect(reverse("start"))

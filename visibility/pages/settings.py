"""What can be changed of a brand: names, scans, engines, people; taking its data out, and deleting it."""

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apikeys.errors import ServiceError, invalid
from apikeys.models import User
from apikeys.text import storable
from brands.brands import delete_brand, update_brand
from brands.competitors import update_competitor
from brands.models import Cadence
from brands.names import set_name_policy
from brands.people import invite, remove_collaborator, set_role, withdraw
from visibility.answers.names import uses_of_names
from visibility.answers.reads import COLUMNS, read_answers
from visibility.models import Answer, Engine, Run
from visibility.pages.frame import Visit, act, brand_page, day_of, lines_of
from visibility.pages.tables import Table, wanted
from visibility.reading.costs import reading_cost
from visibility.runs.engines import state_of
from visibility.runs.estimate import estimate_scan
from visibility.runs.services import choose_engines, start_scan
from visibility.scores.reads import TREND_COLUMNS, iterate_trend, trend_row

MOST_EXPORTED = 20_000
"""Answers in one file: some hundred megabytes at most."""
DAYS_EXPORTED = 30
CADENCES = {
    Cadence.WEEKLY: "every week (we propose this)",
    Cadence.DAILY: "every day",
    Cadence.MONTHLY: "every month",
    Cadence.MANUAL: "only when somebody starts one",
}


@brand_page
def settings(visit: Visit) -> HttpResponse:
    """The settings as forms, and what a scan costs."""
    return _export(visit) if visit.query.get("format") == "csv" else _page(visit)


def _page(visit: Visit, typed: dict[str, Any] | None = None) -> HttpResponse:
    """`typed` is what was refused, to be shown again instead of what is stored."""
    brand = visit.brand
    stored = {
        "aliases": "\n".join(brand.names.filter(competitor=None, is_main=False).values_list("text", flat=True)),
        "domains": "\n".join(brand.domains.filter(competitor=None, is_main=False).values_list("domain", flat=True)),
        **{name: getattr(brand, name) for name in ("name", "domain", "description", "region", "cadence", "samples")},
    }
    last = date.today()
    try:
        estimate = estimate_scan(visit.caller, visit.brand.pk)
    except ServiceError:
        estimate = None
    chosen = set(brand.chosen_engines.values_list("engine", flat=True))
    most = brand.owner.limit("max_samples")
    return visit.show(
        "settings.html",
        "settings",
        shown={**stored, **(typed or {})},
        uses=uses_of_names(brand),
        cadences=CADENCES.items(),
        samples=range(1, max(most, brand.samples) + 1),
        estimate=estimate,
        engines=[(each, each.pk in chosen, state_of(each)) for each in Engine.objects.asked()],
        cost=reading_cost(brand),
        people=brand.collaborators.select_related("user"),
        invitations=brand.invitations.all(),
        is_owner=visit.may_edit and brand.owner_id == visit.request.user.pk,
        export={"first": last - timedelta(days=DAYS_EXPORTED), "last": last},
    )


def _export(visit: Visit) -> HttpResponse:
    """The measured days, or the answers of some days, as a file; too many answers are refused, not cut."""
    first, last = (day_of(visit.query.get(name, "")) for name in ("first", "last"))
    first, last = first or date.min, last or date.max
    if visit.query.get("table") == "answers":
        number = Answer.objects.filter(brand=visit.brand, day__range=(first, last)).count()
        if number > MOST_EXPORTED:
            why = f"These are {number:,} answers; a table holds {MOST_EXPORTED:,}."
            why = f"{why} Choose fewer days, or take everything in one file."
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


def _update(visit: Visit) -> str:
    post = visit.request.POST
    names = ("name", "domain", "description", "region", "cadence")
    given: dict[str, Any] = {name: str(post[name]) for name in names if name in post}
    for name in ("aliases", "domains"):
        if name in post:
            given[name] = lines_of(visit.posted(name))
    if "samples" in post:
        samples = str(post["samples"])
        given["samples"] = int(samples) if samples.isdecimal() and len(samples) < 4 else 0
    update_brand(visit.caller, brand_id=visit.brand.pk, **given)
    return "Saved."


def _mend_name(visit: Visit) -> str:
    """Add a longer name, or rule a name out beside a word."""
    row = visit.brand.names.filter(text=storable(visit.posted("name"))).select_related("competitor").first()
    if row is None:
        raise Http404
    if word := visit.posted("also"):
        others = visit.brand.names.filter(competitor=row.competitor, is_main=False).values_list("text", flat=True)
        if row.competitor is None:
            update_brand(visit.caller, brand_id=visit.brand.pk, aliases=[*others, word])
        else:
            at = {"brand_id": visit.brand.pk, "competitor_id": row.competitor.pk}
            update_competitor(visit.caller, **at, aliases=[*others, word])
        return f"“{word}” counts as a name, too. Figures follow within minutes."
    word = visit.posted("never")
    set_name_policy(
        visit.caller,
        brand_id=visit.brand.pk,
        name=row.text,
        case_sensitive=row.case_sensitive,
        required_near=row.required_near,
        forbidden_near=[*row.forbidden_near, word],
    )
    return f"“{row.text}” beside “{word}” does not count any more. Figures follow within minutes."


def _choose(visit: Visit) -> str:
    names = visit.request.POST.getlist("engine")
    choose_engines(visit.caller, brand_id=visit.brand.pk, names=names)
    return "Saved. The next scan asks these." if names else "Saved. The next scan asks all AI engines."


def _invite(visit: Visit) -> str:
    offer = invite(visit.caller, brand_id=visit.brand.pk, email=visit.posted("email"), role=visit.posted("role"))
    return f"{offer.email} finds the invitation after signing in."


def _withdraw(visit: Visit) -> str:
    withdraw(visit.caller, brand_id=visit.brand.pk, invitation_id=visit.posted_id)
    return "The invitation is taken back."


def _change_person(visit: Visit) -> str:
    """Give somebody another role, or end their access."""
    text = visit.posted("id")
    pk = int(text) if text.isdecimal() and len(text) < 19 else 0
    user = User.objects.filter(collaborations__brand=visit.brand, collaborations__pk=pk).first()
    if user is None:
        raise Http404
    if visit.posted("verb") == "remove":
        remove_collaborator(visit.caller, brand_id=visit.brand.pk, user=user)
        return f"{user.email} no longer sees this brand."
    role = set_role(visit.caller, brand_id=visit.brand.pk, user=user, role=visit.posted("role")).role
    return f"{user.email} is {'an editor' if role == 'editor' else 'a viewer'} now."


def _scan(visit: Visit) -> str:
    started = start_scan(visit.caller, brand_id=visit.brand.pk, trigger=Run.Trigger.WEB)
    if started.reason:
        return started.reason.words()
    return f"The scan has begun: {started.run.total} answers are asked for."


HERE = "brand-settings"
invite_act, withdraw_act, scan_act = act(_invite, HERE), act(_withdraw, HERE), act(_scan, "brand")
engines_act, person_act = act(_choose, HERE), act(_change_person, HERE)
name_act = act(_mend_name, HERE)


@brand_page
def update_act(visit: Visit) -> HttpResponse:
    """Save what is given; what is refused stays in the form."""
    if visit.request.method != "POST":
        raise Http404
    try:
        return visit.back(visit.address(HERE), _update(visit))
    except ServiceError as refusal:
        messages.error(visit.request, refusal.message)
        visit.brand.refresh_from_db()
        response = _page(visit, {name: str(value) for name, value in visit.request.POST.items()})
        response.status_code = 400
        return response


@brand_page
def delete(visit: Visit) -> HttpResponse:
    """Delete the brand for good: by its owner, who writes its name."""
    if visit.request.method != "POST":
        raise Http404
    try:
        if visit.posted("name").strip() != visit.brand.name:
            raise invalid("name", "To delete the brand, write its name exactly as it is.")
        delete_brand(visit.caller, brand_id=visit.brand.pk)
    except ServiceError as refusal:
        messages.error(visit.request, refusal.message)
        return HttpResponseRedirect(visit.address(HERE))
    messages.success(visit.request, f"{visit.brand.name} and all that was measured of it are deleted.")
    return HttpResponseRedirect(reverse("start"))

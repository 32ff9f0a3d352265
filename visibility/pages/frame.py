"""What all pages share: who looks at which brand, the menu around it, and acts that end in a message."""

from collections.abc import Callable, Collection
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any, cast
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import staff_reader
from apikeys.errors import ErrorCode, ServiceError
from apikeys.language import written_for
from apikeys.models import User
from brands.models import Brand, Competitor, Invitation, ShareLink
from brands.people import open_invitations_to
from visibility.models import Prompt, Recommendation, Run
from visibility.models.recommendations import RecommendationStatus
from visibility.pages.filters import CARRIED, FIRST_PERIOD, Filters, offer_of
from visibility.pages.forms import PageForm
from visibility.recommendations.kinds import CHORES
from visibility.runs.reads import read_scan_status

MENU = (
    ("overview", gettext_lazy("Overview"), "brand"),
    ("todo", gettext_lazy("To do"), "brand-todo"),
    ("history", gettext_lazy("History"), "brand-history"),
    ("prompts", gettext_lazy("Prompts"), "brand-prompts"),
    ("answers", gettext_lazy("Answers"), "brand-answers"),
    ("competitors", gettext_lazy("Competitors"), "brand-competitors"),
    ("sources", gettext_lazy("Sources"), "brand-sources"),
    ("audit", gettext_lazy("Site audit"), "brand-audit"),
    ("settings", gettext_lazy("Settings"), "brand-settings"),
)
ON_PHONES = ("overview", "todo", "prompts", "competitors")
MOST_BRANDS = 12
"""In the menu of brands."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A request by somebody for a page of a brand. `may_edit`: pages show what changes it. By a `link` come people
    without an account, who see one page with the filters of the link."""

    request: HttpRequest
    caller: Caller
    brand: Brand
    may_edit: bool
    link: ShareLink | None = None

    @property
    def query(self) -> Any:
        """The filters in the address, or of the link."""
        return self.request.GET if self.link is None else QueryDict(self.link.filters)

    def choice(self, name: str, offered: Collection[str], default: Any = None) -> Any:
        """What the address says of a filter, if that is offered."""
        chosen = self.query.get(name)
        return chosen if chosen in offered else default

    def filters(self, first_period: str = FIRST_PERIOD, *, foreign: bool = False) -> Filters:
        """The filters of the address; with `foreign` topics that are not the brand's own can be chosen, too. A link
        to a part that there is no more shows nothing, and not the whole."""
        filters = Filters(self.query, self.brand, offer_of(self.brand, foreign=foreign), first_period)
        topic = str(filters.chosen_topic.pk) if filters.chosen_topic else None
        chosen = [topic, filters.chosen_engine, filters.chosen_market]
        if self.link is not None and chosen != [self.query.get(name) for name in ("topic", "engine", "market")]:
            raise Http404
        return filters

    @property
    def carried(self) -> dict[str, str]:
        """The filters that links take along from page to page."""
        return {name: value for name in CARRIED if (value := self.request.GET.get(name))}

    def address(self, page: str, *rest: object) -> str:
        """That of a page of the brand."""
        return reverse(page, args=[self.brand.pk, *rest])

    def show(self, template: str, entry: str, **context: Any) -> HttpResponse:
        """The page, with the menu around it; `entry` is that of the menu to which it belongs. Without an account
        there is no menu."""
        if self.link is not None:
            shared = {"visit": self, "brand": self.brand, "around": "pages/shared.html"}
            return render(self.request, f"pages/{template}", {**shared, **context})
        menu, running = _menu(self, entry)
        frame = {"visit": self, "brand": self.brand, "menu": menu, "entry": entry}
        frame["running"] = read_scan_status(self.caller, self.brand.pk, running) if running else None
        return show_page(self.request, template, **{**frame, **context})

    def back(self, address: str, message: str = "", form: PageForm | None = None) -> HttpResponse:
        """A redirect to the page that the form names, else to an address, with a message."""
        if message:
            messages.success(self.request, message)
        return HttpResponseRedirect((form and _safe_next(self.request, form)) or address)


def show_page(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    """A page with what all pages have: the brands to switch to, and what others offer to this person."""
    user = cast(User, request.user)
    seen = Brand.objects.restrict(Caller.from_user(user), "view").order_by("name").only("name", "domain")
    invited = Exists(Invitation.objects.to_address(user.email))
    brands = list(seen.annotate(is_invited=invited)[:MOST_BRANDS])
    has_offers = request.path != reverse("account") and (not brands or brands[0].is_invited)
    frame = {"switchable": brands, "offers": open_invitations_to(user) if has_offers else []}
    return render(request, f"pages/{template}", {**frame, **context})


BrandView = Callable[..., HttpResponseBase]
FormMaker = Callable[..., PageForm]
"""A form's class, or what makes one of the data and files that were sent."""


def uuid_of(text: object) -> UUID:
    """The id in a form or address; 404 where it is not valid."""
    try:
        return UUID(str(text))
    except ValueError:
        raise Http404 from None


def day_of(text: str) -> date | None:
    """The day in an address; None where it is not valid."""
    try:
        return parse_date(text[:10])
    except ValueError:  # such as 31 February
        return None


def brand_page(view: BrandView) -> BrandView:
    """A page of a brand: its view takes a Visit and the rest of the address. 404 for who may not see it; staff may
    look at every brand and change none but their own."""

    @never_cache
    @login_required
    @wraps(view)
    def of_brand(request: HttpRequest, brand_id: UUID, *args: Any, **options: Any) -> HttpResponseBase:
        # Files are English, whoever takes them.
        with nullcontext() if request.GET.get("format") == "csv" else written_for(request):
            return view(Visit(request, *_seen(cast(User, request.user), brand_id)), *args, **options)

    return of_brand


def act(
    do: Callable[[Visit, dict[str, Any]], str],
    page: str | Callable[[Visit, dict[str, Any]], str],
    make: FormMaker = PageForm,
    show: Callable[[Visit, PageForm], HttpResponse] | None = None,
) -> BrandView:
    """A view that changes something by POST: `do` gets the values of the form and returns a message. Then back to
    where it came from, else to this page of the brand, or this address.

    What is refused is shown beside its field where `show` renders the page with the form, else in a message. An id or
    verb that no page offers is 404.
    """

    @brand_page
    def acted(visit: Visit) -> HttpResponse:
        form = sent(visit, make)
        if form.is_valid():
            address = visit.address(page) if isinstance(page, str) else page(visit, form.cleaned_data)
            try:
                return visit.back(address, do(visit, form.cleaned_data), form)
            except ServiceError as refusal:
                refuse(visit.request, form, refusal)
        elif form.is_of_nothing:
            raise Http404
        if show is not None:
            response = show(visit, form)
            response.status_code = 400
            return response
        if form.problem:
            messages.error(visit.request, form.problem)
        address = visit.address(page) if isinstance(page, str) else page(visit, form.cleaned_data)
        return visit.back(address, form=form)

    return acted


def sent(visit: Visit, make: FormMaker) -> PageForm:
    """The form as it was sent; 404 for what was not sent by POST."""
    if visit.request.method != "POST":
        raise Http404
    return make(visit.request.POST, visit.request.FILES)


def refuse(request: HttpRequest, form: PageForm, refusal: ServiceError) -> None:
    """Put a refusal beside its field, else into a message; 404 where the thing is not there."""
    if refusal.code == ErrorCode.NOT_FOUND:
        raise Http404 from refusal
    if not form.refuse(refusal):
        messages.error(request, refusal.message)


def account_page(view: Callable[[HttpRequest, User], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A page for a signed-in person, about no brand."""

    @never_cache
    @login_required
    @wraps(view)
    def of_account(request: HttpRequest) -> HttpResponse:
        with written_for(request):
            return view(request, cast(User, request.user))

    return of_account


def _seen(user: User, brand_id: UUID) -> tuple[Caller, Brand, bool]:
    """As whom somebody sees a brand, the brand with its owner, whose plan limits what pages offer, and whether they
    may change it."""
    callers: tuple[Callable[[User], Caller | None], ...] = (Caller.from_user, staff_reader)
    for caller in (make(user) for make in callers):
        if caller is None:
            continue
        editable = Brand.objects.restrict(caller, "change").filter(pk=OuterRef("pk"))
        seen = Brand.objects.restrict(caller, "view").with_owner().annotate(may_edit=Exists(editable))
        if brand := seen.filter(pk=brand_id).first():
            return caller, brand, brand.may_edit
    raise Http404


def _menu(visit: Visit, entry: str) -> tuple[list[dict[str, Any]], UUID | None]:
    """The entries with what they count, and the id of the run under way, read at once."""
    brand = visit.brand
    asked = Run.objects.active().filter(brand=OuterRef("pk")).exclude(trigger=Run.Trigger.IMPORT).newest()
    audit = Run.objects.measured().filter(brand=OuterRef("pk"), kind=Run.Kind.AUDIT).newest()
    counts = (
        Brand.objects.restrict(visit.caller, "view")
        .filter(pk=brand.pk)
        .values(
            of_todo=_number(
                Recommendation.objects.filter(brand=OuterRef("pk"), status=RecommendationStatus.OPEN).exclude(
                    kind__in=CHORES
                )
            ),
            of_prompts=_number(Prompt.objects.filter(brand=OuterRef("pk")).active()),
            of_competitors=_number(Competitor.objects.filter(brand=OuterRef("pk"))),
            of_audit=Subquery(audit.values("score")[:1]),
            running=Subquery(asked.values("pk")[:1]),
        )[0]
    )
    carried = f"?{urlencode(visit.carried)}" if visit.carried else ""
    if counts["of_audit"] is not None:
        counts["of_audit"] = f"{counts['of_audit']:.0f} %"
    entries = [
        {
            "icon": name,
            "label": label,
            "address": reverse(address, args=[brand.pk]) + carried,
            "count": counts.get(f"of_{name}") or "",
            "is_here": name == entry,
            "on_phones": name in ON_PHONES,
        }
        for name, label, address in MENU
    ]
    return entries, counts["running"]


def _number(rows: QuerySet[Any]) -> Subquery:
    """How many of these rows a brand has."""
    return Subquery(rows.order_by().values("brand").annotate(number=Count("pk")).values("number"))


def _safe_next(request: HttpRequest, form: PageForm) -> str:
    """Where a form wants to go back to, if that is a page of ours."""
    address = str(form.cleaned_data.get("next", ""))
    is_ours = url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()})
    return address if address and is_ours else ""

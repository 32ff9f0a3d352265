"""What all pages share: who looks at which brand, the menu around it, and acts that end in a message."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import User
from apikeys.operators import staff_reader
from brands.access import readable_brand
from brands.models import Brand
from visibility.models import Prompt, Recommendation, Run
from visibility.models.recommendations import RecommendationStatus

MENU = (
    ("overview", "Overview", "brand"),
    ("todo", "To do", "brand-todo"),
    ("history", "History", "brand-history"),
    ("prompts", "Prompts", "brand-prompts"),
    ("competitors", "Competitors", "brand-competitors"),
    ("sources", "Sources", "brand-sources"),
    ("audit", "Site audit", "brand-audit"),
    ("settings", "Settings", "brand-settings"),
)
ON_PHONES = ("overview", "todo", "prompts", "competitors")


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody who looks at a brand. `may_edit`: pages show them what changes it."""

    request: HttpRequest
    caller: Caller
    brand: Brand
    may_edit: bool

    @property
    def query(self) -> Any:
        """The filters in the address."""
        return self.request.GET

    def show(self, template: str, entry: str, **context: Any) -> HttpResponse:
        """The page, with the menu around it; `entry` is that of the menu to which it belongs."""
        frame = {"visit": self, "brand": self.brand, "menu": _menu(self.brand, entry), "entry": entry}
        return render(self.request, f"pages/{template}", {**frame, **context})

    def back(self, address: str, message: str = "") -> HttpResponse:
        """To where the form said that it came from, else to an address, with a message."""
        if message:
            messages.success(self.request, message)
        return HttpResponseRedirect(_safe_next(self.request) or address)


BrandView = Callable[..., HttpResponse]


def brand_page(view: BrandView) -> BrandView:
    """A page of a brand: its view takes a Visit and the rest of the address. 404 for who may not see it; staff may
    look at every brand and change none but their own."""

    @never_cache
    @login_required
    @wraps(view)
    def of_brand(request: HttpRequest, brand_id: UUID, *args: Any, **options: Any) -> HttpResponse:
        user = cast(User, request.user)
        caller = Caller.from_user(user)
        try:
            brand = readable_brand(caller, brand_id)
        except ServiceError as refusal:
            reader = staff_reader(user)
            if reader is None:
                raise Http404 from refusal
            caller = reader
            brand = _of_reader(caller, brand_id)
        may_edit = Brand.objects.restrict(caller, "change").filter(pk=brand.pk).exists()
        return view(Visit(request, caller, brand, may_edit), *args, **options)

    return of_brand


def act(do: Callable[[Visit], str], address: Callable[[Visit], str]) -> BrandView:
    """A view that changes something by POST: `do` returns a message, and its refusals become messages, too. Then back
    to the page it came from."""

    @brand_page
    def acted(visit: Visit) -> HttpResponse:
        if visit.request.method != "POST":
            raise Http404
        try:
            return visit.back(address(visit), do(visit))
        except ServiceError as refusal:
            if refusal.code == ErrorCode.NOT_FOUND:
                raise Http404 from refusal
            messages.error(visit.request, refusal.message)
            return visit.back(address(visit))

    return acted


def account_page(view: Callable[[HttpRequest, User], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A page of somebody who is signed in, about no brand."""

    @never_cache
    @login_required
    @wraps(view)
    def of_account(request: HttpRequest) -> HttpResponse:
        return view(request, cast(User, request.user))

    return of_account


def _of_reader(caller: Caller, brand_id: UUID) -> Brand:
    try:
        return readable_brand(caller, brand_id)
    except ServiceError as refusal:
        raise Http404 from refusal


def _menu(brand: Brand, entry: str) -> list[dict[str, Any]]:
    """The entries with what they count."""
    audit = Run.objects.measured().filter(brand=brand, kind=Run.Kind.AUDIT).newest().first()
    counts: dict[str, Any] = {
        "todo": Recommendation.objects.filter(brand=brand, status=RecommendationStatus.OPEN).count(),
        "prompts": Prompt.objects.filter(brand=brand).active().count(),
        "competitors": brand.competitors.count(),
        "audit": f"{audit.score:.0f}" if audit and audit.score is not None else "",
    }
    return [
        {
            "icon": name,
            "label": label,
            "address": reverse(address, args=[brand.pk]),
            "count": counts.get(name) or "",
            "is_here": name == entry,
            "on_phones": name in ON_PHONES,
        }
        for name, label, address in MENU
    ]


def _safe_next(request: HttpRequest) -> str:
    """Where a form wants to go back to, if that is a page of ours."""
    address = str(request.POST.get("next", ""))
    is_ours = url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()})
    return address if address and is_ours else ""

"""One's own account: what is used, the keys as a list, invitations; and how it is all measured."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import User
from apikeys.usage import quotas
from brands.invitations import accept, decline, invitations_to
from visibility.pages import charts
from visibility.pages.frame import account_page


@account_page
def account(request: HttpRequest, user: User) -> HttpResponse:
    """Usage, keys, invitations, password."""
    if request.method == "POST":
        return _answer(request, user)
    used = [
        (kind.label, quota, charts.bar(min(100.0, 100 * quota.used / quota.limit) if quota.limit else 0))
        for kind, quota in quotas(user).items()
    ]
    keys = user.api_keys.order_by("-created_at")
    return render(request, "pages/account.html", {"used": used, "keys": keys, "invitations": invitations_to(user)})


def _answer(request: HttpRequest, user: User) -> HttpResponse:
    """Accept or decline an invitation."""
    try:
        offer = UUID(str(request.POST.get("id", "")))
    except ValueError:
        raise Http404 from None
    try:
        if request.POST.get("verb") == "accept":
            brand = accept(Caller.from_user(user), invitation_id=offer)
            messages.success(request, f"{brand.name} is among your brands.")
        else:
            decline(Caller.from_user(user), invitation_id=offer)
            messages.success(request, "Declined.")
    except ServiceError as refusal:
        messages.error(request, refusal.message)
    return HttpResponseRedirect(reverse("account"))


@account_page
def method(request: HttpRequest, user: User) -> HttpResponse:
    """How figures are made, in plain words."""
    return render(request, "pages/method.html", {})

"""The web page of a person's account: what it allows, what is used of it, and the keys."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from apikeys.models import LIMITS
from apikeys.services.keys import keys_of
from visibility.pages.acts import person, signed_in
from visibility.services.overview.portfolio import account_of


@require_safe
@login_required
@snapshot()
def account_page(request: HttpRequest) -> HttpResponse:
    """The person's own plan, use and keys; nobody sees another's, and no key is shown."""
    user = signed_in(request)
    has_own_limits = any(getattr(user, f"own_{name}") is not None for name in LIMITS)
    context = {"account": account_of(person(request)), "has_own_limits": has_own_limits, "keys": keys_of(user)}
    return render(request, "visibility/account_page.html", context)


urlpatterns = [path("account", account_page, name="account-page")]

"""The web page of a person's account: what the plan allows, what is used of it, and the keys."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from apikeys.services.keys import keys_of
from visibility.pages.acts import person, signed_in
from visibility.services.overview.portfolio import account_of


@require_safe
@login_required
@snapshot()
def account_page(request: HttpRequest) -> HttpResponse:
    """The person's own plan, use and keys; nobody sees another's, and no key is shown."""
    context = {"account": account_of(person(request)), "keys": keys_of(signed_in(request))}
    return render(request, "visibility/account_page.html", context)


urlpatterns = [path("account", account_page, name="account-page")]

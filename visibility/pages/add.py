"""Adding a brand: its site and name. The other steps of the first hour are in start.py."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import User
from brands.brands import create_brand
from visibility.pages.frame import account_page


@account_page
def add(request: HttpRequest, user: User) -> HttpResponse:
    """The first step: what is refused stays in the form."""
    if request.method != "POST":
        return render(request, "pages/add.html", {})
    typed = {name: str(request.POST.get(name, "")) for name in ("name", "domain", "description")}
    try:
        brand = create_brand(
            Caller.from_user(user),
            owner=user,
            name=typed["name"],
            domain=typed["domain"],
            description=typed["description"],
        )
    except ServiceError as refusal:
        messages.error(request, refusal.message)
        return render(request, "pages/add.html", typed, status=400)
    return HttpResponseRedirect(f"{reverse('brand-start', args=[brand.pk])}?step=names")

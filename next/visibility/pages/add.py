"""Adding a brand: its site and name; then prompts, competitors and the first scan on their own pages."""

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
    if request.method == "POST":
        name, domain = str(request.POST.get("name", "")), str(request.POST.get("domain", ""))
        try:
            brand = create_brand(Caller.from_user(user), owner=user, name=name, domain=domain)
        except ServiceError as refusal:
            messages.error(request, refusal.message)
            return render(request, "pages/add.html", {"name": name, "domain": domain}, status=400)
        return HttpResponseRedirect(reverse("brand-prompts", args=[brand.pk]))
    return render(request, "pages/add.html", {})

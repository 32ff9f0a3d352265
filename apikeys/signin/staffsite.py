"""The site of the staff pages: its sign-in is throttled, and passwords are changed in one place."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apikeys.signin.forms import StaffSignInForm
from apikeys.signin.views import throttled_status


class StaffSite(AdminSite):
    """Django's, with the service's own sign-in."""

    login_form = StaffSignInForm

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return throttled_status(super().login(request, extra_context))  # type: ignore[return-value]

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("password_change")

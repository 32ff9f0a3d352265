"""Staff without a second factor, where the operator wants one: they set it up before anything else opens."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from apikeys.accounts.waysin import has_second_factor
from apikeys.edge.http import is_api_path
from apikeys.language import written_for
from apikeys.models import User

OPEN = frozenset({"account_reauthenticate", "language", "sign-in", "sign-out", "password", "unsubscribe"})
"""What opens without it, by the names of addresses, beside the setting up."""


class StaffSecondFactor:
    """Sends such staff from every page to the one where it is set up. Their keys are not touched."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: object, options: Any) -> HttpResponse | None:
        """A redirect where one is due."""
        if not settings.STAFF_SECOND_FACTOR or is_api_path(request.path_info):
            return None
        user, here = request.user, request.resolver_match
        name = (here.url_name or "") if here else ""
        is_due = isinstance(user, User) and user.is_staff and not has_second_factor(user)
        if not is_due or name in OPEN or name.startswith("mfa_"):
            return None
        with written_for(request):
            messages.warning(request, gettext("Staff need a second factor here. Set one up to go on."))
        return HttpResponseRedirect(reverse("mfa_index"))

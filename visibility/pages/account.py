"""The account: usage, keys, invitations; and the page on how everything is measured."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import quotas
from apikeys.connect.tokens import disconnect, open_connections
from apikeys.errors import ServiceError
from apikeys.models import User
from brands.people import accept, decline, invitations_to, leave_brand
from visibility.drawing import charts
from visibility.pages.forms import IdForm, VerbField
from visibility.pages.frame import account_page, show_page
from visibility.pages.mail import MailForm


class AccountForm(IdForm):
    """What is answered to an invitation, leaving the brand of somebody else, or ending the connection of an app."""

    verb = VerbField("accept", "decline", "leave", "disconnect")


@account_page
def account(request: HttpRequest, user: User) -> HttpResponse:
    """Usage, keys, connections of apps, invitations, password."""
    if request.method == "POST":
        return _answer(request, user)
    used = [
        (str(kind.label), quota, charts.bar(min(100.0, 100 * quota.used / quota.limit) if quota.limit else 0))
        for kind, quota in quotas(user).items()
    ]
    now = timezone.now()
    context = {
        "used": used,
        "keys": [(key, key.state_at(now)) for key in user.api_keys.order_by("-created_at")],
        "connections": open_connections(user, now),
        "invitations": invitations_to(user),
        "shared": user.collaborations.select_related("brand__owner").order_by("brand__name"),
        "mail_form": MailForm(user) if settings.HAS_MAIL else None,
        "sites": (user.brands.count(), user.limit("max_sites")),
    }
    return show_page(request, "account.html", **context)


def _answer(request: HttpRequest, user: User) -> HttpResponse:
    """Accept or decline an invitation, leave the brand of somebody else, or disconnect an app."""
    form = AccountForm(request.POST)
    if not form.is_valid():
        raise Http404
    row, caller = form.cleaned_data["id"], Caller.from_user(user)
    try:
        match form.cleaned_data["verb"]:
            case "accept":
                messages.success(
                    request,
                    gettext("{name} is among your brands.").format(name=accept(caller, invitation_id=row).name),
                )
            case "decline":
                decline(caller, invitation_id=row)
                messages.success(request, gettext("Declined."))
            case "leave":
                leave_brand(caller, brand_id=row)
                messages.success(request, gettext("You have left the brand."))
            case "disconnect":
                disconnect(user, row)
                messages.success(request, gettext("Disconnected: the next call of the app is refused."))
    except ServiceError as refusal:
        messages.error(request, refusal.message)
    return HttpResponseRedirect(reverse("account"))


@account_page
def method(request: HttpRequest, user: User) -> HttpResponse:
    """How figures are made, in plain words."""
    return show_page(request, "method.html")

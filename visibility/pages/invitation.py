"""An invitation opened by its link: by its person, by somebody who is signed in as another, or by a newcomer."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import User
from apikeys.signin.invited import enter, remember_invited
from apikeys.signin.views import page
from brands.invitations import invitation_of
from brands.models import Invitation
from brands.people import accept, join


@page
@sensitive_post_parameters()
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a link. Its person accepts, or makes an account by it; whether there is one is not told before."""
    try:
        offer, was_mailed = invitation_of(token)
    except ServiceError:
        return _shown(request, HTTPStatus.NOT_FOUND)
    if isinstance(request.user, User):
        return _to_signed_in(request, request.user, offer)
    form = SetPasswordForm(User(email=offer.email), request.POST or None)
    if form.is_valid():
        try:
            user = join(offer, password=form.cleaned_data["new_password1"], was_mailed=was_mailed)
        except ServiceError as refusal:
            form.add_error(None, refusal.message)
        else:
            return enter(request, user, reverse("brand", args=[offer.brand.pk]))
    if settings.OIDC_URL:
        remember_invited(request, offer.email)
    sign_on = settings.OIDC_NAME if settings.OIDC_URL else ""
    return _shown(request, offer=offer, form=form, oidc=sign_on)


def _to_signed_in(request: HttpRequest, user: User, offer: Invitation) -> HttpResponse:
    """The page for somebody with an account, who is the invited person or not."""
    is_theirs = User.objects.key_of(user.email) == User.objects.key_of(offer.email)
    if request.method == "POST" and is_theirs:
        try:
            brand = accept(Caller.from_user(user), invitation_id=offer.pk, is_by_link=True)
        except ServiceError as refusal:
            messages.error(request, refusal.message)
            return HttpResponseRedirect(request.path)
        messages.success(request, gettext("{name} is among your brands.").format(name=brand.name))
        return HttpResponseRedirect(reverse("brand", args=[brand.pk]))
    return _shown(request, offer=offer, is_theirs=is_theirs)


def _shown(request: HttpRequest, status: int = HTTPStatus.OK, **context: Any) -> HttpResponse:
    return render(request, "invitation.html", context, status=status)

"""Whom a browser is invited as: opening an invitation lets single sign-on make its account."""

from allauth.account.utils import perform_login
from django.http import HttpRequest, HttpResponse

from apikeys.models import User

_KEY = "invited_address"


def remember_invited(request: HttpRequest, email: str) -> None:
    """Note in the session to which address the invitation was that this browser opened."""
    request.session[_KEY] = User.objects.key_of(email)


def invited_address(request: HttpRequest) -> str:
    """That address, as accounts are compared; empty where no invitation was opened."""
    return str(request.session.get(_KEY, ""))


def enter(request: HttpRequest, user: User, page: str) -> HttpResponse:
    """Sign in who has just made this account, and go on to a page."""
    response: HttpResponse = perform_login(request, user, redirect_url=page)
    return response

"""What signing in asks of every page: cookies of a safe connection never travel over one that is not, and a part of a
page that renews itself says so when its person is signed out, or may see it no more."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

ENDED = 286
"""The status by which a part of a page that renews itself stops asking."""


class SecureCookiesMiddleware:
    """Marks every cookie as one for TLS alone where the client came by TLS, which the server believes of trusted
    proxies only. So the embedded service is safe behind a proxy and still works without one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response


class SignedOutMiddleware:
    """Answers a part of a page that renews itself, once its person is signed out, with a way to sign in again: else
    the whole sign-in page would stand in it, asked for anew every few seconds. So it does once there is no such page
    for this person any more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not HtmxDetails(request):
            return response
        where = response.get("Location", "")
        is_signed_out = where.partition("?")[0] == resolve_url(settings.LOGIN_URL)
        if not is_signed_out and response.status_code != HTTPStatus.NOT_FOUND:
            return response
        sign_in = where if is_signed_out else ""
        part = render(request, "registration/_signed_out.html", {"sign_in": sign_in}, status=ENDED)
        part["Cache-Control"] = "private, no-store"
        patch_vary_headers(part, ["HX-Request", "Cookie"])
        return part

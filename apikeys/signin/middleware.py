"""What signing in asks of every page: cookies of a safe connection never travel over one that is not, nobody keeps
what a person was shown, a part of a page that renews itself says so when its person is signed out, or may see it no
more, and who was signed out while writing learns that nothing was saved, and what to do."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from apikeys.http.requests import is_api_path

ENDED = 286
"""The status by which a part of a page that renews itself stops asking."""
NOT_SAVED = (
    "You are signed out, so nothing was saved. Sign in, then go back in your browser to the form. If it still shows "
    "what you wrote, send it again."
)


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


class UnstoredMiddleware:
    """No cache, the browser's own included, keeps a page or file that was made for somebody: whoever carries a
    session or is given one. The endpoints of the API know no sessions, and say themselves how long theirs hold."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        has_session = settings.SESSION_COOKIE_NAME in {*request.COOKIES, *response.cookies}
        if has_session and not is_api_path(request.path_info):
            response.headers["Cache-Control"] = "private, no-store"
        return response


class SignedOutMiddleware:
    """Answers a part of a page that renews itself, once its person is signed out, with a way to sign in again: else
    the whole sign-in page would stand in it, asked for anew every few seconds. So it does once there is no such page
    for this person any more. Who sends a form signs in for the page on which it stood, and is told that nothing was
    saved: the address to which forms are sent shows nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        where = response.get("Location", "")
        is_signed_out = where.partition("?")[0] == resolve_url(settings.LOGIN_URL)
        if is_signed_out and "?" in where and request.method == "POST":  # Signing out leads there, too: to it alone.
            messages.warning(request, NOT_SAVED)
            return redirect_to_login(_page_before(request))
        if not HtmxDetails(request):
            return response
        if not is_signed_out and response.status_code != HTTPStatus.NOT_FOUND:
            return response
        sign_in = where if is_signed_out else ""
        part = render(request, "registration/_signed_out.html", {"sign_in": sign_in}, status=ENDED)
        patch_vary_headers(part, ["HX-Request", "Cookie"])
        return part


def _page_before(request: HttpRequest) -> str:
    """The path of the page from which the form came; that of the first page where the browser names none of ours."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return urlsplit(page).path if is_ours and urlsplit(page).path else resolve_url(settings.LOGIN_REDIRECT_URL)

"""Cookies of a connection that is safe never travel over one that is not."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


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

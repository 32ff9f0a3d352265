"""TLS that ends at a proxy: believed from a trusted peer only."""

import re
import urllib.error
import urllib.parse
import urllib.request
from contextlib import ExitStack
from functools import cache
from http.cookiejar import CookieJar

import pytest

from tests.factories import PASSWORD, UserFactory
from tests.live import DIRECT, live_web

pytestmark = pytest.mark.server
TRUSTED = "127.0.0.1/8,10.0.0.0/8"
"""The tests themselves among others."""


@pytest.fixture(scope="module")
def server(django_db_setup, django_db_blocker):
    """The URL of a web server that trusts these proxies; started once for each."""
    with django_db_blocker.unblock(), ExitStack() as running:

        @cache
        def start(trusted):
            # The server's own variable must not open another way.
            return running.enter_context(live_web(TRUSTED_PROXIES=trusted, FORWARDED_ALLOW_IPS="*")).url

        yield start


def sends_the_form_over_tls(url):
    """The status of a form that a browser sends to the address as it is seen outside: https, through a proxy."""
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )
    page = browser.open(f"{url}/admin/login/", timeout=60).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    form = urllib.parse.urlencode({"username": "a", "password": "b", "csrfmiddlewaretoken": token}).encode()
    headers = {"Origin": url.replace("http://", "https://"), "X-Forwarded-Proto": "https"}
    try:
        return browser.open(urllib.request.Request(f"{url}/admin/login/", form, headers), timeout=60).status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize(
    ("trusted", "proto", "secure"),
    [(TRUSTED, "https", True), (TRUSTED, "http", False), ("10.0.0.0/8", "https", False)],
)
def test_cookies_are_for_tls_alone_where_a_trusted_proxy_ends_it(
    transactional_db, django_db_serialized_rollback, server, trusted, proto, secure
):
    """In the embedded variant, too, whose settings know no TLS. Without TLS people still get in."""
    UserFactory(email="person@example.com")
    url = server(trusted)
    page = DIRECT.open(urllib.request.Request(f"{url}/login/", headers={"X-Forwarded-Proto": proto}))
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.read().decode())[1]
    cookie = page.headers["Set-Cookie"].partition(";")[0]
    form = {"username": "person@example.com", "password": PASSWORD, "csrfmiddlewaretoken": token}
    seen = url.replace("http", "https") if secure else url
    headers = {"X-Forwarded-Proto": proto, "Cookie": cookie, "Referer": f"{seen}/login/"}
    sent = urllib.request.Request(f"{url}/login/", urllib.parse.urlencode(form).encode(), headers)
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay()).open(sent, timeout=60)
    cookies = [page.headers["Set-Cookie"], *answer.value.headers.get_all("Set-Cookie")]
    assert answer.value.code == 302 and any("sessionid" in each for each in cookies)
    assert {"Secure" in each for each in cookies} == {secure}


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that its answer is seen."""

    def redirect_request(self, *args):
        return None


@pytest.mark.parametrize(
    ("trusted", "status"),
    [(TRUSTED, 200), ("10.0.0.0/8", 403), ("", 403)],
)
def test_the_scheme_is_believed_from_a_trusted_proxy_only(
    transactional_db, django_db_serialized_rollback, server, trusted, status
):
    assert sends_the_form_over_tls(server(trusted)) == status

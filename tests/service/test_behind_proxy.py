"""TLS that ends at a proxy: believed from a trusted peer only."""

import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

import pytest

from tests.live import live_web

pytestmark = pytest.mark.server


def sends_the_form_over_tls(url):
    """The status of a form that a browser sends to the address as it is seen outside: https, through a proxy."""
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )
    page = browser.open(f"{url}/admin/login/", timeout=10).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    form = urllib.parse.urlencode({"username": "a", "password": "b", "csrfmiddlewaretoken": token}).encode()
    headers = {"Origin": url.replace("http://", "https://"), "X-Forwarded-Proto": "https"}
    try:
        return browser.open(urllib.request.Request(f"{url}/admin/login/", form, headers), timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize(
    ("trusted", "status"),
    [("127.0.0.1/8,10.0.0.0/8", 200), ("10.0.0.0/8", 403), ("", 403)],
)
def test_the_scheme_is_believed_from_a_trusted_proxy_only(
    transactional_db, django_db_serialized_rollback, trusted, status
):
    # The server's own variable must not open another way.
    with live_web(TRUSTED_PROXIES=trusted, FORWARDED_ALLOW_IPS="*") as live:
        assert sends_the_form_over_tls(live.url) == status

"""The mail of a password reset is sent behind the answer: how long that takes tells nobody who has an account. Its
link stands in no log."""

import http.client
import re
import socket
import urllib.parse
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.utils.http import urlsafe_base64_encode

from tests.factories import UserFactory
from tests.live import live_web, wait_for


def silent_mail_server():
    """Takes connections and says nothing until the test does."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(20)
    return server


def address_of(server):
    return f"smtp://127.0.0.1:{server.getsockname()[1]}"


def connected(live):
    address = urlsplit(live.url)
    return http.client.HTTPConnection(address.hostname, address.port, timeout=30)


def said(browser, method, path, body=None, headers=None):
    """The answer, read to its end, and what it says."""
    browser.request(method, path, body, headers or {})
    answer = browser.getresponse()
    return answer, answer.read().decode()


def send_form(browser, form_page, path, **fields):
    """Send fields with the token of a page's form."""
    answer, page = said(browser, "GET", form_page)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    form = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": token})
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    return said(browser, "POST", path, form, headers)[0]


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_the_answer_does_not_wait_for_the_mail():
    UserFactory(email="person@example.com")
    with silent_mail_server() as server, live_web(EMAIL_URL=address_of(server)) as live:
        answer = send_form(connected(live), "/password/reset/", "/password/reset/", email="person@example.com")
        assert (answer.status, answer.headers["Location"]) == (302, "/password/reset/sent/")
        # Only now does the mail server greet: who waited for it before the answer has given up and is gone.
        connection, _ = server.accept()
        with connection:
            connection.settimeout(20)
            connection.sendall(b"220 ready\r\n")
            assert connection.recv(100).lower().startswith(b"ehlo")


@pytest.mark.server
def test_no_log_holds_a_link(prepared):
    """With all that the server can write turned on. Without a mail server no mail with a link is printed; the link of
    one that was sent before is not written, whatever comes of opening it, nor as the page that somebody came from."""
    person = UserFactory(email="person@example.com")
    secret = default_token_generator.make_token(person)
    link = f"/password/reset/{urlsafe_base64_encode(str(person.pk).encode())}/{secret}"
    told = {"GUNICORN_CMD_ARGS": "--access-logfile - --log-level debug", "DEBUG": "1"}
    local = {"DJANGO_SETTINGS_MODULE": "config.settings.local", "SECRET_KEY": settings.SECRET_KEY}
    with live_web(**{**prepared, **told, **local}) as live:
        browser = connected(live)
        sent = send_form(browser, "/login/", "/password/reset/", email=person.email)
        assert (sent.status, sent.headers["Location"]) == (302, "/password/reset/sent/")
        for method, path, headers, status in [
            ("GET", f"{link}/", {}, 302),
            ("GET", f"{link}x/", {}, 200),
            ("GET", link, {}, 404),
            ("POST", f"{link}/", {}, 403),
            ("GET", f"{link}/?next=%00", {}, 400),
            ("GET", "/method", {"Referer": f"{live.url}{link}/"}, 200),
        ]:
            answer, _ = said(browser, method, path, headers=headers)
            assert answer.status == status, (method, path)
            if status in (200, 302) and link in path:
                assert answer.headers["Referrer-Policy"] == "no-referrer"
        printed = wait_for(
            lambda: "GET /method" in live.printed() and live.printed(), what="the line of the last request"
        )
        assert "Not Found: /password/reset/(not logged)" in printed and "POST /password/reset/(not logged)" in printed
        assert secret not in printed and "choose a new password" not in printed

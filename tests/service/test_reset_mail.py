"""The mail of a password reset is sent behind the answer: how long that takes tells nobody who has an account."""

import http.client
import re
import socket
import urllib.parse
from urllib.parse import urlsplit

import pytest

from tests.factories import UserFactory
from tests.live import live_web


def silent_mail_server():
    """Takes connections and says nothing until the test does."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(20)
    return server


def address_of(server):
    return f"smtp://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_the_answer_does_not_wait_for_the_mail():
    UserFactory(email="person@example.com")
    with silent_mail_server() as server, live_web(EMAIL_URL=address_of(server)) as live:
        address = urlsplit(live.url)
        browser = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        browser.request("GET", "/password/reset/")
        page = browser.getresponse()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.read().decode())[1]
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        form = urllib.parse.urlencode({"email": "person@example.com", "csrfmiddlewaretoken": token})
        kind = "application/x-www-form-urlencoded"
        browser.request("POST", "/password/reset/", form, {"Cookie": cookie, "Content-Type": kind})
        answer = browser.getresponse()
        answer.read()
        assert (answer.status, answer.headers["Location"]) == (302, "/password/reset/sent/")
        # Only now does the mail server greet: who waited for it before the answer has given up and is gone.
        connection, _ = server.accept()
        with connection:
            connection.settimeout(20)
            connection.sendall(b"220 ready\r\n")
            assert connection.recv(100).lower().startswith(b"ehlo")

"""The mail of a password reset is sent behind the answer: how long that takes tells nobody who has an account."""

import http.client
import re
import socket
import threading
import urllib.parse
from urllib.parse import urlsplit

import pytest

from tests.factories import UserFactory
from tests.live import live_web


class SilentMailServer:
    """Takes a connection and says nothing until it is told to; notes when it was called, and when it was given up."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.called, self.given_up, self.over = threading.Event(), threading.Event(), threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        connection, _ = self.listening.accept()
        self.called.set()
        connection.settimeout(0.1)
        while not self.over.is_set():
            try:
                if not connection.recv(100):
                    self.given_up.set()
                    return
            except TimeoutError:
                pass
        connection.close()


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_the_answer_does_not_wait_for_the_mail():
    UserFactory(email="person@example.com")
    server = SilentMailServer()
    with live_web(EMAIL_URL=f"smtp://127.0.0.1:{server.port}") as live:
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
        assert not server.given_up.is_set(), "the answer waited for the mail server"
        assert server.called.wait(20), "the mail was not sent"
        server.over.set()

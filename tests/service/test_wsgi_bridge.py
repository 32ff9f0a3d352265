"""Answers that are sent while they are made come to an end when nobody takes them."""

import asyncio
from threading import Event

import pytest

from config import wsgi_bridge
from config.wsgi_bridge import PatientWSGI

CHUNK = b"x" * 1_000


class Endless:
    """A WSGI application whose answer never ends by itself; knows whether it was closed, and in which way it is
    going on."""

    def __init__(self):
        self.closed, self.sent = Event(), 0

    def __call__(self, environ, start_response):
        start_response("200 OK", [])
        return self

    def __iter__(self):
        while True:
            self.sent += 1
            yield CHUNK

    def close(self):
        self.closed.set()


def ask(application, send, *, until=None):
    """One request whose client takes what `send` takes; the server cancels it when `until` is set, as gunicorn does
    when the connection is lost."""
    scope = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b"", "headers": [],
             "http_version": "1.1"}  # fmt: skip

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def run():
        task = asyncio.ensure_future(PatientWSGI(application, workers=1)(scope, receive, send))
        if until is not None:
            await asyncio.wait_for(until(), 30)
            task.cancel()
        await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), 30)
        return task

    return asyncio.run(run())


def test_a_client_that_goes_away_ends_the_answer():
    answer, taken = Endless(), asyncio.Event()

    async def send(message):
        if message["type"] == "http.response.body":
            taken.set()
            await asyncio.sleep(3600)

    ask(answer, send, until=taken.wait)
    assert answer.closed.wait(30)


def test_a_client_that_takes_nothing_ends_the_answer(monkeypatch):
    monkeypatch.setattr(wsgi_bridge, "MAX_WAIT", 0.2)
    answer = Endless()

    async def send(message):
        await asyncio.sleep(3600)

    task = ask(answer, send)
    assert isinstance(task.exception(), wsgi_bridge.ClientGoneError)
    assert answer.closed.wait(30) and answer.sent < 20


def test_an_answer_that_breaks_is_not_ended_as_if_it_were_whole():
    messages = []

    def broken(environ, start_response):
        start_response("200 OK", [])
        yield CHUNK
        raise ValueError("broken")

    async def send(message):
        messages.append(message)

    task = ask(broken, send)
    assert isinstance(task.exception(), ValueError)
    assert all(message.get("more_body", True) for message in messages)


@pytest.mark.parametrize("parts", [0, 1, 25])
def test_a_whole_answer_comes_whole(parts):
    body = []

    def whole(environ, start_response):
        start_response("200 OK", [("content-type", "text/plain")])
        return [CHUNK] * parts

    async def send(message):
        body.append(message.get("body", b""))

    ask(whole, send)
    assert b"".join(body) == CHUNK * parts

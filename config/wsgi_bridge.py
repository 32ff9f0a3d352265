"""Django's WSGI application on the ASGI server, for answers that are sent while they are made, too.

The middleware of a2wsgi leaves the thread of such an answer waiting for ever when its client goes away, and as long
as the client likes when it takes nothing: a few broken downloads would hold every thread of the pages, and a
transaction each.
"""

import asyncio
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as NotYet
from threading import Event
from time import monotonic
from typing import Any

from a2wsgi import WSGIMiddleware
from a2wsgi.asgi_typing import HTTPScope, Receive, Scope, Send, SendEvent
from a2wsgi.wsgi import WSGIResponder

MAX_WAIT = 60.0
"""Seconds that a client may take nothing of an answer; then the answer breaks off."""
_LOOK = 0.5


class ClientGoneError(ConnectionError):
    """Nobody takes the rest of the answer."""


class PatientWSGI(WSGIMiddleware):
    """As a2wsgi's, but its threads come back: an answer whose client is gone, or takes nothing, breaks off and is
    closed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _Responder(self.app, self.executor, self.send_queue_size)(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class _Responder(WSGIResponder):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._gone = Event()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._gone.set()

    def send(self, message: SendEvent | None) -> None:
        """Called in the thread: wait for room among what is to be sent."""
        if self._gone.is_set():
            raise ClientGoneError("The client is gone.")
        sending = asyncio.run_coroutine_threadsafe(self.send_queue.put(message), loop=self.loop)
        deadline = monotonic() + MAX_WAIT
        while True:
            try:
                return sending.result(_LOOK)
            except (NotYet, CancelledError):
                if self._gone.is_set() or monotonic() > deadline:
                    sending.cancel()
                    raise ClientGoneError("The client takes nothing of the answer.") from None

"""Files that pages answer with go out from the event loop: a thread that sends one waits for the slowest client."""

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from apikeys.edge.http import Message, Receive, Send

CHUNK_BYTES = 256 * 1024
TAKEN = "file"
"""Where the scope of a request has the file of its answer, once a page has made one."""


class _Nothing:
    """No bytes. The server closes this in place of the file that was handed over."""

    def __init__(self, close: Callable[[], None]) -> None:
        self.close = close

    def __iter__(self) -> Iterator[bytes]:
        return iter(())


def hand_over_files(app: Any) -> Any:
    """The WSGI application, to be run by a2wsgi: it leaves its files in the scope of the request and reads none."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def hand_over(file: IO[bytes], block_size: int) -> _Nothing:
            # One of its own: the answer closes the file, and ends what belongs to its thread.
            environ["asgi.scope"][TAKEN] = os.fdopen(os.dup(file.fileno()), "rb")
            return _Nothing(file.close)

        body: Iterable[bytes] = app({**environ, "wsgi.file_wrapper": hand_over}, start_response)
        return body

    return answer


class FilesApart:
    """The ASGI application around it: sends the file that a request left, when its thread is free again."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        async def send_all_but_the_end(message: Message) -> None:
            if message["type"] != "http.response.body" or TAKEN not in scope:
                await send(message)

        try:
            await self.app(scope, receive, send_all_but_the_end)
            if TAKEN in scope:
                await _send_file(scope[TAKEN], send)
        finally:
            if TAKEN in scope:
                scope.pop(TAKEN).close()


async def _send_file(file: IO[bytes], send: Send) -> None:
    file.seek(0)
    while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})

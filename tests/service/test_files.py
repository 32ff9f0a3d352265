"""Files of pages: whole, closed, and sent without a thread that waits for the client."""

import asyncio
from tempfile import TemporaryFile

import pytest
from a2wsgi import WSGIMiddleware

from config.files import CHUNK_BYTES, FilesApart, hand_over_files

SCOPE = {"type": "http", "method": "GET", "http_version": "1.1", "query_string": b"", "headers": []}
BODY = bytes(range(256)) * (CHUNK_BYTES // 100)


@pytest.fixture
def files():
    """The files that pages made."""
    return []


@pytest.fixture
def app(files):
    """One thread for pages: `/file` answers with a file, every other address with a word."""

    def pages(environ, start_response):
        start_response("200 OK", [("Content-Length", str(len(BODY)))])
        if environ["PATH_INFO"] != "/file":
            return [b"word"]
        files.append(file := TemporaryFile())  # noqa: SIM115 - whoever sends it closes it
        file.write(BODY)
        file.seek(0)
        return environ["wsgi.file_wrapper"](file, 4096)

    return FilesApart(WSGIMiddleware(hand_over_files(pages), workers=1))


async def ask(app, path, *, send=None):
    """The body that an address answers with."""
    sent = []

    async def take(message):
        sent.append(message)
        if send is not None:
            await send(message)

    await app({**SCOPE, "path": path}, None, take)
    assert [message["type"] for message in sent].count("http.response.start") == 1
    assert not sent[-1].get("more_body")
    return b"".join(message.get("body", b"") for message in sent)


def test_a_file_goes_out_whole_and_is_closed(app, files):
    assert asyncio.run(ask(app, "/file")) == BODY
    assert files[0].closed


def test_other_answers_go_out_as_they_are(app):
    assert asyncio.run(ask(app, "/word")) == b"word"


def test_a_client_that_takes_nothing_keeps_nobody_waiting(app):
    async def run():
        is_waited_for, may_go_on = asyncio.Event(), asyncio.Event()

        async def stall(message):
            if message.get("body"):
                is_waited_for.set()
                await may_go_on.wait()

        slow = asyncio.create_task(ask(app, "/file", send=stall))
        await is_waited_for.wait()
        assert await ask(app, "/word") == b"word"
        may_go_on.set()
        return await slow

    assert asyncio.run(asyncio.wait_for(run(), 60)) == BODY


def test_the_file_of_a_client_that_is_gone_is_closed(app, files):
    async def hang_up(message):
        if message.get("body"):
            raise ConnectionError

    scope = {**SCOPE, "path": "/file"}
    with pytest.raises(ConnectionError):
        asyncio.run(app(scope, None, hang_up))
    assert files[0].closed and "file" not in scope

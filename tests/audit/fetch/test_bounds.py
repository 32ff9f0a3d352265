"""Servers that send too much, too slowly or nonsense: a fetch ends, in time, in little memory and with a reason."""

import asyncio
import gzip
import threading

import pytest

from tests.audit.fetch.behaviours import BROKEN, CUT, EXHAUSTING, GZIPPED
from tests.audit.fetch.conftest import HOST, PATIENCE
from tests.audit.fetch.servers import answer, page, says, serving
from visibility.audit.fetch.failures import FetchError, Hop
from visibility.audit.fetch.fetcher import Fetcher, Response

LIMIT = 100_000


def test_what_goes_on_and_on_ends_at_the_deadline():
    """All at the same time: each waits out its second."""

    async def failures(server):
        options = {"user_agent": "TestBot/1.0", "local_hosts": {HOST: server.address}, "deadline": 1.0}
        async with Fetcher(**options, per_host=len(EXHAUSTING)) as fetcher:
            fetches = (fetcher.get(f"http://{HOST}{path}") for path in EXHAUSTING)
            return await asyncio.wait_for(asyncio.gather(*fetches, return_exceptions=True), PATIENCE)

    with serving({path: make() for path, make in EXHAUSTING.items()}) as server:
        came = asyncio.run(failures(server))
    said = {path: getattr(error, "reason", error) for path, error in zip(EXHAUSTING, came, strict=True)}
    assert said == dict.fromkeys(EXHAUSTING, "timeout")
    assert all(error.temporary for error in came)
    assert {error.detail for error in came} == {"The answer was not complete within 1 seconds."}


def test_the_deadline_is_one_for_all_redirects(site):
    """Each hop takes less than the deadline, all together more."""

    def slow(connection):
        threading.Event().wait(0.8)
        connection.sendall(answer(302, "Location: /again"))

    _, error = site({"*": slow}, deadline=2.0)
    assert error.reason == "timeout"
    assert 1 <= len(error.hops) <= 2


@pytest.mark.parametrize("path", CUT)
def test_what_is_too_much_is_cut(site, path):
    _, response = site({path: CUT[path]()}, path, max_bytes=LIMIT, deadline=50.0)
    assert isinstance(response, Response), response
    assert response.cut is (path != "/nested-bomb") or len(response.body) <= LIMIT
    assert len(response.body) <= LIMIT


@pytest.mark.parametrize("size", [LIMIT - 1, LIMIT, LIMIT + 1])
@pytest.mark.parametrize("packed", [False, True])
def test_a_body_is_cut_where_it_is_longer_than_the_bound(site, size, packed):
    text = (b"0123456789" * size)[:size]
    behaviour = page(gzip.compress(text), "Content-Encoding: gzip") if packed else page(text)
    _, response = site({"/": behaviour}, max_bytes=LIMIT)
    assert (response.body, response.cut) == (text[:LIMIT], size > LIMIT)


@pytest.mark.parametrize("path", BROKEN)
def test_what_is_no_answer_is_told_with_its_reason(site, path):
    make, reason = BROKEN[path]
    _, error = site({path: make()}, path)
    assert isinstance(error, FetchError), error
    assert error.reason == reason
    assert error.detail.endswith(".") and error.url == f"http://shop.com{path}"


def test_members_of_gzip_in_a_row_are_one_body_and_padding_is_none(site):
    body = gzip.compress(b"a" * 50) + gzip.compress(b"b" * 50) + bytes(512)
    _, response = site({"/": says(answer(200, *GZIPPED, body=body))})
    assert response.body == b"a" * 50 + b"b" * 50


def test_a_body_of_nothing_needs_no_gzip(site):
    _, response = site({"/": says(answer(200, *GZIPPED))})
    assert (response.status, response.body) == (200, b"")


def test_a_failure_behind_redirects_says_where_it_came_from(site):
    make, _ = BROKEN["/br"]
    _, error = site({"/": says(answer(302, "Location: /br")), "/br": make()})
    assert (error.url, error.hops) == ("http://shop.com/br", (Hop("http://shop.com/", 302),))

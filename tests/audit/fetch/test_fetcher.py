"""Fetching from real servers: what is sent, what comes back, redirects, bounds, and how failures are named."""

import asyncio
import gzip
import threading
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.fetch.behaviours import BROKEN, CUT, EXHAUSTING, GZIPPED, bomb
from tests.audit.fetch.certificates import bad, good, server_context, trusted, with_chain
from tests.audit.fetch.conftest import HOST, PATIENCE
from tests.audit.fetch.servers import answer, ends, forever, page, redirect, says, serving
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import Fetcher, Response
from visibility.net.inflate import BrokenGzip, Inflater

LIMIT = 100_000
TO_REFUSED = [
    ("http://127.0.0.1/", "bad_url"),
    ("http://169.254.169.254/latest/meta-data/", "bad_url"),
    ("http://[::1]/", "bad_url"),
    ("http://2130706433/", "bad_url"),
    ("http://localhost/", "bad_url"),
    ("http://shop.com:22/", "bad_url"),
    ("http://user:secret@shop.com/", "bad_url"),
    ("http://shop.com\\@evil.com/", "bad_url"),
    ("file:///etc/passwd", "bad_url"),
    ("//10.0.0.1/", "bad_url"),
    ("https://app.acme.com/", "refused_address"),
    ("/" + "a" * 2_048, "bad_url"),
]


def test_a_page_comes_with_its_address_status_fields_and_times(site):
    fields = ("X-Robots-Tag: noindex", "X-Robots-Tag: nosnippet", "Content-Language: fr")
    _, response = site({"/a": page(b"bonjour", *fields)}, "/a?b=c#d")
    assert isinstance(response, Response)
    fetched = response.fetched
    assert (fetched.url, fetched.final_url, fetched.hops) == ("http://shop.com/a?b=c#d", "http://shop.com/a?b=c", ())
    assert (fetched.status, response.body, fetched.bytes, fetched.cut) == (200, b"bonjour", 7, False)
    assert [value for name, value in fetched.headers if name == "x-robots-tag"] == ["noindex", "nosnippet"]
    assert response.seconds > 0 and response.received == 7


@pytest.mark.parametrize("status", [204, 301, 304, 401, 403, 404, 410, 429, 500, 503, 599])
def test_every_status_is_an_answer(site, status):
    _, response = site({"/": says(answer(status))})
    assert (response.fetched.status, response.body, response.fetched.hops) == (status, b"", ())


def test_one_plain_request_is_sent_whatever_the_environment_says(site, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine {HOST} login someone password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server, _ = site({}, "/a?b=c", get={"headers": {"Accept": "text/plain", "If-None-Match": '"1"'}})
    [head] = server.requests
    lines = head.strip().split("\r\n")
    assert lines[0] == "GET /a?b=c HTTP/1.1"
    assert sorted(lines[1:]) == [
        "Accept-Encoding: gzip",
        "Accept: text/plain",
        "Host: shop.com",
        'If-None-Match: "1"',
        "User-Agent: TestBot/1.0",
    ]


def test_no_cookie_comes_back(site):
    behaviours = {"/": says(answer(302, "Location: /b", "Set-Cookie: a=b; Path=/")), "/b": page()}
    server, response = site(behaviours)
    assert response.fetched.hops and not [head for head in server.requests if "cookie" in head.lower()]


def test_redirects_are_followed_and_reported(site):
    behaviours = {"/": redirect("/b"), "/b": redirect("//www.shop.com/c?d", 308), "/c": page(b"there")}
    server, response = site(behaviours, names=(HOST, "www.shop.com"))
    assert (response.body, response.fetched.final_url) == (b"there", "http://www.shop.com/c?d")
    assert response.fetched.hops == (("http://shop.com/", 301), ("http://shop.com/b", 308))
    assert [head.split("Host: ")[1].split("\r\n")[0] for head in server.requests] == [HOST, HOST, "www.shop.com"]


def test_five_redirects_are_followed_and_six_are_not(site):
    behaviours = {f"/{n}": redirect(f"/{n + 1}") for n in range(1, 7)} | {"/7": page()}
    _, response = site(behaviours, "/2")
    assert len(response.fetched.hops) == 5
    _, error = site(behaviours, "/1")
    assert (error.reason, len(error.hops)) == ("too_many_redirects", 5)


def test_each_hop_obeys_the_whole_policy(site):
    for to, reason in TO_REFUSED:
        server, error = site({"/": redirect("/b"), "/b": redirect(to)}, own_hosts={"app.acme.com"})
        assert isinstance(error, FetchError), to
        assert (error.reason, error.hops) == (reason, (("http://shop.com/", 301), ("http://shop.com/b", 301)))
        assert server.paths == ["/", "/b"]


def test_no_more_than_two_connections_to_a_host_at_a_time():
    lock, open_now, most = threading.Lock(), [0], [0]

    def slow(connection):
        with lock:
            open_now[0] += 1
            most[0] = max(most[0], open_now[0])
        threading.Event().wait(0.05)
        with lock:
            open_now[0] -= 1
        connection.sendall(answer(200))

    async def six(server):
        async with Fetcher(user_agent="TestBot/1.0", local_hosts={HOST: server.address}) as fetcher:
            return await asyncio.gather(*(fetcher.get(f"http://{HOST}/{n}") for n in range(6)))

    with serving({"*": slow}) as server:
        assert [response.fetched.status for response in asyncio.run(six(server))] == [200] * 6
    assert most[0] == 2


def test_waiting_for_a_connection_of_ours_takes_nothing_from_the_deadline():
    def slow(connection):
        threading.Event().wait(0.15)
        connection.sendall(answer(200))

    async def eight(server):
        options = {"user_agent": "TestBot/1.0", "local_hosts": {HOST: server.address}, "per_host": 1}
        async with Fetcher(**options) as fetcher:
            return await asyncio.gather(*(fetcher.get(f"http://{HOST}/{n}", deadline=0.8) for n in range(8)))

    with serving({"*": slow}) as server:
        assert len(asyncio.run(eight(server))) == 8


def test_what_goes_on_and_on_ends_at_the_deadline():
    async def failures(server):
        options = {"user_agent": "TestBot/1.0", "local_hosts": {HOST: server.address}}
        async with Fetcher(**options, per_host=len(EXHAUSTING)) as fetcher:
            fetches = (fetcher.get(f"http://{HOST}{path}", deadline=0.7) for path in EXHAUSTING)
            return await asyncio.wait_for(asyncio.gather(*fetches, return_exceptions=True), PATIENCE)

    with serving({path: make() for path, make in EXHAUSTING.items()}) as server:
        came = asyncio.run(failures(server))
    reasons = {path: getattr(error, "reason", error) for path, error in zip(EXHAUSTING, came, strict=True)}
    assert reasons == dict.fromkeys(EXHAUSTING, "timeout")


def test_a_body_is_cut_where_it_is_longer_than_the_bound(site):
    for path, make in CUT.items():
        _, response = site({path: make()}, path, get={"max_bytes": LIMIT, "deadline": 50.0})
        assert isinstance(response, Response), (path, response)
        assert len(response.body) <= LIMIT
    for size in (LIMIT - 1, LIMIT, LIMIT + 1):
        text = (b"0123456789" * size)[:size]
        for behaviour in (page(gzip.compress(text), "Content-Encoding: gzip"), page(text)):
            _, response = site({"/": behaviour}, get={"max_bytes": LIMIT})
            assert (response.body, response.fetched.cut) == (text[:LIMIT], size > LIMIT)


def test_broken_answers_end_with_their_reason(site):
    for path, (make, reason) in BROKEN.items():
        _, error = site({path: make()}, path)
        assert isinstance(error, FetchError), path
        assert (error.reason, error.url) == (reason, f"http://shop.com{path}"), path
        assert error.detail.endswith(".")


@settings(max_examples=40)
@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(1, 1_500), st.integers(1, 50))
def test_gzip_is_inflated_up_to_the_bound_in_whatever_pieces_it_comes(parts, limit, step):
    whole, packed = b"".join(parts), b"".join(gzip.compress(part) for part in parts)
    inflater = Inflater(limit)
    for start in range(0, len(packed), step):
        inflater.feed(packed[start : start + step])
    assert (inflater.inflated(), inflater.cut) == (whole[:limit], len(whole) > limit)


def test_a_bomb_takes_no_more_memory_than_its_bound():
    packed, inflater = bomb(64), Inflater(LIMIT)
    tracemalloc.start()
    try:
        inflater.feed(packed)
        assert inflater.inflated() == bytes(LIMIT) and inflater.cut
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    for data in (b"<urlset>", gzip.compress(b"abc" * 99, mtime=0)[:-8] + bytes(8)):
        with pytest.raises(BrokenGzip):
            Inflater(LIMIT).feed(data)


def test_concatenated_gzip_members_are_one_body_without_padding(site):
    body = gzip.compress(b"a" * 50) + gzip.compress(b"b" * 50) + bytes(512)
    _, response = site({"/": says(answer(200, *GZIPPED, body=body))})
    assert response.body == b"a" * 50 + b"b" * 50


@pytest.fixture
def secure(fetch, tmp_path):
    """Fetch the home page of a server with a certificate, trusting the tests' authority."""

    def run(signed, **more):
        with serving({"/": page(b"hello")}, tls=server_context(signed, tmp_path)) as server:
            return server, fetch(server, f"https://{HOST}/", authorities=trusted(), **more)

    return run


def test_only_certificates_that_a_known_authority_signed_for_the_host_are_accepted(secure):
    for signed in (good(HOST), good("other.com", HOST), with_chain(HOST)):
        assert secure(signed)[1].body == b"hello"
    for wrong, (signed, words) in bad(HOST).items():
        server, error = secure(signed)
        assert isinstance(error, FetchError), wrong
        assert (error.reason, server.requests) == ("tls", []), wrong
        assert words in error.detail, wrong


def test_servers_without_encryption_or_with_a_dripping_handshake_are_reported(fetch):
    with serving({}, before=ends(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as server:
        assert fetch(server, f"https://{HOST}/").reason == "tls"
    with serving({}, before=forever(b"\x16\x03\x03\x40\x00", b"\x02", pause=0.1)) as server:
        assert fetch(server, f"https://{HOST}/", get={"deadline": 0.5}).reason == "timeout"
    assert fetch(server, f"http://{HOST}/").detail == "The server refuses connections."

"""Fetching from real servers: what comes back, what is sent, redirects, and how many connections."""

import asyncio
import gzip
import threading

import pytest

from tests.audit.fetch.conftest import HOST
from tests.audit.fetch.servers import answer, page, redirect, says, serving
from visibility.audit.fetch.failures import FetchError, Hop
from visibility.audit.fetch.fetcher import Fetcher, Response


def test_a_page_comes_with_its_address_status_fields_and_times(site):
    fields = ("X-Robots-Tag: noindex", "X-Robots-Tag: nosnippet", "Content-Language: fr")
    _, response = site({"/a": page(b"bonjour", *fields)}, "/a?b=c#d")
    assert isinstance(response, Response)
    assert (response.url, response.status, response.hops) == ("http://shop.com/a?b=c", 200, ())
    assert (response.body, response.cut) == (b"bonjour", False)
    assert response.headers == (
        ("content-type", "text/html"),
        ("x-robots-tag", "noindex"),
        ("x-robots-tag", "nosnippet"),
        ("content-language", "fr"),
        ("content-length", "7"),
    )
    assert response.header("X-Robots-Tag") == "noindex, nosnippet"
    assert response.header("etag") is None
    assert 0 < response.first_byte_seconds < response.seconds


@pytest.mark.parametrize("status", [200, 204, 301, 304, 401, 403, 404, 410, 429, 500, 503, 599])
def test_every_status_is_an_answer(site, status):
    _, response = site({"/": says(answer(status))})
    assert (response.status, response.body, response.hops) == (status, b"", ())


def test_gzip_is_asked_for_and_inflated(site):
    text = b"hello " * 1000
    server, response = site({"/": page(gzip.compress(text), "Content-Encoding: gzip")})
    assert response.body == text
    [head] = server.requests
    assert "\r\nAccept-Encoding: gzip\r\n" in head


def test_what_is_sent_is_one_plain_request(site):
    server, _ = site({}, "/a?b=c", get={"accept": "text/plain", "headers": {"If-None-Match": '"1"'}})
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
    assert response.hops and not [head for head in server.requests if "cookie" in head.lower()]


def test_the_environment_says_nothing_about_proxies_and_passwords(site, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine {HOST} login someone password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server, response = site({"/": page()})
    assert response.status == 200
    assert "authorization" not in server.requests[0].lower()


class TestRedirects:
    def test_they_are_followed_and_told(self, site):
        behaviours = {"/": redirect("/b"), "/b": redirect("//www.shop.com/c?d", 308), "/c": page(b"there")}
        server, response = site(behaviours, names=(HOST, "www.shop.com"))
        assert response.body == b"there"
        assert response.url == "http://www.shop.com/c?d"
        assert response.hops == (Hop("http://shop.com/", 301), Hop("http://shop.com/b", 308))
        assert [head.split("Host: ")[1].split("\r\n")[0] for head in server.requests] == [HOST, HOST, "www.shop.com"]

    def test_five_are_followed_and_six_are_not(self, site):
        behaviours = {f"/{n}": redirect(f"/{n + 1}") for n in range(1, 7)} | {"/7": page()}
        _, response = site(behaviours, "/2")
        assert len(response.hops) == 5
        _, error = site(behaviours, "/1")
        assert (error.reason, len(error.hops)) == ("too_many_redirects", 5)

    def test_they_are_not_followed_where_that_is_not_wanted(self, site):
        server, response = site({"/": redirect("/b")}, get={"follow": False})
        assert (response.status, response.header("location"), response.hops) == (301, "/b", ())
        assert server.paths == ["/"]

    def test_one_that_leads_nowhere_is_the_answer(self, site):
        _, response = site({"/": says(answer(302, body=b"moved"))})
        assert (response.status, response.body) == (302, b"moved")

    @pytest.mark.parametrize(
        ("to", "reason"),
        [
            ("http://127.0.0.1/", "bad_url"),
            ("http://169.254.169.254/latest/meta-data/", "bad_url"),
            ("http://[::1]/", "bad_url"),
            ("http://2130706433/", "bad_url"),
            ("http://localhost/", "bad_url"),
            ("http://shop.com:22/", "bad_url"),
            ("http://user:secret@shop.com/", "bad_url"),
            ("http://shop.com\\@evil.com/", "bad_url"),
            ("ftp://shop.com/", "bad_url"),
            ("file:///etc/passwd", "bad_url"),
            ("//10.0.0.1/", "bad_url"),
            ("https://app.acme.com/", "refused_address"),
            ("/" + "a" * 2_048, "bad_url"),
            ("/\xff\xfe", "bad_url"),
        ],
    )
    def test_each_hop_obeys_the_whole_policy(self, site, to, reason):
        server, error = site({"/": redirect("/b"), "/b": redirect(to)}, own_hosts={"app.acme.com"})
        assert isinstance(error, FetchError)
        assert (error.reason, error.hops) == (reason, (Hop("http://shop.com/", 301), Hop("http://shop.com/b", 301)))
        assert server.paths == ["/", "/b"]

    def test_a_body_of_one_is_not_read(self, site):
        head = answer(301, "Location: /b", "Content-Length: 99999999", length=False)
        _, response = site({"/": says(head), "/b": page(b"there")})
        assert response.body == b"there"


def test_no_more_than_two_connections_to_a_host_at_a_time():
    """Four fetches: the first two hold both connections until the others, which wait, had every chance to come."""
    both, held = threading.Barrier(2), threading.Semaphore(0)
    at_once, most = [], []

    def hold(connection):
        at_once.append(1)
        most.append(len(at_once))
        if len(most) <= 2:
            both.wait(30)
            held.acquire(timeout=30)
        at_once.pop()
        connection.sendall(answer(200))

    async def four(server):
        async with Fetcher(user_agent="TestBot/1.0", local_hosts={HOST: server.address}) as fetcher:
            fetches = [asyncio.create_task(fetcher.get(f"http://{HOST}/{n}")) for n in range(4)]
            while len(most) < 2:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            held.release(2)
            return await asyncio.gather(*fetches)

    with serving({"*": hold}) as server:
        responses = asyncio.run(four(server))
    assert [response.status for response in responses] == [200] * 4
    assert max(most) == 2


def test_waiting_for_a_connection_of_ours_takes_nothing_from_the_deadline():
    """Eight fetches that take a third of the deadline each, one at a time: all are in time."""

    def slow(connection):
        threading.Event().wait(0.5)
        connection.sendall(answer(200))

    async def eight(server):
        options = {"user_agent": "TestBot/1.0", "local_hosts": {HOST: server.address}, "per_host": 1, "deadline": 3.0}
        async with Fetcher(**options) as fetcher:
            return await asyncio.gather(*(fetcher.get(f"http://{HOST}/{n}") for n in range(8)))

    with serving({"*": slow}) as server:
        assert len(asyncio.run(eight(server))) == 8


def test_a_server_that_refuses_connections_is_told_as_such(fetch):
    with serving({}) as server:
        pass
    error = fetch(server, f"http://{HOST}/")
    assert (error.reason, error.detail, error.temporary) == ("connection", "The server refuses connections.", True)


def test_a_connection_that_the_server_closed_meanwhile_costs_no_fetch():
    def once(connection):
        connection.sendall(answer(200))
        raise OSError("closes after each answer, without saying so")

    async def two(server):
        async with Fetcher(user_agent="TestBot/1.0", local_hosts={HOST: server.address}) as fetcher:
            return [(await fetcher.get(f"http://{HOST}/{n}")).status for n in range(5)]

    with serving({"*": once}) as server:
        assert asyncio.run(two(server)) == [200] * 5

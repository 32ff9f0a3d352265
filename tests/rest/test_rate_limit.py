"""The outermost layer: one budget for all doors, counted once, also while the cache is silent."""

import asyncio
import json
import threading
import time

import pytest
import redis
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django_ratelimit.core import _get_window

from apikeys import keyformat
from apikeys.http import limiter
from apikeys.http.limiter import ProcessCounter, Rate, SharedCounter, end_of_window
from apikeys.http.ratelimit import RateLimitMiddleware
from apikeys.models import CallLog
from tests.factories import ApiKeyFactory

PEER = "203.0.113.7"
MIN_LEFT_OF_WINDOW = 10
"""Seconds; the longest of these tests takes less."""


@pytest.fixture(autouse=True)
def one_window():
    """Begin early enough in the address's hour that no test counts in two of them."""
    left = end_of_window(PEER, 3_600) - int(time.time())
    if left < MIN_LEFT_OF_WINDOW:
        time.sleep(left + 1)


@pytest.fixture
def passed():
    """The paths that came through to the application."""
    return []


@pytest.fixture
def make(passed):
    """Make the middleware around an application that notes what comes through."""
    made = []

    async def app(scope, receive, send):
        passed.append(scope.get("path", scope["type"]))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    def build(rate="3/h", proxies=(), cache_timeout=20.0):
        made.append(RateLimitMiddleware(app, rate=rate, trusted_proxies=proxies, cache_timeout=cache_timeout))
        return made[-1]

    yield build
    for middleware in made:
        middleware.close()


async def ask(middleware, path="/api/v1/brands", *, peer=PEER, method="GET", headers=()):
    """One request; returns (status, headers, body)."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "path": path,
        "method": method,
        "client": (peer, 4711) if peer else None,
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    await middleware(scope, None, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent)


def statuses(middleware, *requests):
    async def run():
        return [(await ask(middleware, **request))[0] for request in requests]

    return asyncio.run(run())


def test_all_doors_share_one_budget(make, passed):
    paths = ["/api/v1/brands", "/mcp", "/login/", "/nowhere"]
    assert statuses(make(), *({"path": path} for path in paths)) == [200, 200, 200, 429]
    assert passed == paths[:3]


def test_each_address_has_its_own(make):
    requests = [{"peer": f"203.0.113.{n}"} for n in range(5) for _ in range(4)]
    assert statuses(make(), *requests) == [200, 200, 200, 429] * 5


def test_a_forged_header_changes_nothing(make):
    requests = [{"headers": [("x-forwarded-for", f"198.51.100.{n}")]} for n in range(5)]
    assert statuses(make(), *requests) == [200, 200, 200, 429, 429]


def test_behind_a_trusted_proxy_the_client_is_counted(make):
    requests = [
        {"peer": "10.0.0.1", "headers": [("x-forwarded-for", f"1.1.1.{n}, 198.51.100.{n % 2}")]} for n in range(8)
    ]
    assert statuses(make(proxies=["10.0.0.0/8"]), *requests) == [200] * 6 + [429] * 2


def test_a_host_with_many_ipv6_addresses_is_one(make):
    requests = [{"peer": f"2001:db8:0:1::{n}"} for n in range(1, 5)] + [{"peer": "2001:db8:0:2::1"}]
    assert statuses(make(), *requests) == [200, 200, 200, 429, 200]


def test_static_files_and_health_are_exempt(make):
    exempt = ["/static/site.css", "/healthz", "/readyz"] * 3
    assert set(statuses(make(), *({"path": path} for path in exempt))) == {200}
    counted = ["/healthz/", "/static", "/x/static/y", "/readyzz"]
    assert statuses(make(), *({"path": path, "peer": "192.0.2.1"} for path in counted)) == [200, 200, 200, 429]


def test_people_get_a_page_and_clients_json(make):
    accept = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")

    async def run():
        middleware = make(rate="1/10m")
        await ask(middleware)
        for method in ("GET", "POST", "HEAD"):
            yield await ask(middleware, "/brands/x", method=method, headers=[accept]), method
        for path, headers in (("/brands/x", []), ("/api/v1/docs", [accept]), ("/mcp", [accept])):
            status, found, _ = await ask(middleware, path, headers=headers)
            assert (status, found["content-type"]) == (429, "application/json"), path

    async def collected():
        return [row async for row in run()]

    for (status, headers, body), method in asyncio.run(collected()):
        assert (status, headers["content-type"]) == (429, "text/html; charset=utf-8")
        assert (
            headers["cache-control"] == "private, no-store"
            and "style-src 'self'" in headers["content-security-policy"]
        )
        if method != "HEAD":
            assert f"Wait {headers['retry-after']} seconds, then load the page again." in body.decode()
            assert int(headers["content-length"]) == len(body) and "<h1>Too Many Requests</h1>" in body.decode()


def test_the_refusal_says_when_to_come_back(make):
    async def run():
        middleware = make(rate="1/10m")
        await ask(middleware)
        return await ask(middleware, headers=[("x-request-id", "mine")]), await ask(middleware, method="HEAD")

    (status, headers, body), headed = asyncio.run(run())
    assert status == 429
    answer = json.loads(body)
    assert answer["error"] == "rate_limited"
    wait = int(headers["retry-after"])
    assert 1 <= wait <= 600
    assert headers["ratelimit"] == f'"default";r=0;t={wait}'
    assert headers["ratelimit-policy"] == '"default";q=1;w=600'
    assert headers["content-type"] == "application/json"
    assert headers["cache-control"] == "private, no-cache"
    assert headers["x-request-id"] == "mine"
    assert headers["content-length"] == str(len(body))
    assert headed[0] == 429
    assert headed[2] == b""


def test_every_answer_that_counts_says_how_the_budget_stands(make):
    async def run():
        middleware = make(rate="3/300d")
        return [
            (await ask(middleware, path))[1] for path in ("/mcp", "/healthz", "/login/", "/static/x", "/api", "/")
        ]

    found = [headers.get("ratelimit", "").partition(";t=")[0] for headers in asyncio.run(run())]
    assert found == ['"default";r=2', "", '"default";r=1', "", '"default";r=0', '"default";r=0']


def test_an_upgrade_to_websocket_is_counted(make, passed):
    async def run():
        middleware, sent = make(rate="1/h"), []

        async def send(message):
            sent.append(message)

        scope = {"type": "websocket", "path": "/mcp", "client": ("203.0.113.7", 1), "headers": []}
        await ask(middleware)
        await middleware(scope, None, send)
        return sent

    (closed,) = asyncio.run(run())
    assert (closed["type"], passed) == ("websocket.close", ["/api/v1/brands"])


def test_an_absolute_target_is_counted_as_its_path(make, passed):
    async def run():
        middleware, scope = make(), {
            "type": "http", "http_version": "1.1", "method": "GET", "client": None, "query_string": b"a=1",
            "path": "http://a.example/x", "raw_path": b"http://a.example/healthz", "headers": [(b"host", b"b")],
        }  # fmt: skip
        await middleware(scope, None, send)
        return scope

    async def send(message):
        assert b"ratelimit" not in dict(message.get("headers", ()))

    assert asyncio.run(run())["headers"] == [(b"host", b"b")], "the server's own scope stays as it is"
    assert passed == ["/healthz"]


def test_simultaneous_requests_are_each_counted_once(make):
    async def run():
        middleware = make(rate="50/h")
        return await asyncio.gather(*(ask(middleware) for _ in range(120)))

    assert [status for status, *_ in asyncio.run(run())].count(200) == 50


def test_a_crowd_is_no_sign_of_a_silent_cache(make, monkeypatch):
    counted, in_cache = [], SharedCounter._in_cache

    def slow(counter, address):
        time.sleep(0.15)
        counted.append(address)
        return in_cache(counter, address)

    monkeypatch.setattr(SharedCounter, "_in_cache", slow)

    async def run():
        middleware = make(rate="10/h", cache_timeout=3.0)
        return await asyncio.gather(*(ask(middleware) for _ in range(30)))  # 4.5 seconds for all

    assert [status for status, *_ in asyncio.run(run())].count(200) == 10
    assert len(counted) == 30


def test_processes_share_the_count_through_the_cache(make):
    first, second = make(), make()
    assert statuses(first, {}, {}) == [200, 200]
    assert statuses(second, {}, {}) == [200, 429]


@pytest.mark.parametrize("failure", ["hangs", "raises", "says no"])
def test_the_process_counts_while_the_cache_is_silent(make, monkeypatch, failure):
    monkeypatch.setattr(limiter, "CACHE_PAUSE", 60.0)
    release, asked = threading.Event(), []

    def silent(*args, **kwargs):
        asked.append(args)
        if failure == "hangs":
            release.wait(20)
        if failure == "raises":
            raise OSError("cache gone")
        return False

    monkeypatch.setattr(type(caches["rate"]), "add", silent)
    monkeypatch.setattr(type(caches["rate"]), "incr", silent)

    async def run():
        middleware = make(cache_timeout=0.2)
        return await asyncio.gather(*(ask(middleware) for _ in range(5)))

    try:
        found = [status for status, *_ in asyncio.run(run())]
    finally:
        release.set()
    assert found == [200, 200, 200, 429, 429]
    assert len(asked) <= 2, "one request asked the cache, which was then left alone"


def test_the_last_second_of_a_window_is_no_failure_of_the_cache(make, monkeypatch):
    usage = {"count": 2, "limit": 3, "should_limit": False, "time_left": -1}
    monkeypatch.setattr(limiter, "get_usage", lambda *args, **kwargs: usage)
    monkeypatch.setattr(limiter.log, "warning", lambda *args, **kwargs: 1 / 0)
    assert statuses(make(), {}, {}) == [200, 200]


def test_an_answer_that_came_while_the_process_was_busy_is_taken(make, monkeypatch):
    """The cache answers at once, but nobody looks: what else the process does takes longer than the deadline."""
    monkeypatch.setattr(limiter.log, "warning", lambda *args, **kwargs: 1 / 0)
    answered, in_cache = threading.Event(), SharedCounter._in_cache

    def noted(counter, address):
        try:
            return in_cache(counter, address)
        finally:
            answered.set()

    monkeypatch.setattr(SharedCounter, "_in_cache", noted)

    def busy():
        answered.wait(20)
        time.sleep(0.3)

    async def run():
        middleware = make(cache_timeout=0.1)
        asked = asyncio.ensure_future(ask(middleware))
        for _ in range(3):
            await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(busy)
        return (await asked)[0]

    assert asyncio.run(run()) == 200


def test_a_budget_that_is_spent_stays_spent_when_the_cache_falls_silent(make, monkeypatch):
    monkeypatch.setattr(limiter, "CACHE_PAUSE", 60.0)
    here, there = make(), make()
    assert statuses(there, {}, {}) == [200, 200]
    assert statuses(here, {}) == [200]
    monkeypatch.setattr(SharedCounter, "_in_cache", lambda *args: 1 / 0)
    assert statuses(here, {}, {"peer": "192.0.2.1"}) == [429, 200]


@pytest.mark.parametrize("now", [1_795_000_000, 1_795_000_000.9, 1_795_046_399, 1_795_046_400])
@pytest.mark.parametrize("seconds", [1, 60, 3_600, 86_400])
def test_the_windows_of_the_process_are_those_of_the_cache(monkeypatch, now, seconds):
    monkeypatch.setattr(time, "time", lambda: now)
    for address in ("203.0.113.7", "2001:db8::/64", "x"):
        assert limiter.end_of_window(address, seconds) == _get_window(address, seconds)


def test_the_cache_is_opened_before_the_first_request(make, monkeypatch):
    asked = []
    monkeypatch.setattr(SharedCounter, "_in_cache", lambda counter, *arguments: asked.append(arguments))

    async def receive():
        return {"type": "lifespan.startup"}

    async def app(scope, receive, send):
        await receive()
        passed.extend(asked)

    passed = []
    middleware = RateLimitMiddleware(app, rate="1/m", trusted_proxies=[], cache_timeout=20.0)
    asyncio.run(middleware({"type": "lifespan"}, receive, None))
    middleware.close()
    assert passed == [("", False)]


def test_the_cache_is_asked_again_after_a_pause(make, monkeypatch):
    monkeypatch.setattr(limiter, "CACHE_PAUSE", 0.05)

    async def run():
        middleware = make()
        for _ in range(2):
            await ask(middleware)
        monkeypatch.setattr(SharedCounter, "_in_cache", lambda *args: 1 / 0)
        fallback = await ask(middleware)
        monkeypatch.undo()
        await asyncio.sleep(limiter.CACHE_PAUSE + 0.1)
        return fallback[0], (await ask(middleware))[0], (await ask(middleware))[0]

    assert asyncio.run(run()) == (200, 429, 429)  # 2 in the cache, 1 in the process, which remembers it


def test_the_memory_of_the_process_counter_is_bounded(monkeypatch):
    monkeypatch.setattr(limiter, "MAX_ADDRESSES", 100)
    counter = ProcessCounter(Rate(1, 3_600))
    for n in range(1_000):
        assert counter.count(f"address {n}", 1).allowed
    assert len(counter._counts) <= 100
    assert not counter.count("address 999", 1).allowed
    assert counter.count("address 999", 2).allowed


@pytest.mark.parametrize(
    ("text", "rate"),
    [("300/m", Rate(300, 60)), ("1/s", Rate(1, 1)), ("5/10s", Rate(5, 10)), ("9/2d", Rate(9, 172_800))],
)
def test_rates(text, rate):
    assert Rate.parse(text) == rate


@pytest.mark.parametrize("text", ["", "300", "0/m", "300/0m", "300/w", "x/m", "-1/m", "300/m ", "3.5/m"])
def test_a_wrong_rate_is_refused_at_the_start(text):
    with pytest.raises(ImproperlyConfigured, match="300/m"):
        Rate.parse(text)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_refusals_of_a_known_key_become_one_row(make, django_assert_num_queries):
    key, unknown = ApiKeyFactory(), keyformat.mint()
    bearer = {"headers": [("authorization", f"Bearer {key.raw}")]}
    others = [{"headers": [("authorization", f"Bearer {raw}")]} for raw in (unknown, "nonsense")]
    middleware = make(rate="1/h")
    with django_assert_num_queries(0):
        assert statuses(middleware, *[bearer] * 6, *others, {}) == [200] + [429] * 8
    assert not CallLog.objects.exists()
    middleware.close()
    rows = CallLog.objects.values_list("key", "error_code", "door")
    assert set(rows) == {(key.pk, "rate_limited", "rest")}
    assert sum(CallLog.objects.values_list("count", flat=True)) == 5


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_tally_that_cannot_be_written_is_kept(make, monkeypatch):
    key = ApiKeyFactory()
    middleware = make(rate="1/h")
    middleware.tally.add(key.raw, CallLog.Door.REST)
    with monkeypatch.context() as patched:
        patched.setattr("apikeys.http.refusals.record_refusals", lambda counts: 1 / 0)
        middleware.tally.flush()
    assert not CallLog.objects.exists()
    middleware.tally.flush()
    assert CallLog.objects.get().count == 1


def test_the_tally_is_bounded(make, monkeypatch):
    monkeypatch.setattr("apikeys.http.refusals.MAX_ENTRIES", 3)
    monkeypatch.setattr("apikeys.http.refusals.record_refusals", lambda counts: None)
    tally = make().tally
    for _ in range(10):
        tally.add(keyformat.mint(), CallLog.Door.REST)
    assert len(tally._counts) == 3


def test_the_counters_are_closed_before_the_shutdown_is_complete():
    order = []

    async def app(scope, receive, send):
        order.append((await receive())["type"])
        with pytest.raises(RuntimeError, match="shutdown"):
            middleware.counter._executor.submit(print)

    async def receive():
        return {"type": "lifespan.shutdown"}

    middleware = RateLimitMiddleware(app, rate="1/m", trusted_proxies=[], cache_timeout=20.0)
    asyncio.run(middleware({"type": "lifespan"}, receive, None))
    assert order == ["lifespan.shutdown"]


@pytest.fixture
def redis_rates(settings):
    """The cache that counts requests, where it is Redis or Valkey."""
    if not settings.CACHES["rate"]["BACKEND"].endswith("RateCache"):
        pytest.skip("the cache on disk counts with Django's own add and incr")
    return caches["rate"]


def test_one_question_counts_and_sets_the_end(redis_rates):
    assert redis_rates.add("a", 1, timeout=50)
    with pytest.raises(ValueError, match="not counted"):
        redis_rates.incr("b")
    for expected in (2, 3):
        assert not redis_rates.add("a", 1, timeout=500)
        assert redis_rates.incr("a") == expected
    client = redis_rates._cache.get_client(write=True)
    assert 40 < client.ttl(redis_rates.make_key("a")) <= 50


def test_a_request_is_one_round_trip(redis_rates, make, monkeypatch):
    sent, send = [], redis.Connection.send_packed_command

    def noted(self, *args, **kwargs):
        sent.append(args)
        return send(self, *args, **kwargs)

    monkeypatch.setattr(redis.Connection, "send_packed_command", noted)
    middleware = make(rate="100/h")
    statuses(middleware, {})  # connects, and loads the script
    sent.clear()
    assert statuses(middleware, *[{}] * 10) == [200] * 10
    assert len(sent) == 10

"""The outermost layer: one budget for all doors, counted once, also while the shared counters are silent."""

import asyncio
import json
import threading
import time
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from itertools import count

import psycopg
import pytest
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django_ratelimit.core import _get_window

from apikeys.accounts import keyformat
from apikeys.edge import ratelimit
from apikeys.edge.ratelimit import Counters, Rate, RateLimit, Refusals
from apikeys.models import CallLog
from tests.factories import make_key

HTML = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
SPARE_SECONDS = 15
"""The longest of these tests takes less."""
SLOW_COUNTERS = """
CREATE FUNCTION slow() RETURNS trigger AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END' LANGUAGE plpgsql;
CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON apikeys_counter FOR EACH ROW EXECUTE FUNCTION slow();
"""
_hosts = count(1)


def new_address():
    """An address that no test has used: the table of the counters outlives each test."""
    return str(ip_address("198.18.0.0") + next(_hosts))


@pytest.fixture
def peer():
    """A new address, early enough in its hour that the test counts in one window."""
    address = new_address()
    left = Rate.parse("1/h").end_of_window(address) - int(time.time())
    if left < SPARE_SECONDS:
        time.sleep(left + 1)
    return address


@pytest.fixture
def passed():
    """The paths that came through to the application."""
    return []


@pytest.fixture
def make(passed, django_db_setup):
    """Make the layer around an application that notes what comes through."""
    made = []

    async def app(scope, receive, send):
        passed.append(scope.get("path", scope["type"]))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    def build(rate="3/h", proxies=(), rates=None):
        networks = {ip_network(text): each for text, each in (rates or {}).items()}
        trusted = [ip_network(text) for text in proxies]
        made.append(RateLimit(app, rate=rate, rates=networks, trusted_proxies=trusted))
        return made[-1]

    yield build
    for layer in made:
        layer.refusals.close()
        end_connections(layer.counters)


async def ask(layer, path="/api/v1/brands", *, peer, method="GET", headers=()):
    """One request; returns (status, headers, body)."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "path": path,
        "method": method,
        "client": (peer, 4711),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    await layer(scope, None, send)
    named = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], named, b"".join(message.get("body", b"") for message in sent)


def end_connections(counters):
    """Close the connection of each thread that counts, for which the end of the test database would wait."""
    together = threading.Barrier(ratelimit.COUNTED_TOGETHER)

    def end():
        together.wait(10)
        caches["counters"].disconnect()

    for ended in [counters._executor.submit(end) for _ in range(ratelimit.COUNTED_TOGETHER)]:
        ended.result()


def statuses(layer, *requests):
    async def run():
        return [(await ask(layer, **request))[0] for request in requests]

    return asyncio.run(run())


def left_of(answer):
    """How many requests the answer says are left."""
    return int(answer[1]["ratelimit"].partition("r=")[2].partition(";")[0])


@contextmanager
def on_server():
    """A connection of its own to the tests' database, to stand in the way of others."""
    parameters = connection.get_connection_params()
    for name in ("cursor_factory", "context", "prepare_threshold"):
        parameters.pop(name, None)
    with psycopg.connect(**parameters) as other:
        yield other


def test_all_doors_share_one_budget_and_each_request_counts_once(make, passed, peer):
    paths = ["/api/v1/brands", "/mcp", "/shared/token", "/sign-in"]
    assert statuses(make(), *({"path": path, "peer": peer} for path in paths)) == [200, 200, 200, 429]
    assert passed == paths[:3]


def test_each_address_has_its_own_budget_and_a_forged_header_changes_nothing(make, peer):
    forged = [{"peer": peer, "headers": [("x-forwarded-for", f"198.51.100.{n}")]} for n in range(4)]
    assert statuses(make(), *forged, {"peer": new_address()}) == [200, 200, 200, 429, 200]


def test_behind_a_trusted_proxy_the_client_is_counted(make, peer):
    clients = (peer, f"2001:db8:{next(_hosts)}::1")
    requests = [
        {"peer": "10.0.0.1", "headers": [("x-forwarded-for", f"1.1.1.{n}, {clients[n % 2]}")]} for n in range(8)
    ]
    assert statuses(make(proxies=["10.0.0.0/8"]), *requests) == [200] * 6 + [429] * 2


def test_addresses_of_a_named_network_have_a_limit_of_their_own_each(make):
    office = f"198.51.{next(_hosts) % 250}"
    networks = {f"{office}.0/24": "2/300d", f"{office}.7/32": "3/300d", "2001:db8:77::/48": "2/300d"}
    layer = make(rate="1/300d", rates=networks)
    for address, limit in ((f"{office}.6", 2), (f"{office}.7", 3), (f"2001:db8:77:{next(_hosts)}::1", 2)):
        requests = [{"peer": address}] * (limit + 1)
        assert statuses(layer, *requests) == [200] * limit + [429], address
    assert statuses(layer, *[{"peer": new_address()}] * 2) == [200, 429]


def test_a_host_with_many_ipv6_addresses_is_one(make):
    net = f"2001:db8:{next(_hosts)}"
    requests = [{"peer": f"{net}:1::{n}"} for n in range(1, 5)] + [{"peer": f"{net}:2::1"}]
    assert statuses(make(), *requests) == [200, 200, 200, 429, 200]


def test_static_files_and_health_are_exempt(make, peer):
    exempt = ["/static/pages/style.css", "/healthz", "/readyz"] * 3
    assert set(statuses(make(), *({"path": path, "peer": peer} for path in exempt))) == {200}
    counted = ["/healthz/", "/static", "/x/static/y", "/readyzz"]
    assert statuses(make(), *({"path": path, "peer": peer} for path in counted)) == [200, 200, 200, 429]


def test_people_get_a_page_and_programs_json(make, peer):
    async def run():
        layer = make(rate="1/h")
        await ask(layer, peer=peer)
        pages = [
            await ask(layer, "/brands/x", method=method, headers=[HTML], peer=peer) for method in ("GET", "HEAD")
        ]
        others = [("/brands/x", []), ("/api/v1/docs", [HTML]), ("/mcp", [HTML])]
        return pages, [await ask(layer, path, headers=headers, peer=peer) for path, headers in others]

    pages, others = asyncio.run(run())
    for status, headers, body in pages:
        assert (status, headers["content-type"]) == (429, "text/html; charset=utf-8")
        assert "default-src 'none'" in headers["content-security-policy"]
        assert not body or f"Wait {headers['retry-after']} seconds" in body.decode()
    assert pages[0][2] and not pages[1][2]
    for status, headers, body in others:
        assert (status, headers["content-type"], json.loads(body)["error"]) == (
            429,
            "application/json",
            "rate_limited",
        )


def test_the_refusal_says_when_to_come_back(make, peer):
    async def run():
        layer = make(rate="1/10m")
        await ask(layer, peer=peer)
        return await ask(layer, headers=[("x-request-id", "mine")], peer=peer), await ask(
            layer, method="HEAD", headers=[("x-request-id", keyformat.mint())], peer=peer
        )

    (status, headers, body), headed = asyncio.run(run())
    wait = int(headers["retry-after"])
    assert 1 <= wait <= 600
    assert f"in {wait} seconds" in json.loads(body)["detail"]
    assert (status, headers["ratelimit"], headers["ratelimit-policy"]) == (
        429,
        f'"default";r=0;t={wait}',
        '"default";q=1;w=600',
    )
    assert (headers["cache-control"], headers["vary"]) == ("private, no-cache", "Authorization, Accept-Encoding")
    assert (headers["x-request-id"], headers["content-length"]) == ("mine", str(len(body)))
    assert (headed[0], headed[2]) == (429, b"")
    assert not keyformat.holds_secret(headed[1]["x-request-id"])


def test_every_counted_response_has_the_remaining_budget(make, peer):
    async def run():
        layer = make(rate="3/h")
        paths = ("/mcp", "/healthz", "/sign-in", "/static/x", "/api", "/")
        return [(await ask(layer, path, peer=peer))[1] for path in paths]

    shown = [headers.get("ratelimit", "").partition(";t=")[0] for headers in asyncio.run(run())]
    assert shown == ['"default";r=2', "", '"default";r=1', "", '"default";r=0', '"default";r=0']


def test_exactly_the_limit_passes_at_once_in_two_processes(make, peer):
    async def run():
        layers = make(rate="50/h"), make(rate="50/h")
        return await asyncio.gather(*(ask(layers[n % 2], peer=peer) for n in range(120)))

    answers = asyncio.run(run())
    assert [status for status, *_ in answers].count(200) == 50
    assert sorted(left_of(answer) for answer in answers) == [0] * 71 + list(range(1, 50))


def test_a_crowd_is_no_sign_of_silent_counters(make, peer):
    """Each count takes 0.1 s, all of them 1.2 s: the last waits six times as long as silence is borne."""
    with on_server() as other:
        other.execute(SLOW_COUNTERS)
        other.commit()
        try:

            async def run():
                layer = make(rate="100/h")
                await asyncio.gather(*(ask(layer, peer=peer) for _ in range(12)))
                return left_of(await ask(make(rate="100/h"), peer=peer))

            assert asyncio.run(run()) == 100 - 13, "each of them was counted in the table that processes share"
        finally:
            other.execute("DROP FUNCTION slow CASCADE")
            other.commit()


def test_an_answer_that_came_while_the_process_was_busy_is_taken(make, peer):
    async def run():
        layer = make(rate="100/h")
        await ask(layer, peer=peer)  # opens the connection
        waiting = asyncio.ensure_future(ask(layer, peer=peer))
        await asyncio.sleep(0.001)
        time.sleep(2 * ratelimit.SILENT_AFTER)  # nobody looks at the answer meanwhile
        await waiting
        await ask(layer, peer=peer)
        return left_of(await ask(make(rate="100/h"), peer=peer))

    assert asyncio.run(run()) == 100 - 4, "none was counted by the process alone"


def test_the_process_counts_while_the_counters_hang_and_asks_again_later(make, peer, quiet, monkeypatch):
    monkeypatch.setattr(ratelimit, "SILENT_FOR", 0.5)

    async def run():
        layer = make()
        await ask(layer, peer=peer)
        with on_server() as other:
            other.execute("LOCK TABLE apikeys_counter IN ACCESS EXCLUSIVE MODE")
            began = time.monotonic()
            silent = [(await ask(layer, peer=address))[0] for address in (peer, peer, peer, new_address())]
            assert ratelimit.SILENT_AFTER <= time.monotonic() - began < 2 * ratelimit.SILENT_AFTER + 0.3
        await asyncio.sleep(ratelimit.SILENT_FOR + 0.1)
        other, fresh = make(), new_address()
        later = [(await ask(each, peer=fresh))[0] for each in (layer, other, layer, other)]
        return silent, later, (await ask(layer, peer=peer))[0]

    silent, later, spent = asyncio.run(run())
    assert silent == [200, 200, 429, 200]
    assert later == [200, 200, 200, 429], "both share the count again"
    assert spent == 429, "what was spent in the silence stays spent"


def test_a_budget_that_is_spent_stays_spent_when_the_counters_fall_silent(make, peer, quiet):
    async def run():
        here, there = make(), make()
        for layer in (there, there, here):
            assert (await ask(layer, peer=peer))[0] == 200
        with on_server() as other:
            other.execute("LOCK TABLE apikeys_counter IN ACCESS EXCLUSIVE MODE")
            return [(await ask(here, peer=address))[0] for address in (peer, new_address())]

    assert asyncio.run(run()) == [429, 200]


def test_counting_goes_on_after_the_database_ended_the_connection(make, peer):
    async def run():
        layer = make(rate="100/h")
        await ask(layer, peer=peer)
        with on_server() as other:
            ended = other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE query LIKE '%apikeys_counter%' AND pid <> pg_backend_pid() AND datname = current_database()"
            ).fetchall()
        assert ended
        await ask(layer, peer=peer)
        return left_of(await ask(make(rate="100/h"), peer=peer))

    assert asyncio.run(run()) == 100 - 3


def test_a_count_of_the_old_window_does_not_spend_the_new_one(make, peer, monkeypatch):
    """The window may end between the count and the answer."""
    now = [float(Rate.parse("3/h").end_of_window(peer))]
    monkeypatch.setattr(ratelimit.time, "time", lambda: now[0])

    def at_the_end(*args, **kwargs):
        now[0] += 1
        return {"count": counts.pop(0), "limit": 3, "should_limit": False, "time_left": -1}

    counts = [3, 1]
    monkeypatch.setattr(ratelimit, "get_usage", at_the_end)
    assert statuses(make(), {"peer": peer}, {"peer": peer}) == [200, 200]


@pytest.mark.parametrize("now", [1_795_000_000, 1_795_000_000.9, 1_795_046_399, 1_795_046_400])
def test_the_windows_of_the_process_are_those_of_the_shared_counters(monkeypatch, now):
    monkeypatch.setattr(time, "time", lambda: now)
    for seconds in (1, 60, 3_600, 86_400):
        for address in ("203.0.113.7", "2001:db8::/64", "x"):
            assert Rate(1, seconds).end_of_window(address) == _get_window(address, seconds)


def test_the_memory_of_the_process_is_bounded(monkeypatch):
    monkeypatch.setattr(ratelimit, "MAX_ADDRESSES", 100)
    counters, rate = Counters(), Rate(1, 3_600)
    counters._silent_until = time.monotonic() + 60

    async def run():
        for n in range(1_000):
            assert (await counters.count(f"address {n}", rate)).allowed
        assert len(counters._counts) <= 100
        assert not (await counters.count("address 999", rate)).allowed

    asyncio.run(run())


def test_a_counter_ends_with_its_window(db):
    counters = caches["counters"]
    key = f"ends-{next(_hosts)}"
    assert counters.add(key, 1, timeout=0.2)
    assert (counters.add(key, 1, timeout=0.2), counters.incr(key)) == (False, 2)
    time.sleep(0.25)
    with pytest.raises(ValueError, match="does not exist"):
        counters.incr(key)
    assert (counters.add(key, 1, timeout=60), counters.incr(key)) == (True, 2)
    counters.disconnect()


def test_rates():
    written = {"300/m": Rate(300, 60), "1/s": Rate(1, 1), "5/10s": Rate(5, 10), "9/2d": Rate(9, 172_800)}
    assert {text: Rate.parse(text) for text in written} == written
    for text in ("", "300", "0/m", "300/0m", "300/w", "x/m", "-1/m", "300/m ", "3.5/m"):
        with pytest.raises(ImproperlyConfigured, match="300/m"):
            Rate.parse(text)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_refusals_of_a_known_key_become_one_row_without_a_query_on_the_way(make, peer, django_assert_num_queries):
    key, raw = make_key()
    bearer = {"peer": peer, "headers": [("authorization", f"Bearer {raw}")]}
    others = [
        {"peer": peer, "headers": [("authorization", f"Bearer {text}")]} for text in (keyformat.mint(), "nonsense")
    ]
    layer = make(rate="1/h")
    with django_assert_num_queries(0):
        assert statuses(layer, *[bearer] * 6, *others, {"peer": peer}) == [200] + [429] * 8
    assert not CallLog.objects.exists()
    layer.refusals.close()
    recorded = CallLog.objects.values_list("key", "error_code", "door", "name")
    assert set(recorded) == {(key.pk, "rate_limited", "rest", "rate limit")}
    assert sum(CallLog.objects.values_list("count", flat=True)) == 5


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_tally_that_cannot_be_written_is_written_later(monkeypatch, quiet):
    _, raw = make_key()
    refusals = Refusals()
    refusals.add(raw, CallLog.Door.REST)
    with monkeypatch.context() as patched:
        patched.setattr(ratelimit, "record_rate_refusals", lambda counts: 1 / 0)
        refusals.flush()
    assert not CallLog.objects.exists()
    refusals.close()
    assert CallLog.objects.get().count == 1


def test_the_tally_is_bounded(monkeypatch):
    monkeypatch.setattr(ratelimit, "MAX_REFUSED_KEYS", 3)
    monkeypatch.setattr(ratelimit, "record_rate_refusals", lambda counts: None)
    refusals = Refusals()
    for _ in range(10):
        refusals.add(keyformat.mint(), CallLog.Door.REST)
    assert len(refusals._counts) == 3
    refusals.close()

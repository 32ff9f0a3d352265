"""The guard: what a name may lead to, and where a socket may go. No test here connects beyond loopback."""

import asyncio
import socket
from functools import partial
from threading import Event

import pytest

from tests.audit.fetch.addresses import PRIVATE_V4, PRIVATE_V6
from tests.audit.fetch.conftest import HOST
from visibility.audit.fetch import fetcher as fetching
from visibility.audit.fetch.failures import FetchError, RefusedAddress
from visibility.audit.fetch.fetcher import Fetcher
from visibility.audit.fetch.guard import Guard

PUBLIC = "93.184.216.34"
PUBLIC_V6 = "2606:2800:220:1::1"
PRIVATE = [*PRIVATE_V4.values(), *PRIVATE_V6.values()]


def info(address, port=80):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return (family, socket.SOCK_STREAM, 6, "", (address, port, 0, 0) if ":" in address else (address, port))


class Names:
    """The system's resolver, as far as it is asked: gives the addresses of each answer in turn."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def __call__(self, host, port, **how):
        self.asked.append(host)
        return [info(address, port) for address in self.answers.pop(0)]


def resolved(names, *, host=HOST, port=443, local_hosts=None):
    async def one():
        guard = Guard(local_hosts or {}, lookup=names)
        try:
            return [(each["host"], each["port"]) for each in await guard.resolve(host, port)]
        finally:
            await guard.close()

    return asyncio.run(one())


class TestResolving:
    def test_public_addresses_are_handed_on(self):
        assert resolved(Names([PUBLIC, PUBLIC_V6])) == [(PUBLIC, 443), (PUBLIC_V6, 443)]

    @pytest.mark.parametrize("address", PRIVATE)
    def test_a_private_address_is_refused(self, address):
        with pytest.raises(RefusedAddress):
            resolved(Names([address]))

    @pytest.mark.parametrize("addresses", [[PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [PUBLIC, PUBLIC_V6, "::1"]])
    def test_one_private_address_among_public_ones_is_enough(self, addresses):
        with pytest.raises(RefusedAddress):
            resolved(Names(addresses))

    def test_one_behind_all_that_would_be_tried_is_enough(self):
        with pytest.raises(RefusedAddress):
            resolved(Names([*(f"93.184.216.{n}" for n in range(50)), "127.0.0.1"]))

    def test_no_address_is_none(self):
        with pytest.raises(RefusedAddress):
            resolved(Names([]))

    def test_it_is_asked_once_and_for_the_full_name(self):
        names = Names([PUBLIC], ["127.0.0.1"])
        assert resolved(names) == [(PUBLIC, 443)]
        assert names.asked == [f"{HOST}."], "without the dot a search list would be tried"

    def test_a_thousand_addresses_are_no_thousand_connections(self):
        many = [f"93.184.{n // 200}.{n % 200 + 1}" for n in range(1_000)] + [PUBLIC_V6, "2606:2800:220:1::2"]
        assert len(resolved(Names([*many, "2606:2800:220:1::3"]))) == 4

    def test_a_local_host_leads_to_its_place_whatever_the_port(self):
        names = Names()
        assert resolved(names, local_hosts={HOST: ("127.0.0.1", 18_000)}) == [("127.0.0.1", 18_000)]
        assert names.asked == []

    @pytest.mark.parametrize("host", ["www.shop.com", "shop.com.evil.com", "SHOP.com"])
    def test_no_other_name_does(self, host):
        with pytest.raises(RefusedAddress):
            resolved(Names(["127.0.0.1"]), host=host, local_hosts={HOST: ("127.0.0.1", 18_000)})


class TestSockets:
    @pytest.mark.parametrize("address", PRIVATE)
    def test_none_is_made_for_a_private_address(self, address):
        with pytest.raises(RefusedAddress):
            Guard({}).open_socket(info(address))

    @pytest.mark.parametrize("port", [0, 22, 25, 79, 81, 442, 444, 3306, 5432, 6379, 8000, 8080, 8443, 9200, 65535])
    def test_none_is_made_for_another_port(self, port):
        with pytest.raises(RefusedAddress):
            Guard({}).open_socket(info(PUBLIC, port))

    @pytest.mark.parametrize("address", [PUBLIC, PUBLIC_V6])
    @pytest.mark.parametrize("port", [80, 443])
    def test_one_is_made_for_a_public_address_at_the_ports_of_the_web(self, address, port):
        Guard({}).open_socket(info(address, port)).close()

    def test_of_this_machine_only_the_named_place_is_open(self):
        guard = Guard({HOST: ("127.0.0.1", 18_000)})
        guard.open_socket(info("127.0.0.1", 18_000)).close()
        for address, port in [("127.0.0.1", 18_001), ("127.0.0.1", 80), ("127.0.0.2", 18_000), ("::1", 18_000)]:
            with pytest.raises(RefusedAddress):
                guard.open_socket(info(address, port))


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def came(listening):
    """Whether anybody connected."""
    try:
        listening.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def failure_of(url, **options):
    async def one():
        async with Fetcher(user_agent="TestBot/1.0", **options) as fetcher:
            with pytest.raises(FetchError) as caught:
                await fetcher.get(url)
            return caught.value

    return asyncio.run(asyncio.wait_for(one(), 60))


class TestInTheFetcher:
    @pytest.mark.parametrize("addresses", [["127.0.0.1"], ["::1", "127.0.0.1"], ["::ffff:127.0.0.1"]])
    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_a_name_that_leads_inside_is_refused(self, monkeypatch, scheme, addresses):
        names = Names(addresses)
        monkeypatch.setattr(fetching, "Guard", partial(Guard, lookup=names))
        error = failure_of(f"{scheme}://{HOST}/")
        assert (error.reason, error.temporary) == ("refused_address", False)
        assert error.detail == "The host name leads to an address that is not on the public internet."
        assert not any(address in str(error) for address in addresses), "names inside are nobody's business"
        assert names.asked == [f"{HOST}."]

    def test_what_got_past_the_resolver_gets_no_socket(self, monkeypatch, listener):
        """As if a later version of the library asked somebody else for the addresses."""
        address, port = listener.getsockname()

        async def resolve(guard, host, *_, **__):
            fields = {"hostname": host, "host": address, "port": port, "family": socket.AF_INET}
            return [{**fields, "proto": 0, "flags": socket.AI_NUMERICHOST}]

        monkeypatch.setattr(Guard, "resolve", resolve)
        assert failure_of(f"http://{HOST}/").reason == "refused_address"
        assert not came(listener)

    @pytest.mark.parametrize(
        ("code", "temporary", "detail"),
        [
            (socket.EAI_NONAME, False, "There is no such host name."),
            (socket.EAI_AGAIN, True, "The host name could not be looked up."),
            (socket.EAI_FAIL, True, "The host name could not be looked up."),
        ],
    )
    def test_a_name_that_is_not_found_is_told_apart_from_a_silent_server(self, monkeypatch, code, temporary, detail):
        def lookup(*_, **__):
            raise socket.gaierror(code, "whatever the system says")

        monkeypatch.setattr(fetching, "Guard", partial(Guard, lookup=lookup))
        error = failure_of(f"http://{HOST}/")
        assert (error.reason, error.temporary, error.detail) == ("no_such_host", temporary, detail)

    def test_a_look_up_that_hangs_ends_at_the_deadline(self, monkeypatch):
        asked, answered = Event(), Event()

        def lookup(*_, **__):
            asked.set()
            answered.wait(60)
            return []

        monkeypatch.setattr(fetching, "Guard", partial(Guard, lookup=lookup))
        try:
            assert failure_of(f"http://{HOST}/", deadline=0.5).reason == "timeout"
            assert asked.is_set() and not answered.is_set()
        finally:
            answered.set()

    def test_an_address_in_the_url_asks_nobody(self, listener):
        assert failure_of(f"http://127.0.0.1:{listener.getsockname()[1]}/").reason == "bad_url"
        assert not came(listener)

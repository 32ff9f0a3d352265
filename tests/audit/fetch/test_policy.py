"""Where a fetch may go: the address as it is written, what its name leads to, and the socket. Nothing here connects
beyond loopback."""

import asyncio
import socket
import string
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from threading import Event

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from yarl import URL

from tests.audit.fetch.addresses import PRIVATE_V4, PRIVATE_V6, PUBLIC, REFUSED_URLS, notations
from visibility.audit.fetch import fetcher as fetching
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import Fetcher
from visibility.audit.fetch.urls import checked_url, is_public_name
from visibility.net.guard import Guard, RefusedAddress, is_public

HOST, WEB, WEB_V6 = "shop.com", "93.184.216.34", "2606:2800:220:1::1"
PRIVATE = [*PRIVATE_V4.values(), *PRIVATE_V6.values()]
ALLOWED = {
    "https://shop.com": "https://shop.com/",
    "http://shop.com:80/a?b=c#d": "http://shop.com/a?b=c",
    "HTTPS://WWW.Shop.COM/Path": "https://www.shop.com/Path",
    "http://shop.com./a": "http://shop.com/a",
    "https://münchen.de/ä?q=ö": "https://xn--mnchen-3ya.de/%C3%A4?q=%C3%B6",
    "https://shop.com/a/../b": "https://shop.com/b",
    "https://shop.com/@name?to=http://10.0.0.1/": "https://shop.com/@name?to=http://10.0.0.1/",
    "https://1.2.3.4.shop.com/": "https://1.2.3.4.shop.com/",
    "https://例え.jp/": "https://xn--r8jz45g.jp/",
}
WRITTEN = st.text(
    st.sampled_from(string.ascii_letters + string.digits + "./:@?#[]\\%-_~&=+;, \t\u3002\uff10\u2460äß\u00ad")
)


def refusal(text, *, base=None, **more):
    with pytest.raises(FetchError) as caught:
        checked_url(text, base, **more)
    return caught.value


def test_an_address_outside_of_the_public_web_is_refused():
    for name, text in REFUSED_URLS.items():
        error = refusal(text)
        assert error.reason == "bad_url", name
        assert error.detail.endswith(".") and error.url.isprintable() and len(error.url) <= 2_048, name


def test_an_ip_address_instead_of_a_name_is_refused_in_every_notation():
    for address in ("127.0.0.1", "169.254.169.254", "10.0.0.1", WEB):
        for name, host in notations(address).items():
            for text in (f"http://{host}/", f"https://{host}:443/a", f"//{host}/"):
                assert refusal(text, base=URL("https://shop.com/")).reason == "bad_url", (name, text)


def test_addresses_of_the_public_web_pass_as_they_will_be_requested():
    assert {text: str(checked_url(text)) for text in ALLOWED} == ALLOWED


def test_a_relative_address_is_checked_as_the_whole_that_it_becomes():
    base = URL("https://shop.com/a/")
    assert str(checked_url("b?c=d", base)) == "https://shop.com/a/b?c=d"
    assert str(checked_url("//other.com", base)) == "https://other.com/"
    for text in ("//10.0.0.1/", "http://localhost/", "//user@shop.com/", "https://shop.com:22/", "//a\\b"):
        assert refusal(text, base=base).reason == "bad_url"


@given(WRITTEN, st.sampled_from(["", "http://", "https://", "//", "http://shop.com"]))
@example("shop.com:80\\@10.0.0.1/", "http://")
@example("@10.0.0.1#@shop.com", "http://shop.com")
def test_what_passes_is_a_plain_public_name_in_every_reading(rest, start):
    try:
        url = checked_url(start + rest)
    except FetchError:
        return
    assert url.raw_host and is_public_name(url.raw_host)
    assert set(url.raw_host) <= set(string.ascii_lowercase + string.digits + ".-")
    assert url.raw_user is None and url.port in (80, 443) and url.scheme in ("http", "https")
    assert checked_url(str(url)) == url


def test_a_local_host_may_have_any_name_but_no_other_freedom():
    local = {"shop.test", "demo.example"}
    assert str(checked_url("http://Demo.Example/a", local_hosts=local)) == "http://demo.example/a"
    for text in (
        "http://other.example/",
        "http://a.demo.example/",
        "http://demo.example:8000/",
        "http://u@demo.example/",
    ):
        assert refusal(text, local_hosts=local).reason == "bad_url"


def test_the_hosts_of_the_service_itself_are_refused():
    own = {"app.acme.com", ".pattern.com"}
    for text in ("https://APP.acme.com./x", "https://a.b.pattern.com", "https://pattern.com/"):
        assert refusal(text, own_hosts=own).reason == "refused_address"
    for text in ("https://www.acme.com/", "https://xapp.acme.com/", "https://notpattern.com/"):
        checked_url(text, own_hosts=own)


def test_only_public_addresses_are_public():
    assert [address for address in PRIVATE if is_public(address)] == []
    assert [address for address in PUBLIC if not is_public(address)] == []
    assert not any(map(is_public, ["", HOST, "127.1", "2130706433", "0x7f.0.0.1", f"{WEB_V6}%eth0"]))


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_nothing_is_public_that_the_standard_library_calls_otherwise(address):
    if is_public(str(address)):
        assert address.is_global and not address.is_multicast


@given(st.sampled_from([IPv4Address(address) for address in PRIVATE_V4.values()]), st.integers(0, 2**64 - 1))
def test_no_form_that_carries_a_private_address_is_public(inside, rest):
    value = int(inside)
    carriers = (
        value,  # compatible
        0xFFFF << 32 | value,  # mapped
        0xFFFF << 48 | value,  # translated
        0x64FF9B << 96 | value,  # NAT64
        0x64FF9B0001 << 80 | value,  # NAT64 for local use
        0x2002 << 112 | value << 80 | rest,  # 6to4
        0x20010000 << 96 | rest << 32 | (value ^ 0xFFFFFFFF),  # Teredo
        0x2A00 << 112 | 0x00005EFE << 32 | value,  # ISATAP
        0x2A00 << 112 | 0x02005EFE << 32 | value,
    )
    assert not [str(IPv6Address(carrier)) for carrier in carriers if is_public(str(IPv6Address(carrier)))]


def test_an_address_of_this_machine_is_not_public(monkeypatch):
    """As on a server whose network card has a public address, behind which others trust it."""
    asked = []

    class OwnAddress(socket.socket):
        def connect(self, target):
            asked.append(target[0])

        def getsockname(self):
            return (asked[-1], 40_000)

    monkeypatch.setattr(socket, "socket", OwnAddress)
    assert not is_public(WEB)


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


def resolved(names, *, host=HOST, local_hosts=None):
    async def one():
        guard = Guard(local_hosts or {}, lookup=names)
        try:
            return [(each["host"], each["port"]) for each in await guard.resolve(host, 443)]
        finally:
            await guard.close()

    return asyncio.run(one())


def test_a_name_is_looked_up_once_and_in_full():
    names = Names([WEB, WEB_V6], ["127.0.0.1"])
    assert resolved(names) == [(WEB, 443), (WEB_V6, 443)]
    assert names.asked == [f"{HOST}."], "without the dot a search list would be tried"


def test_one_private_address_among_many_is_enough_to_refuse_a_name():
    cases = [[address] for address in PRIVATE]
    cases += [[WEB, "10.0.0.1"], ["10.0.0.1", WEB], [*(f"93.184.216.{n}" for n in range(50)), "127.0.0.1"], []]
    for addresses in cases:
        with pytest.raises(RefusedAddress):
            resolved(Names(addresses))


def test_a_thousand_addresses_are_no_thousand_connections():
    many = [f"93.184.{n // 200}.{n % 200 + 1}" for n in range(1_000)]
    assert len(resolved(Names([*many, WEB_V6, "2606:2800:220:1::2", "2606:2800:220:1::3"]))) == 4


def test_a_local_host_leads_to_its_place_and_no_other_name_does():
    local = {HOST: ("127.0.0.1", 18_000)}
    assert resolved(Names(), local_hosts=local) == [("127.0.0.1", 18_000)]
    for host in ("www.shop.com", "shop.com.evil.com", "SHOP.com"):
        with pytest.raises(RefusedAddress):
            resolved(Names(["127.0.0.1"]), host=host, local_hosts=local)


def test_a_socket_is_made_for_public_addresses_at_the_ports_of_the_web_only():
    guard = Guard({HOST: ("127.0.0.1", 18_000)})
    for address, port in [(WEB, 80), (WEB_V6, 443), ("127.0.0.1", 18_000)]:
        guard.open_socket(info(address, port)).close()
    refused = [(address, 80) for address in PRIVATE] + [("127.0.0.1", 18_001), ("127.0.0.2", 18_000)]
    refused += [(WEB, port) for port in (0, 22, 25, 79, 81, 444, 3306, 5432, 6379, 8080, 9200, 65535)]
    for address, port in refused:
        with pytest.raises(RefusedAddress):
            guard.open_socket(info(address, port))


def failure_of(url, **how):
    async def one():
        async with Fetcher(user_agent="TestBot/1.0") as fetcher:
            with pytest.raises(FetchError) as caught:
                await fetcher.get(url, **how)
            return caught.value

    return asyncio.run(asyncio.wait_for(one(), 60))


def test_a_name_that_leads_inside_is_refused_without_naming_what_is_there(monkeypatch):
    for addresses in (["127.0.0.1"], ["::1", "127.0.0.1"], ["::ffff:127.0.0.1"]):
        monkeypatch.setattr(fetching, "Guard", partial(Guard, lookup=Names(addresses, addresses)))
        error = failure_of(f"https://{HOST}/")
        assert error.reason == "refused_address"
        assert not any(address in str(error) for address in addresses)


def test_what_gets_past_the_resolver_gets_no_socket(monkeypatch):
    """As if a later version of the library asked somebody else for the addresses."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        address, _ = listener.getsockname()

        async def resolve(guard, host, *_, **__):
            fields = {"hostname": host, "host": address, "port": listener.getsockname()[1], "family": socket.AF_INET}
            return [{**fields, "proto": 0, "flags": socket.AI_NUMERICHOST}]

        monkeypatch.setattr(Guard, "resolve", resolve)
        assert failure_of(f"http://{HOST}/").reason == "refused_address"
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_a_look_up_that_fails_or_hangs_ends_with_its_reason(monkeypatch):
    for code, detail in ((socket.EAI_NONAME, "no such host"), (socket.EAI_AGAIN, "looked up")):

        def fails(*_, code=code, **__):
            raise socket.gaierror(code, "whatever the system says")

        monkeypatch.setattr(fetching, "Guard", partial(Guard, lookup=fails))
        error = failure_of(f"http://{HOST}/")
        assert error.reason == "no_such_host" and detail in error.detail
    answered = Event()

    def hangs(*_, **__):
        answered.wait(60)
        return []

    monkeypatch.setattr(fetching, "Guard", partial(Guard, lookup=hangs))
    try:
        assert failure_of(f"http://{HOST}/", deadline=0.3).reason == "timeout"
    finally:
        answered.set()

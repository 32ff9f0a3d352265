"""Whose request it is: a forged header changes nothing."""

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apikeys.edge.clientaddress import client_address

PROXIES = [ip_network(text) for text in ("10.0.0.0/8", "fd00::/8", "127.0.0.1")]
ANY_HEADERS = st.lists(st.text() | st.ip_addresses().map(str), max_size=4)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.7", [], "203.0.113.7"),
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        ("203.0.113.7", ["10.0.0.1", "127.0.0.1"], "203.0.113.7"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        ("10.1.2.3", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
        ("10.1.2.3", ["1.1.1.1", "198.51.100.1"], "198.51.100.1"),
        ("10.1.2.3", ["1.1.1.1, 198.51.100.1, 10.9.9.9"], "198.51.100.1"),
        ("10.1.2.3", ["198.51.100.1, 10.9.9.9", "10.8.8.8"], "198.51.100.1"),
        ("10.1.2.3", ["10.0.0.5, 10.0.0.6"], "10.0.0.5"),
        ("10.1.2.3", ["1.1.1.1, garbage, 10.9.9.9"], "10.9.9.9"),
        ("10.1.2.3", ["garbage"], "10.1.2.3"),
        ("10.1.2.3", [""], "10.1.2.3"),
        ("10.1.2.3", ["198.51.100.1,"], "10.1.2.3"),
        ("10.1.2.3", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.1.2.3", ["[2001:db8:1:2:3::4]:4711"], "2001:db8:1:2::/64"),
        ("fd00::1", ["198.51.100.1"], "198.51.100.1"),
        ("2001:db8:1:2:aaaa::1", [], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", ["1.1.1.1"], "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", [], "2001:db8:1:3::/64"),
        ("fe80::1%eth0", [], "fe80::/64"),
        ("::ffff:203.0.113.7", [], "203.0.113.7"),
        ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        ("10.1.2.3", ["::ffff:198.51.100.1"], "198.51.100.1"),
        (None, [], "unknown"),
        (None, ["198.51.100.1"], "unknown"),
        ("", ["198.51.100.1"], "unknown"),
        ("testclient", ["198.51.100.1"], "unknown"),
        ("10.1.2.3", ["\u0661.1.1.1"], "10.1.2.3"),
        ("10.1.2.3", ["x" * 10_000], "10.1.2.3"),
    ],
)
def test_the_address_that_is_counted(peer, forwarded, address):
    assert client_address(peer, forwarded, PROXIES) == address


def test_without_trusted_proxies_no_header_is_believed():
    assert client_address("127.0.0.1", ["198.51.100.1"], ()) == "127.0.0.1"


@given(peer=st.ip_addresses(), forwarded=ANY_HEADERS)
def test_who_is_no_proxy_is_counted_whatever_it_writes(peer, forwarded):
    if not any(peer in network for network in PROXIES) and not getattr(peer, "ipv4_mapped", None):
        assert client_address(str(peer), forwarded, PROXIES) == client_address(str(peer), [], PROXIES)


@given(client=st.ip_addresses(v=4), forged=ANY_HEADERS)
def test_what_the_client_wrote_left_of_its_own_address_changes_nothing(client, forged):
    if client not in PROXIES[0] and client != ip_address("127.0.0.1"):
        assert client_address("10.1.2.3", [*forged, str(client)], PROXIES) == str(client)


@given(peer=st.none() | st.text(), forwarded=ANY_HEADERS)
def test_garbage_is_an_address_or_unknown(peer, forwarded):
    counted = client_address(peer, forwarded, PROXIES)
    assert counted == "unknown" or ip_network(counted)
